/**
 * Turns what a plugin's `createScope` returned into plain data that may cross to a guest: JSON leaves, and a path for
 * each callable marker. Nothing of the host survives in it. Runs on the gateway's thread, bounded in depth and nodes.
 */
import type { NamespaceCallable } from "../index.js";

/** Joins path segments; a key that holds it is refused, so a path names one member only. */
export const SCOPE_PATH_SEPARATOR = "\u001f";

const MAX_DEPTH = 64;
/** Shared objects are written out at each place, so a small graph could otherwise grow without end. */
const MAX_NODES = 20_000;
const FORBIDDEN_KEYS = new Set(["__proto__", "constructor", "prototype", ""]);

/** A member of a serialised scope. Tagged, so that data can never be taken for a call. */
export type ScopeNode =
  | { kind: "value"; value: string | number | boolean | null }
  | { kind: "array"; items: ScopeNode[] }
  | { kind: "object"; entries: [key: string, node: ScopeNode][] }
  | { kind: "call"; path: string };

/** What a marker stands for. */
export interface ScopeCallable {
  toolName: string;
  inputMapper?: ((args: unknown[]) => unknown) | undefined;
}

/** A scope ready to cross, and the calls it offers by path. */
export interface SerializedScope {
  root: ScopeNode & { kind: "object" };
  callables: ReadonlyMap<string, ScopeCallable>;
}

const markers = new WeakMap<object, ScopeCallable>();

/** See `createCodeModeNamespaceTool` in `index.d.ts`. */
export function createMarker(toolName: string, inputMapper?: (args: unknown[]) => unknown): NamespaceCallable {
  if (typeof toolName !== "string" || toolName.trim() === "") {
    throw new TypeError("code mode namespace tool name must be a non-empty string.");
  }
  if (inputMapper !== undefined && typeof inputMapper !== "function") {
    throw new TypeError(`code mode namespace inputMapper must be a function: ${toolName}`);
  }
  const marker = Object.freeze(Object.create(null) as object);
  markers.set(marker, { toolName, inputMapper });
  return marker as NamespaceCallable;
}

/**
 * Serialises a scope. `label` (the namespace's global name) starts every path named in an error.
 * @throws TypeError naming the path of the first member that may not cross.
 */
export function serializeScope(scope: unknown, label = "scope"): SerializedScope {
  if (typeof scope !== "object" || scope === null || markers.has(scope) || isArray(scope)) {
    throw new TypeError(`code mode namespace scope must be an object: ${label}`);
  }
  const walk = new Walk(label);
  const root = walk.object(scope, []);
  return { root, callables: walk.callables };
}

/** `Array.isArray`, which throws on a revoked proxy; such a value fails at its first read instead. */
function isArray(value: unknown): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

class Walk {
  readonly callables = new Map<string, ScopeCallable>();
  private readonly open = new Set<object>();
  private nodes = 0;

  constructor(private readonly label: string) {}

  object(value: object, path: readonly string[]): ScopeNode & { kind: "object" } {
    return this.within(value, path, () => {
      const keys = this.attempt(path, () => Object.keys(value));
      return this.entries(
        keys.map((key) => [key, () => (value as Record<string, unknown>)[key]]),
        path,
      );
    });
  }

  private node(value: unknown, path: readonly string[]): ScopeNode | undefined {
    this.nodes += 1;
    if (this.nodes > MAX_NODES) {
      throw this.error(path, `makes the scope larger than ${MAX_NODES} values`);
    }
    switch (typeof value) {
      case "string":
      case "boolean":
        return { kind: "value", value };
      case "number":
        return { kind: "value", value: Number.isFinite(value) ? value : null };
      case "bigint":
        return { kind: "value", value: value.toString() };
      case "function":
        throw this.error(path, "is a raw function; use createCodeModeNamespaceTool");
      case "object":
        return value === null ? { kind: "value", value: null } : this.reference(value, path);
      default:
        return undefined;
    }
  }

  private reference(value: object, path: readonly string[]): ScopeNode {
    const callable = markers.get(value);
    if (callable) {
      const joined = path.join(SCOPE_PATH_SEPARATOR);
      this.callables.set(joined, callable);
      return { kind: "call", path: joined };
    }
    const length = this.attempt(path, () => (Array.isArray(value) ? value.length : undefined));
    if (length !== undefined) {
      return this.within(value, path, () => this.items(value as unknown[], length, path));
    }
    const fallback = this.attempt(path, () => jsonFallback(value));
    if (fallback === undefined) {
      return this.object(value, path);
    }
    return this.within(value, path, () => this.fallback(fallback, path));
  }

