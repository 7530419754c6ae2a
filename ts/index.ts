/** Exports only. The contract with its documentation is `index.d.ts`. */
import { resolveCodeModeConfig } from "./config.js";
import { defaultEngine } from "./engine.js";
import { surfaceAdapter } from "./surface.js";

export { resolveCodeModeConfig, validateCodeModeConfig } from "./config.js";
export { isCodeModeControlTool } from "./controls.js";
export { CodeModeEngine, defaultEngine } from "./engine.js";
export { CodeModeError } from "./errors.js";
export {
  clearCodeModeNamespacesForPlugin,
  clearCodeModeNamespacesForTest,
  createCodeModeNamespaceTool,
  registerCodeModeNamespaceForPlugin,
} from "./namespaces.js";
export { CodeModeRun } from "./run.js";
export { renderTimeline } from "./timeline/index.js";
export { projectTranscript } from "./transcript.js";

/** See `index.d.ts`. */
export const applyCodeMode = surfaceAdapter({ resolveConfig: resolveCodeModeConfig, defaultEngine });
