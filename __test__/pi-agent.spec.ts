/**
 * Code mode in a real agent loop of the pi family: a scripted model sees `exec` and `wait` only, and its programs call the
 * agent's own tools. Also the compile-time proof that such tools go in, and the surface's come out, without a cast.
 */
import { Agent, type AgentTool } from "@mariozechner/pi-agent-core";
import {
  fauxAssistantMessage,
  fauxToolCall,
  registerFauxProvider,
  type Context,
  type ToolResultMessage,
} from "@mariozechner/pi-ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyCodeMode } from "../index.js";
import type { CodeModeEngine, CodeModeEvent, CodeModeResult, CodeModeTool } from "../index.js";
import { testEngine } from "./helpers.js";

const read: AgentTool = {
  name: "read_file",
  label: "Read",
  description: "Reads a file",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  execute: async (_id, params) => {
    const { path } = params as { path: string };
    return { content: [{ type: "text", text: path }], details: { text: `text of ${path}` } };
  },
};

/** What the surface shows, as the agent takes it. */
function agentTools(tools: readonly CodeModeTool[]): AgentTool[] {
  return tools.map((tool) => Object.assign(tool as CodeModeTool & AgentTool, { label: tool.label ?? tool.name }));
}

describe("in a pi agent", () => {
  let engine: CodeModeEngine;
  beforeAll(() => {
    engine = testEngine();
  });
  afterAll(() => engine.close());

  it("runs programs over the agent's tools, and waits", async () => {
    const events: CodeModeEvent[] = [];
    const tools: CodeModeTool[] = [read];
    const surface = applyCodeMode({ config: true, engine, tools, onEvent: (event) => events.push(event) });
    const provider = registerFauxProvider();
    const seen: Context[] = [];
    const last = (context: Context) => (context.messages.at(-1) as ToolResultMessage<CodeModeResult>).details;
    provider.setResponses([
      (context) => {
        seen.push(context);
        const code =
          'const both = await Promise.all(["a", "b"].map((path) => tools.read_file({ path })));' +
          'text("read both"); await yield_control("look"); return both.map((file) => file.text)';
        return fauxAssistantMessage(fauxToolCall("exec", { code }, { id: "call-1" }), { stopReason: "toolUse" });
      },
      (context) => {
        const result = last(context);
        const runId = result?.status === "waiting" ? result.runId : "";
        return fauxAssistantMessage(fauxToolCall("wait", { runId }, { id: "call-2" }), { stopReason: "toolUse" });
      },
      (context) => fauxAssistantMessage(JSON.stringify(last(context))),
    ]);
    const agent = new Agent({ initialState: { model: provider.getModel(), tools: agentTools(surface.tools) } });
    await agent.prompt("read a and b");

    expect(seen[0]?.tools?.map(({ name }) => name)).toEqual(["exec", "wait"]);
    surface.assertPayload(seen[0]?.tools ?? []);
    const results = agent.state.messages.filter((message) => message.role === "toolResult");
    expect(results.map(({ toolName, details }) => [toolName, (details as CodeModeResult).status])).toEqual([
      ["exec", "waiting"],
      ["wait", "completed"],
    ]);
    const [waiting, completed] = results.map(({ details }) => details as CodeModeResult);
    expect(waiting).toMatchObject({ reason: "yield", output: [{ type: "text", text: "read both" }] });
    expect(completed).toMatchObject({ value: ["text of a", "text of b"], output: [] });
    const finished = events.filter((event) => event.type === "tool_finished");
    expect(finished.map(({ toolCallId, outcome }) => [toolCallId, outcome])).toEqual([
      ["call-1", "ok"],
      ["call-1", "ok"],
    ]);
    provider.unregister();
    surface.dispose();
  });
});
