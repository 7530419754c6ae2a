/** A small gateway around a real agent loop with a scripted model, for tests: policy, approvals, audit, code mode. */
import { Agent, type AgentTool } from "@mariozechner/pi-agent-core";
import {
  fauxAssistantMessage,
  fauxToolCall,
  registerFauxProvider,
  type Context,
  type FauxResponseStep,
  type ToolResultMessage,
} from "@mariozechner/pi-ai";
import { applyCodeMode } from "../index.js";
import type { CodeModeEngine, CodeModeEvent, CodeModeResult, CodeModeSurface, CodeModeTool, NestedToolCall } from "../index.js"; // prettier-ignore

/** What a gateway is configured with. */
export interface GatewayOptions {
  engine: CodeModeEngine;
  /** The raw `tools.codeMode` value. */
  codeMode: unknown;
  tools: readonly CodeModeTool[];
  clientTools?: readonly CodeModeTool[];
  /** Names of tools that policy takes away before anything else happens. */
  denied?: readonly string[];
  /** Asked before each nested call; false blocks it. */
  approve?: (call: NestedToolCall) => boolean;
}

/** What one turn of the agent left behind. */
export interface Turn {
  /** Tools the model was offered, at each of its requests. */
  offered: string[][];
  /** Results of `exec` and `wait`, in order. */
  results: CodeModeResult[];
  /** Names of the tools the model called, in order. */
  called: string[];
  /** The model's last words. */
  answer: string;
}

/** See the file description. One instance is one start of the gateway. */
export class Gateway {
  readonly events: CodeModeEvent[] = [];
  /** Nested calls as the executor saw them. */
  readonly audit: { toolCallId: string; parent: string; catalogId: string; sessionId: unknown }[] = [];
  readonly surface: CodeModeSurface;
  private turns = 0;
  private agent: Agent | undefined;

  constructor(options: GatewayOptions) {
    const denied = new Set(options.denied);
    this.surface = applyCodeMode({
      engine: options.engine,
      config: options.codeMode,
      context: { agentId: "main", sessionId: "session-1", runId: "run-1" },
      tools: options.tools.filter(({ name }) => !denied.has(name)),
      clientTools: options.clientTools,
      callTool: async (call) => {
        const { toolCallId, parentToolCallId, catalogId, context } = call;
        this.audit.push({ toolCallId, parent: parentToolCallId, catalogId, sessionId: context.sessionId });
        if (options.approve?.(call) === false) {
          throw new Error(`${call.toolName} was not approved.`);
        }
        return call.tool.execute!(toolCallId, call.input, call.signal, call.onUpdate);
      },
      onEvent: (event) => this.events.push(event),
    });
  }

  /** Lets the model answer one user message as scripted. */
  async turn(...script: FauxResponseStep[]): Promise<Turn> {
    const provider = registerFauxProvider();
    const offered: string[][] = [];
    provider.setResponses(
      script.map((step) => (context, ...rest) => {
        offered.push((context.tools ?? []).map(({ name }) => name));
        this.surface.assertPayload(context.tools ?? []);
        return typeof step === "function" ? step(context, ...rest) : step;
      }),
    );
    this.turns += 1;
    this.agent = new Agent({ initialState: { model: provider.getModel(), tools: agentTools(this.surface.tools) } });
    await this.agent.prompt(`message ${this.turns}`);
    provider.unregister();
    const { messages } = this.agent.state;
    const results = messages.filter((message) => message.role === "toolResult");
    const answer = messages.findLast((message) => message.role === "assistant");
    return {
      offered,
      called: results.map(({ toolName }) => toolName),
      results: results.map(({ details }) => details as CodeModeResult),
      answer: answer?.content.map((block) => (block.type === "text" ? block.text : "")).join("") ?? "",
    };
  }

  /** Aborts the turn in progress, as a user does. */
  abort(): void {
    this.agent?.abort();
  }

  stop(): void {
    this.surface.dispose();
  }
}

let calls = 0;

/** The model calls a tool. */
export function callTool(name: string, input: Record<string, unknown>): FauxResponseStep {
  return fauxAssistantMessage(fauxToolCall(name, input, { id: `call-${++calls}` }), { stopReason: "toolUse" });
}

/** The model runs a program. */
export function exec(code: string): FauxResponseStep {
  return callTool("exec", { code });
}

/** The model waits with the `runId` of the result before. */
export function wait(): FauxResponseStep {
  return (context) => {
    const result = lastResult(context);
    const input = { runId: result?.status === "waiting" ? result.runId : "" };
    return fauxAssistantMessage(fauxToolCall("wait", input, { id: `call-${++calls}` }), { stopReason: "toolUse" });
  };
}

/** The model answers with what it read last. */
export function answer(): FauxResponseStep {
  return (context) => fauxAssistantMessage(JSON.stringify(lastResult(context) ?? null));
}

function lastResult(context: Context): CodeModeResult | undefined {
  return (context.messages.at(-1) as ToolResultMessage<CodeModeResult>).details;
}

/** What the surface shows, as the agent takes it. */
function agentTools(tools: readonly CodeModeTool[]): AgentTool[] {
  return tools.map((tool) => Object.assign(tool as CodeModeTool & AgentTool, { label: tool.label ?? tool.name }));
}