  /** Walks what stands for a value that JSON has no form for. */
  private fallback(fallback: Fallback, path: readonly string[]): ScopeNode {
    if ("entries" in fallback) {
      return this.entries(
        fallback.entries.map(([key, value]) => [key, () => value]),
        path,
      );
    }
    return this.node(fallback.value, path) ?? { kind: "value", value: null };
  }

  private items(array: readonly unknown[], length: number, path: readonly string[]): ScopeNode {
    if (this.nodes + length > MAX_NODES) {
      throw this.error(path, `makes the scope larger than ${MAX_NODES} values`);
    }
    const items: ScopeNode[] = [];
    for (let index = 0; index < length; index += 1) {
      const at = [...path, String(index)];
      const item = this.attempt(at, () => array[index]);
      items.push(this.node(item, at) ?? { kind: "value", value: null });
    }
    return { kind: "array", items };
  }

  private entries(
    members: (readonly [key: string, read: () => unknown])[],
    path: readonly string[],
  ): ScopeNode & { kind: "object" } {
    const entries: [string, ScopeNode][] = [];
    for (const [key, read] of members) {
      const at = [...path, key];
      if (FORBIDDEN_KEYS.has(key) || key.includes(SCOPE_PATH_SEPARATOR)) {
        throw this.error(at, "has a key that is not allowed");
      }
      const node = this.node(this.attempt(at, read), at);
      if (node) {
        entries.push([key, node]);
      }
    }
    return { kind: "object", entries };
  }

  /** Marks a reference as being walked, so that meeting it again below itself is seen as a cycle. */
  private within<T>(value: object, path: readonly string[], body: () => T): T {
    if (this.open.has(value)) {
      throw this.error(path, "is part of a cycle");
    }
    if (path.length > MAX_DEPTH) {
      throw this.error(path, `is nested deeper than ${MAX_DEPTH} levels`);
    }
    this.open.add(value);
    try {
      return body();
    } finally {
      this.open.delete(value);
    }
  }

  /** Runs plugin code (getters, toJSON, proxy traps); what it throws is reported with the path. */
  private attempt<T>(path: readonly string[], body: () => T): T {
    try {
      return body();
    } catch (error) {
      throw this.error(path, `could not be read: ${messageOf(error)}`);
    }
  }

  private error(path: readonly string[], what: string): TypeError {
    const shown = [this.label, ...path.map((segment) => (segment === "" ? '""' : segment))].join(".");
    return new TypeError(
      `code mode namespace scope member ${shown.replaceAll(SCOPE_PATH_SEPARATOR, "\\u001f")} ${what}.`,
    );
  }
}

type Fallback = { value: unknown } | { entries: (readonly [string, unknown])[] };

/** The safe form of a value that JSON cannot hold, or undefined for an ordinary object. */
function jsonFallback(value: object): Fallback | undefined {
  if (value instanceof Date) {
    return { value: Number.isNaN(value.getTime()) ? null : value.toISOString() };
  }
  if (value instanceof Map) {
    const pairs = [...value.entries()] as [unknown, unknown][];
    return pairs.every(([key]) => typeof key === "string")
      ? { entries: pairs as [string, unknown][] }
      : { value: pairs };
  }
  if (value instanceof Set) {
    return { value: [...value] };
  }
  if (value instanceof Error) {
    const { name, message } = value;
    return { entries: [["name", name], ["message", message], ...Object.entries(value)] };
  }
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) {
    return { value: `[binary value, ${value.byteLength} bytes]` };
  }
  if (value instanceof RegExp || value instanceof URL) {
    return { value: String(value) };
  }
  if (value instanceof Promise) {
    throw new TypeError("it is a promise; await it in createScope");
  }
  if (["[object Number]", "[object String]", "[object Boolean]"].includes(Object.prototype.toString.call(value))) {
    return { value: value.valueOf() };
  }
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === "function" ? { value: toJSON.call(value, "") } : undefined;
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "unknown error";
  }
}
