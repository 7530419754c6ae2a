/** What the specs of the built package share. */
import { readFileSync } from "node:fs";
import { CodeModeEngine } from "../index.js";
import type { CodeModeResult, CodeModeRun, CodeModeRunOptions, CodeModeTool, ToolResult } from "../index.js";

/** Reads one of the case files. */
export function readCases(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`cases/${name}.json`, import.meta.url), "utf8"));
}

/** An engine of its own for a spec, so that counters and limits are its own too. */
export function testEngine(options: ConstructorParameters<typeof CodeModeEngine>[0] = {}): CodeModeEngine {
  return new CodeModeEngine({ workerThreads: 2, ...options });
}

/** Opens a run with code mode enabled. */
export function openRun(
  engine: CodeModeEngine,
  config: Record<string, unknown> = {},
  options: Partial<CodeModeRunOptions> = {},
): CodeModeRun {
  return engine.openRun({ tools: [], ...options, config: { enabled: true, ...config } });
}

/** A tool whose details are what `answer` returns. */
export function answering(
  name: string,
  answer: (input: unknown) => unknown,
  more: Partial<CodeModeTool> = {},
): CodeModeTool {
  return {
    name,
    description: `about ${name}`,
    parameters: { type: "object" },
    execute: async (_id, input: unknown): Promise<ToolResult> => ({ content: [], details: await answer(input) }),
    ...more,
  };
}

/** The value of a completed result; anything else fails the test with the whole result in its message. */
export function valueOf(result: CodeModeResult): unknown {
  if (result.status !== "completed") {
    throw new Error(`expected a completed result: ${JSON.stringify(result)}`);
  }
  return result.value;
}
