/** The gateway's hooks around `exec`: mirrored source fields, rewrites, blocks. Decides; runs nothing. */
import type { BeforeToolCallEvent, CodeModeExecInput, CodeModeHooks, CodeModeLanguage, RunContext } from "../index.js";

/** What the hook left of an exec call: the input to run, or why it may not run. */
export type HookOutcome = { input: CodeModeExecInput } | { refused: string };

/** Error text for two sources in one call, shared with the check of unhooked input. */
export const SOURCE_MISMATCH = "code and command must match when both are provided.";

/**
 * Asks the hook. `code` and `command` are shown as one text; a rewrite of one is copied to the other. Input that cannot
 * be mirrored (no source, or two different ones) goes on unhooked: it fails before anything runs.
 */
export async function askBeforeToolCall(
  hooks: CodeModeHooks | undefined,
  input: Record<string, unknown>,
  call: { toolCallId: string; context: RunContext; signal?: AbortSignal | undefined },
): Promise<HookOutcome> {
  const source = input.code ?? input.command;
  const mirrored = typeof source === "string" && (input.command ?? source) === source;
  if (!hooks?.beforeToolCall || !mirrored) {
    return { input };
  }
  const params = { ...input, code: source, command: source };
  const kind = inputKind(input.language);
  const event: BeforeToolCallEvent = {
    toolName: "exec",
    toolKind: "code_mode_exec",
    ...(kind ? { toolInputKind: kind } : {}),
    toolCallId: call.toolCallId,
    params: { ...params },
    context: call.context,
    ...(call.signal ? { signal: call.signal } : {}),
  };
  try {
    const decision = await unlessAborted(hooks.beforeToolCall(event), call.signal);
    if (decision?.block) {
      return { refused: decision.blockReason?.trim() || "code mode exec was blocked by a hook." };
    }
    return mergeRewrite(params, decision?.params ?? {});
  } catch (error) {
    return { refused: `code mode exec hook failed: ${hookFailure(error)}` };
  }
}

/** What a hook threw, in words. Hooks may throw anything, a revoked proxy too. */
function hookFailure(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "it threw a value that cannot be read";
  }
}

/**
 * The hook's answer, or none once the call is aborted: a hook may wait for a person, and an aborted call does not. What
 * goes on without an answer carries the aborted signal and never runs.
 */
async function unlessAborted<T>(answer: T, signal: AbortSignal | undefined): Promise<Awaited<T> | undefined> {
  if (!signal) {
    return await answer;
  }
  let giveUp = (): void => {};
  const aborted = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined);
  });
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) {
    giveUp();
  }
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

function mergeRewrite(
  params: Record<string, unknown> & { code: string },
  rewrite: Record<string, unknown>,
): HookOutcome {
  const { code: original } = params;
  const code = rewrite.code ?? original;
  const command = rewrite.command ?? original;
  if (code !== original && command !== original && code !== command) {
    return { refused: SOURCE_MISMATCH };
  }
  const source = code === original ? command : code;
  return { input: { ...params, ...rewrite, code: source, command: source } as CodeModeExecInput };
}

/** The language as the hook is told it: the default when none was given, nothing when it is neither. */
function inputKind(language: unknown): CodeModeLanguage | undefined {
  if (language === undefined || language === "javascript") {
    return "javascript";
  }
  return language === "typescript" ? "typescript" : undefined;
}
