/** Tells control tools from ordinary ones, so that a shell tool called `exec` is never taken for ours. Pure. */
import type { CodeModeTool } from "../index.js";

/** Marks our two tools. A symbol member survives a gateway's `{ ...tool }`, and cannot come out of JSON. */
const control = Symbol("code mode control");

/** Tools of the other compact catalog, which code mode replaces. The gateway owns them, so only their names are known. */
const TOOL_SEARCH_NAMES = new Set(["tool_search_code", "tool_search", "tool_describe", "tool_call"]);

/** Marks a tool as a control. */
export function markControl<T extends object>(tool: T): T {
  return Object.assign(tool, { [control]: true });
}

/** See `index.d.ts`. */
export function isCodeModeControlTool(tool: unknown): boolean {
  return typeof tool === "object" && tool !== null && (tool as { [control]?: unknown })[control] === true;
}

/** Whether a tool is a Tool Search control: one of its names, on a tool of the gateway itself. */
export function isToolSearchControl(tool: CodeModeTool): boolean {
  const ofGateway = (tool.source ?? "openclaw") === "openclaw" && tool.pluginId === undefined && !tool.mcp;
  return ofGateway && TOOL_SEARCH_NAMES.has(tool.name);
}

/** The tools that are neither ours nor Tool Search's. */
export function withoutControls(tools: readonly CodeModeTool[]): CodeModeTool[] {
  return tools.filter((tool) => !isCodeModeControlTool(tool) && !isToolSearchControl(tool));
}
