/**
 * Host values on their way to the engine as JSON text. Nothing the host holds can break the bridge: a value that cannot
 * be written is an error of that call, with a message that says which rule it broke.
 */

/** JSON text of a value; `null` for what JSON leaves out at the top. @throws TypeError when it cannot be written. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch (error) {
    if (!hasBigInt(error)) {
      throw error;
    }
    return (
      JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item)) ?? "null"
    );
  }
}

/** V8 says "Do not know how to serialize a BigInt"; it is the one refusal with an obvious safe form. */
function hasBigInt(error: unknown): boolean {
  return error instanceof TypeError && error.message.includes("BigInt");
}

/**
 * JSON text as the engine reads it. Lone surrogates, which JSON.stringify writes as escapes and UTF-8 cannot hold, become
 * U+FFFD; cut-off emoji are common in what tools say.
 */
export function wellFormed(json: string): string {
  if (!json.includes("\\ud")) {
    return json;
  }
  return json.replaceAll(/\\\\|\\ud[89a-f][0-9a-f]{2}/gu, (escape) => (escape === "\\\\" ? escape : "\\ufffd"));
}

/** The engine reads JSON up to 127 levels deep; what stands around a value takes a few. */
const MAX_DEPTH = 100;

/** Whether JSON text nests deeper than the engine reads. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gsu)) {
    if (token === "{" || token === "[") {
      depth += 1;
      if (depth > MAX_DEPTH) {
        return true;
      }
    } else if (token === "}" || token === "]") {
      depth -= 1;
    }
  }
  return false;
}

/** What crosses to a guest when a call failed: data only. No stack, path, prototype or host object. */
export interface FailureRecord {
  message: string;
  name?: string;
  code?: string | number;
  details?: unknown;
  /** Of a failed sub-agent only. */
  runId?: string;
  status?: string;
}

/** Why a sub-agent gave no result; the guest gets its name and fields too. */
export class SwarmAgentError extends Error {
  override readonly name = "SwarmAgentError";

  constructor(
    message: string,
    readonly runId: string,
    readonly status: string,
  ) {
    super(message);
  }
}

/** JSON text of a failed call. Never throws. */
export function failureJson(error: unknown): string {
  const record: FailureRecord = { message: messageOf(error) };
  const code = read(error, "code");
  if (typeof code === "string" || typeof code === "number") {
    record.code = code;
  }
  const details = read(error, "details");
  if (details !== undefined && typeof details !== "function") {
    record.details = details;
  }
  if (isSwarmError(error)) {
    const { name, runId, status } = error;
    Object.assign(record, { name, runId, status });
  }
  try {
    const text = wellFormed(toJson(record));
    if (details === undefined || !isTooDeep(text)) {
      return text;
    }
  } catch {
    // Left to the line below.
  }
  // Details that cannot cross are left out rather than losing the message.
  delete record.details;
  return wellFormed(toJson(record));
}

/** `instanceof` asks a proxy for its prototype, and a revoked one throws. */
function isSwarmError(error: unknown): error is SwarmAgentError {
  try {
    return error instanceof SwarmAgentError;
  } catch {
    return false;
  }
}

/** The message of anything thrown; getters and `toString` of hostile objects included. */
export function messageOf(error: unknown): string {
  const message = read(error, "message");
  if (typeof message === "string" && message !== "") {
    return message;
  }
  if (typeof error === "string" && error !== "") {
    return error;
  }
  return "the tool failed without saying why";
}

function read(value: unknown, key: string): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) {
    return undefined;
  }
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}
