/** `agents.run` on the host's side: spawn, wait, and the outcome as a value or a catchable error. */
import type { RunContext, SwarmAgentOptions, SwarmHost } from "../index.js";
import type { CallHead } from "./host.js";
import { toJson } from "./json.js";

/** One call of `agents.run`. */
export interface AgentCall {
  prompt: string;
  options: SwarmAgentOptions;
  head: CallHead;
  context: RunContext;
  signal: AbortSignal;
}

/** Why a sub-agent gave no result; its fields cross to the guest as data. */
class SwarmAgentError extends Error {
  override readonly name = "SwarmAgentError";

  constructor(
    message: string,
    readonly runId: string,
    readonly status: string,
  ) {
    super(message);
  }
}

/** JSON text of the structured result when a schema was given, else of the text. */
export async function runAgent(host: SwarmHost | undefined, call: AgentCall): Promise<string> {
  if (!host) {
    throw new Error("agents are not available in this run.");
  }
  const { prompt, options, head, context, signal } = call;
  const { runId } = await host.spawn({
    prompt,
    options,
    toolCallId: head.toolCallId,
    parentToolCallId: head.parent,
    context,
    signal,
  });
  const outcome = await host.wait({ runId, context, signal });
  if (outcome.status !== "completed") {
    const reason = outcome.error ?? `sub-agent ended with status ${outcome.status}`;
    throw new SwarmAgentError(reason, runId, outcome.status);
  }
  return toJson(options.schema === undefined ? (outcome.text ?? "") : (outcome.structured ?? null));
}
