/** Configuration. The engine settles and checks it; this only carries values over that JSON cannot hold. */
import type { ConfigIssue, ResolvedCodeModeConfig } from "../index.js";
import { isTooDeep, wellFormed } from "./json.js";
import { native } from "./native.js";

/** See `index.d.ts`. */
export function resolveCodeModeConfig(raw: unknown, agentRaw?: unknown): ResolvedCodeModeConfig {
  const agent = agentRaw === undefined || agentRaw === null ? undefined : rawJson(agentRaw);
  return JSON.parse(native().resolveConfig(rawJson(raw), agent)) as ResolvedCodeModeConfig;
}

/** See `index.d.ts`. */
export function validateCodeModeConfig(raw: unknown): ConfigIssue[] {
  return JSON.parse(native().validateConfig(rawJson(raw))) as ConfigIssue[];
}

/** JSON text of a raw value, field by field: one that cannot be read or written counts as a wrong value, not as absent. */
export function rawJson(raw: unknown): string {
  if (typeof raw !== "object" || raw === null) {
    return typeof raw === "boolean" ? String(raw) : raw === undefined || raw === null ? "null" : '"?"';
  }
  if (isArray(raw)) {
    return "[]";
  }
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const key of ownKeys(raw)) {
    fields[key] = readable(raw as Record<string, unknown>, key);
  }
  return wellFormed(JSON.stringify(fields));
}

/** `Array.isArray`, which throws on a revoked proxy; such a value counts as an object without fields. */
function isArray(value: unknown): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

function ownKeys(value: object): string[] {
  try {
    return Object.keys(value);
  } catch {
    return [];
  }
}

function readable(fields: Record<string, unknown>, key: string): unknown {
  try {
    const value = fields[key];
    if (value === undefined) {
      return undefined; // a field set to undefined is a field left out
    }
    const text = JSON.stringify(value) ?? '"?"';
    return isTooDeep(text) ? "?" : (JSON.parse(text) as unknown);
  } catch {
    return "?";
  }
}
