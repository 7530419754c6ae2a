/** A gateway from end to end over `applyCodeMode`: policy, a slow approval, streaming, abort, telemetry, transcript. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { applyCodeMode, projectTranscript } from "../index.js";
import type {
  CodeModeEvent,
  CodeModeResult,
  CodeModeSurface,
  CodeModeTool,
  NestedToolCall,
  ToolResult,
} from "../index.js";
import { answering, testEngine } from "./helpers.js";

const engine = testEngine();
afterAll(() => engine.close());

const APPROVAL_MS = 2000;
const context = { agentId: "agent", sessionId: "session", sessionKey: "main", runId: "run", sender: { id: "u1" } };

/** What the gateway's own executor does with every nested call: policy, approval, streaming, then the tool. */
async function executor(call: NestedToolCall): Promise<ToolResult> {
  if (call.toolName === "delete_all") {
    throw new Error("blocked by policy: delete_all");
  }
  if (call.toolName === "deploy") {
    call.onUpdate({ content: [{ type: "text", text: "waiting for approval" }] });
    await sleep(APPROVAL_MS, undefined, { signal: call.signal });
  }
  return call.tool.execute!(call.toolCallId, call.input, call.signal, call.onUpdate);
}

function gateway(config: unknown = { enabled: true, timeoutMs: 500 }) {
  const events: CodeModeEvent[] = [];
  const tools: CodeModeTool[] = [
    answering("read", (input) => ({ text: `content of ${(input as { path: string }).path}` })),
    answering("exec", () => "the shell"),
    answering("delete_all", () => "gone"),
    answering("deploy", () => ({ deployed: true }), { source: "plugin", pluginId: "ops" }),
    answering("create_issue", (input) => input, {
      source: "mcp",
      mcp: { serverName: "git-hub", toolName: "create_issue" },
    }),
    answering("computer", () => "pixels", { catalogMode: "direct-only" }),
    answering("tool_search", () => "another catalog"),
  ];
  const clientTools = [answering("pick_file", () => "a.txt", { source: "client", sourceName: "app" })];
  const surface = applyCodeMode({
    engine,
    config,
    context,
    tools,
    clientTools,
    callTool: executor,
    onEvent: (event) => events.push(event),
  });
  return { surface, events, tools };
}

async function call(
  surface: CodeModeSurface,
  name: "exec" | "wait",
  input: object,
  more: { id?: string; signal?: AbortSignal; onUpdate?: (partial: ToolResult) => void } = {},
): Promise<CodeModeResult> {
  const tool = surface.tools.find((candidate) => candidate.name === name)!;
  const result = await tool.execute!(more.id ?? name, input, more.signal, more.onUpdate);
  expect(JSON.parse((result.content[0] as { text: string }).text)).toEqual(result.details);
  return result.details as CodeModeResult;
}

describe("a gateway", () => {
  test("off: the tools stay as they are", () => {
    const { surface, tools } = gateway({ timeoutMs: 500 });
    expect([surface.engaged, surface.tools === tools, surface.run]).toEqual([false, true, undefined]);
  });

  test("on: exec, wait and the direct-only tool; the rest is a catalog", async () => {
    const { surface } = gateway();
    expect(surface.tools.map(({ name }) => name)).toEqual(["exec", "wait", "computer"]);
    expect(() => surface.assertPayload(surface.tools)).not.toThrow();
    const code = `
      const shell = await tools.exec();
      const file = await tools.pick_file();
      const issue = await MCP.gitHub.createIssue({ title: "t" });
      return { ids: ALL_TOOLS.map((t) => t.id), shell, read: (await tools.read({ path: file })).text, issue: issue.details };`;
    expect(await call(surface, "exec", { code })).toMatchObject({
      status: "completed",
      value: {
        ids: [
          "openclaw:core:delete_all",
          "openclaw:core:exec",
          "openclaw:core:read",
          "openclaw:ops:deploy",
          "client:app:pick_file",
        ],
        shell: "the shell",
        read: "content of a.txt",
        issue: { title: "t" },
      },
      telemetry: {
        catalogSize: 6,
        sources: { openclaw: 4, mcp: 1, client: 1 },
        callCount: 4,
        visibleTools: ["exec", "wait", "computer"],
      },
    });
    surface.dispose();
  });

  test("a policy block is an error the program can catch", async () => {
    const { surface } = gateway();
    const code = "try { await tools.delete_all() } catch (error) { return error.message }";
    expect(await call(surface, "exec", { code })).toMatchObject({ value: "blocked by policy: delete_all" });
    surface.dispose();
  });

  test("what the run does not have cannot be reached by id, name or trick", async () => {
    const { surface } = gateway();
    const code = `
      const tries = ["computer", "openclaw:core:computer", "tool_search", "openclaw:core:tool_search", "wait", "openclaw:core:wait",
        "mcp:git-hub:create_issue", "create_issue", "__proto__", "constructor", "toString", "openclaw:other:deploy"];
      const seen = [];
      for (const id of tries) {
        for (const method of ["call", "callValue", "describe"]) {
          try { seen.push([id, await tools[method](id, {})]); } catch (error) { if (!/^Unknown tool id: /.test(error.message)) seen.push([id, error.message]); }
        }
      }
      return { seen, names: [typeof tools.computer, typeof tools.wait, typeof tools.__proto__, typeof tools.constructor, typeof tools.then] };`;
    expect(await call(surface, "exec", { code })).toMatchObject({
      value: { seen: [], names: Array.from({ length: 5 }, () => "undefined") },
    });
    surface.dispose();
  });

  test("an approval of two seconds: exec waits, wait gets the answer, updates stream, the transcript shows the call", async () => {
    const { surface, events } = gateway();
    const updates: string[] = [];
    const onUpdate = (partial: ToolResult): void => void updates.push((partial.content[0] as { text: string }).text);
    const started = performance.now();
    let result = await call(surface, "exec", { code: "return await tools.deploy({})" }, { id: "e1", onUpdate });
    let waits = 0;
    while (result.status === "waiting") {
      expect(result.pendingToolCalls).toEqual([
        { id: "e1/deploy/1", method: "callValue", toolId: "openclaw:ops:deploy" },
      ]);
      waits += 1;
      result = await call(surface, "wait", { runId: result.runId }, { id: `w${waits}` });
    }
    expect(result).toMatchObject({ status: "completed", value: { deployed: true } });
    expect(performance.now() - started).toBeGreaterThan(APPROVAL_MS - 50);
    expect(waits).toBeGreaterThanOrEqual(3);
    expect(updates).toEqual(["waiting for approval"]);
    expect(result.telemetry).toMatchObject({ execCount: 1, waitCount: waits, snapshots: { taken: 1, restored: 1 } });
    expect(projectTranscript(events)).toMatchObject([
      { toolCallId: "e1", state: "completed", calls: [{ toolCallId: "e1/deploy/1", outcome: "ok", updates: 1 }] },
    ]);
    surface.dispose();
  });

  test("an abort during the approval reaches the executor", async () => {
    const { surface, events } = gateway();
    const controller = new AbortController();
    const result = call(surface, "exec", { code: "await tools.deploy({})" }, { signal: controller.signal });
    await sleep(50);
    controller.abort();
    expect(await result).toMatchObject({ status: "failed", code: "aborted" });
    await sleep(10);
    expect(events.find(({ type }) => type === "tool_finished")).toMatchObject({ outcome: "aborted" });
    surface.dispose();
  });
});
