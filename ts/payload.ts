/** The last look at a list of tools before it goes to a provider. Pure. */
import type { CodeModeTool } from "../index.js";
import { isCodeModeControlTool } from "./controls.js";

/** What a surface approved and what it hid. */
export interface PayloadRules {
  exec: CodeModeTool;
  direct: readonly CodeModeTool[];
  hidden: readonly CodeModeTool[];
}

/** What is wrong with a payload, as the rest of a sentence; undefined when it is exactly what was approved. */
export function payloadProblem(payload: readonly unknown[], rules: PayloadRules): string | undefined {
  if (!Array.isArray(payload)) {
    return "is no array of tools";
  }
  try {
    return problemIn(payload, rules);
  } catch {
    // A getter or proxy that throws; what cannot be looked at is not approved.
    return "holds a tool that cannot be read";
  }
}

function problemIn(payload: readonly unknown[], rules: PayloadRules): string | undefined {
  const expected = ["exec", "wait", ...rules.direct.map(({ name }) => name)];
  const seen = new Set<string>();
  for (const item of payload.flatMap(declarations)) {
    const name = nameOf(item);
    if (name === undefined) {
      return "holds a tool without a name";
    }
    if (!expected.includes(name) || isHidden(item, name, rules)) {
      return `shows a tool that code mode hides: ${name}`;
    }
    if (seen.has(name)) {
      return `shows a tool twice: ${name}`;
    }
    seen.add(name);
  }
  const missing = expected.find((name) => !seen.has(name));
  return missing === undefined ? undefined : `lacks a tool: ${missing}`;
}

/**
 * Whether an item is a hidden tool under the name of an approved one: the tool itself, or a copy that carries its
 * description. A shell tool called `exec` must not pass for the control.
 */
function isHidden(item: unknown, name: string, rules: PayloadRules): boolean {
  if (isCodeModeControlTool(item)) {
    return false;
  }
  const description = descriptionOf(item);
  return rules.hidden.some(
    (tool) =>
      tool === item ||
      (tool.name === name && description === tool.description && description !== rules.exec.description),
  );
}

/** Some providers take one item that holds all declarations. */
function declarations(item: unknown): unknown[] {
  const { functionDeclarations, function_declarations: snake } = asObject(item);
  const held = functionDeclarations ?? snake;
  return Array.isArray(held) ? held : [item];
}

/** The name in the shape of a tool, or of the payloads that wrap it (`function`, `toolSpec`). */
function nameOf(item: unknown): string | undefined {
  const name = inner(item).name;
  return typeof name === "string" && name !== "" ? name : undefined;
}

function descriptionOf(item: unknown): unknown {
  return inner(item).description;
}

function inner(item: unknown): Record<string, unknown> {
  const outer = asObject(item);
  return asObject(outer.function ?? outer.toolSpec ?? outer);
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
