/** Checks what a host's programmer hands in, and turns tools into what the engine takes. Misuse is a TypeError. */
import type { CallOptions, CodeModeRunOptions, CodeModeTool, RunContext } from "../index.js";

import { isTooDeep } from "./json.js";

const FUNCTIONS = ["callTool", "searchCatalog", "describeTool", "onEvent"] as const;

/** @throws TypeError naming the option that is wrong. */
export function checkOptions(options: CodeModeRunOptions): void {
  if (typeof options !== "object" || options === null) {
    throw new TypeError("run options must be an object with at least { tools }.");
  }
  checkTools(options.tools, "tools");
  if (options.clientTools !== undefined) {
    checkTools(options.clientTools, "clientTools");
  }
  for (const name of FUNCTIONS) {
    if (options[name] !== undefined && typeof options[name] !== "function") {
      throw new TypeError(`run option ${name} must be a function.`);
    }
  }
  checkContext(options.context);
  checkSignal(options.signal);
  const { swarm } = options;
  if (swarm !== undefined && (typeof swarm?.spawn !== "function" || typeof swarm.wait !== "function")) {
    throw new TypeError("run option swarm must be an object with spawn and wait functions.");
  }
}

/** @throws TypeError naming the tool that is wrong. */
export function checkTools(tools: readonly CodeModeTool[], what: string): void {
  if (!Array.isArray(tools)) {
    throw new TypeError(`${what} must be an array of tools.`);
  }
  for (const [index, tool] of (tools as readonly CodeModeTool[]).entries()) {
    if (typeof tool !== "object" || tool === null) {
      throw new TypeError(`${what}[${index}] must be a tool object.`);
    }
    if (typeof tool.name !== "string" || tool.name.trim() === "") {
      throw new TypeError(`${what}[${index}].name must be a non-empty string.`);
    }
  }
}

/** @throws TypeError for arguments no gateway should pass; a model's mistakes are left to the engine. */
export function checkCall(method: string, input: unknown, call: CallOptions): void {
  if (typeof input !== "object" || input === null) {
    throw new TypeError(`${method} input must be an object.`);
  }
  if (typeof call !== "object" || call === null) {
    throw new TypeError(`${method} call options must be an object.`);
  }
  if (call.toolCallId !== undefined && typeof call.toolCallId !== "string") {
    throw new TypeError(`${method} toolCallId must be a string.`);
  }
  if (call.onUpdate !== undefined && typeof call.onUpdate !== "function") {
    throw new TypeError(`${method} onUpdate must be a function.`);
  }
  checkContext(call.context);
  checkSignal(call.signal);
}

/** The claims of a context that the engine compares. */
export function scopeOf(context: RunContext | undefined): Record<string, string | undefined> {
  const { agentId, sessionId, sessionKey, runId } = context ?? {};
  return { agentId, sessionId, sessionKey, runId };
}

/**
 * Hands tools to the engine: as they are, and when it cannot read them, without schemas that nest too deep for it. One odd
 * tool does not keep a run from opening.
 */
export function tolerant<T>(attempt: (schemas: SchemaUse) => T): T {
  try {
    return attempt("all");
  } catch {
    return attempt("readable");
  }
}

/** Whether schemas that the engine may not be able to read are passed on. */
export type SchemaUse = "all" | "readable";

/** A tool as the engine takes it. `hostIndex` leads back to the object. */
export function toSpec(tool: CodeModeTool, hostIndex: number, schemas: SchemaUse): Record<string, unknown> {
  const { name, label, description, parameters, source, sourceName, pluginId } = tool;
  const { outputSchema, executionMode, replaySafe, mcp } = tool;
  return {
    name,
    label: text(label),
    description: text(description) ?? "",
    parameters: plain(parameters, schemas),
    source: ["openclaw", "plugin", "mcp", "client"].includes(source as string) ? source : undefined,
    sourceName: text(sourceName),
    pluginId: text(pluginId),
    outputSchema: plain(outputSchema, schemas),
    executionMode: executionMode === "sequential" ? executionMode : undefined,
    replaySafe: typeof replaySafe === "boolean" ? replaySafe : undefined,
    mcp: mcp && {
      serverName: text(mcp.serverName) ?? "",
      toolName: text(mcp.toolName) ?? "",
      operation: text(mcp.operation),
    },
    hostIndex,
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A schema as JSON; one that JSON cannot hold is left out, so that one odd tool does not keep a run from opening. */
function plain(schema: unknown, schemas: SchemaUse): unknown {
  try {
    const json = JSON.stringify(schema) as string | undefined;
    return schemas === "readable" && json !== undefined && isTooDeep(json) ? undefined : schema;
  } catch {
    return undefined;
  }
}

function checkContext(context: unknown): void {
  if (context !== undefined && (typeof context !== "object" || context === null)) {
    throw new TypeError("context must be an object.");
  }
}

function checkSignal(signal: unknown): void {
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.addEventListener !== "function") {
    throw new TypeError("signal must be an AbortSignal.");
  }
}
