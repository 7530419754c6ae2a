/** `agents.run` on the host's side: spawn, wait, and the outcome as a value or a catchable error. */
import type { RunContext, SwarmAgentOptions, SwarmHost, SwarmOutcome } from "../index.js";
import type { CallHead } from "./host.js";
import { messageOf, SwarmAgentError, toJson } from "./json.js";

/** One call of `agents.run`. */
export interface AgentCall {
  prompt: string;
  options: SwarmAgentOptions;
  head: CallHead;
  context: RunContext;
  signal: AbortSignal;
}

/** JSON text of the structured result when a schema was given, else of the text. */
export async function runAgent(host: SwarmHost | undefined, call: AgentCall): Promise<string> {
  if (!host) {
    throw new Error("agents are not available in this run.");
  }
  const { prompt, options, head, context, signal } = call;
  const spawned: unknown = await host.spawn({
    prompt,
    options,
    toolCallId: head.toolCallId,
    parentToolCallId: head.parent,
    context,
    signal,
  });
  const runId = field(spawned, "runId");
  if (typeof runId !== "string") {
    throw new TypeError("the swarm host's spawn gave no runId.");
  }
  const outcome = await waitFor(host, { runId, context, signal });
  if (outcome.status !== "completed") {
    const reason = outcome.error ?? `sub-agent ended with status ${outcome.status}`;
    throw new SwarmAgentError(reason, runId, outcome.status);
  }
  return toJson(options.schema === undefined ? (outcome.text ?? "") : (outcome.structured ?? null));
}

/** Waiting that fails is the sub-agent's failure: the guest is told which run it was. */
async function waitFor(host: SwarmHost, request: Parameters<SwarmHost["wait"]>[0]): Promise<SwarmOutcome> {
  let outcome: unknown;
  try {
    outcome = await host.wait(request);
  } catch (error) {
    throw new SwarmAgentError(messageOf(error), request.runId, "error");
  }
  if (typeof field(outcome, "status") !== "string") {
    throw new SwarmAgentError("the swarm host's wait gave no status.", request.runId, "error");
  }
  return outcome as SwarmOutcome;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
