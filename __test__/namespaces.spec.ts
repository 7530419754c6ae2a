/** Plugin namespaces through the public API: gate, description, calls, policy, suspension, rollback. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  clearCodeModeNamespacesForPlugin,
  clearCodeModeNamespacesForTest,
  createCodeModeNamespaceTool,
  registerCodeModeNamespaceForPlugin,
} from "../index.js";
import type {
  CodeModeEngine,
  CodeModeEvent,
  CodeModeNamespaceContext,
  CodeModeRun,
  CodeModeTool,
  NestedToolCall,
} from "../index.js";
import { answering, openRun, testEngine, valueOf } from "./helpers.js";

let engine: CodeModeEngine;
beforeAll(() => {
  engine = testEngine();
});
afterAll(() => engine.close());
afterEach(clearCodeModeNamespacesForTest);

const owned = (name: string, pluginId = "github", answer: (input: unknown) => unknown = (input) => ({ name, input })) =>
  answering(name, answer, { source: "plugin", pluginId, sourceName: pluginId });
const githubTools = [owned("list_issues"), owned("update_issue")];

/** Registers the namespace that most tests use. */
function registerIssues(scope: Record<string, unknown> = {}, seen: CodeModeNamespaceContext[] = []): void {
  registerCodeModeNamespaceForPlugin("github", {
    id: "github-issues",
    globalName: "Issues",
    description: "Issue helpers of one repository.",
    requiredToolNames: ["list_issues", "update_issue"],
    prompt: "Call Issues.list(params) and Issues.by.number(number, patch).",
    createScope: (context) => {
      seen.push(context);
      return {
        repository: { owner: "o", labels: ["bug"] },
        list: createCodeModeNamespaceTool("list_issues"),
        by: { number: createCodeModeNamespaceTool("update_issue", ([number, patch]) => ({ number, patch })) },
        ...scope,
      };
    },
  });
}

const open = (tools: readonly CodeModeTool[] = githubTools, more: Parameters<typeof openRun>[2] = {}): CodeModeRun =>
  openRun(engine, {}, { tools, ...more });

describe("the gate", () => {
  it.each([
    ["a tool is missing", [owned("list_issues")]],
    ["a tool belongs to another plugin", [owned("list_issues"), owned("update_issue", "evil")]],
    ["a tool is the core's", [owned("list_issues"), answering("update_issue", () => 1)]],
    [
      "a tool is an MCP server's of that name",
      [owned("list_issues"), answering("update_issue", () => 1, { source: "mcp", sourceName: "github", mcp: { serverName: "github", toolName: "update_issue" } })], // prettier-ignore
    ],
  ])("hides global, text and calls when %s", async (_why, tools) => {
    const contexts: CodeModeNamespaceContext[] = [];
    registerIssues({}, contexts);
    const run = open(tools);
    expect(run.execDescription).not.toContain("Issue");
    expect(
      valueOf(
        await run.exec({ code: "return [typeof Issues, Object.keys(namespaces).filter((name) => name !== 'MCP')]" }),
      ),
    ).toEqual(["undefined", []]);
    expect(contexts).toEqual([]);
  });

  it("shows description and prompt when every tool is there and owned", () => {
    registerIssues();
    const { execDescription } = open();
    expect(execDescription).toContain("Issue helpers of one repository.");
    expect(execDescription).toContain("Call Issues.list(params) and Issues.by.number(number, patch).");
  });
});

describe("in a guest", () => {
  it("is a global and a member of namespaces, with data and callables, read-only", async () => {
    registerIssues();
    const code = `
      "use strict";
      const refused = [];
      for (const attempt of [() => { Issues.list = 1 }, () => { Issues.repository.owner = "x" }, () => { Issues.more = 1 }, () => { namespaces.Issues = 1 }, () => { globalThis.Issues = 1 }]) {
        try { attempt(); refused.push("no") } catch (error) { refused.push(error.name) }
      }
      return { same: Issues === namespaces.Issues, repository: Issues.repository, type: typeof Issues.by.number, refused };`;
    expect(valueOf(await open().exec({ code }))).toEqual({
      same: true,
      repository: { owner: "o", labels: ["bug"] },
      type: "function",
      refused: Array.from({ length: 5 }, () => "TypeError"),
    });
  });

  it("calls the tools with mapped input, and gets their details", async () => {
    registerIssues();
    const code =
      "return [await Issues.list(), await Issues.list({ state: 'open' }), await namespaces.Issues.by.number(4, { a: 1 })]";
    expect(valueOf(await open().exec({ code }))).toEqual([
      { name: "list_issues", input: {} },
      { name: "list_issues", input: { state: "open" } },
      { name: "update_issue", input: { number: 4, patch: { a: 1 } } },
    ]);
  });

  it("goes through the gateway's executor, with context, ids, events and telemetry", async () => {
    registerIssues();
    const calls: NestedToolCall[] = [];
    const events: CodeModeEvent[] = [];
    const run = open(githubTools, {
      context: { agentId: "a1", channel: "c9" },
      callTool: async (call) => {
        calls.push(call);
        if (call.toolName === "update_issue") {
          throw Object.assign(new Error("denied by policy"), { code: "DENIED" });
        }
        return { content: [], details: "from the gateway" };
      },
      onEvent: (event) => events.push(event),
    });
    const code = `
      const listed = await Issues.list({ q: 1 });
      try { await Issues.by.number(1, {}) } catch (error) { return [listed, error.message, error.code, error instanceof Error] }`;
    const result = await run.exec({ code }, { toolCallId: "call-7" });
    expect(valueOf(result)).toEqual(["from the gateway", "denied by policy", "DENIED", true]);
    expect(calls[0]).toMatchObject({
      catalogId: "openclaw:github:list_issues",
      input: { q: 1 },
      parentToolCallId: "call-7",
      toolCallId: "call-7/list_issues/1",
      context: { agentId: "a1", channel: "c9" },
    });
    expect(result.telemetry.calledToolIds).toEqual(["openclaw:github:list_issues", "openclaw:github:update_issue"]);
    expect(events.filter(({ type }) => type === "tool_finished")).toMatchObject([
      { outcome: "ok" },
      { outcome: "error" },
    ]);
  });

  it("gets the run's context in createScope, once per cell, after the source was accepted", async () => {
    const contexts: CodeModeNamespaceContext[] = [];
    registerIssues({}, contexts);
    const run = open(githubTools, { context: { agentId: "a1", sessionKey: "k", config: { repo: "r" } } });
    await run.exec({ code: "import 'fs'" });
    await run.exec({ code: "return (" });
    expect(contexts).toHaveLength(0);
    await run.exec({ code: "return 1" });
    await run.exec({ code: "return Issues.repository" });
    expect(contexts.length).toBeGreaterThanOrEqual(1);
    expect(contexts.at(-1)).toMatchObject({
      agentId: "a1",
      sessionKey: "k",
      config: { repo: "r" },
      signal: expect.any(AbortSignal),
    });
  });

  it.each([
    ["a raw function", { bad: () => 1 }, "Issues.bad is a raw function"],
    [
      "a forbidden key",
      { deep: JSON.parse('{"__proto__": 1}') as unknown },
      "Issues.deep.__proto__ has a key that is not allowed",
    ],
  ])("fails before the guest runs for %s in the scope", async (_what, scope, message) => {
    registerIssues(scope);
    const result = await open().exec({ code: "text('ran'); return Issues" });
    expect(result).toMatchObject({ status: "failed", error: expect.stringContaining(message), output: [] });
  });

  it("cannot be reached by a tool outside requiredToolNames", async () => {
    registerIssues({ leak: createCodeModeNamespaceTool("secret") });
    const run = open([...githubTools, owned("secret")]);
    expect(await run.exec({ code: "return await Issues.leak()" })).toMatchObject({
      status: "failed",
      error: 'code mode namespace Issues may not call "secret": it is not in requiredToolNames.',
    });
    expect(run.telemetry().callCount).toBe(0);
  });
});

describe("over time", () => {
  it("a suspended call goes on in wait", async () => {
    let release: (value: unknown) => void = () => {};
    const slow = owned("list_issues", "github", () => new Promise((resolve) => (release = resolve)));
    registerIssues();
    const run = openRun(engine, { timeoutMs: 150 }, { tools: [slow, owned("update_issue")] });
    const waiting = await run.exec({
      code: "const listed = await Issues.list(); return [listed, await Issues.by.number(1)]",
    });
    expect(waiting).toMatchObject({ status: "waiting", reason: "pending_tools" });
    release("late");
    const runId = waiting.status === "waiting" ? waiting.runId : "";
    expect(valueOf(await run.wait({ runId }))).toEqual(["late", { name: "update_issue", input: { number: 1 } }]);
  });

  it("a cleared plugin's namespace is gone for the next cell, while a running one keeps it", async () => {
    registerIssues();
    const run = open();
    const waiting = await run.exec({ code: "await yield_control(); return (await Issues.list()).name" });
    clearCodeModeNamespacesForPlugin("github");
    expect(valueOf(await run.exec({ code: "return typeof Issues" }))).toBe("undefined");
    const runId = waiting.status === "waiting" ? waiting.runId : "";
    expect(valueOf(await run.wait({ runId }))).toBe("list_issues");
  });

  it("takes scopes of ten thousand entries within the memory limit, and ends the cell beyond it", async () => {
    const entries = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`key${n}`, n]));
    registerIssues({ entries });
    const code = "return [Object.keys(Issues.entries).length, Issues.entries.key9999, Object.isFrozen(Issues.entries)]";
    const wide = openRun(engine, { memoryLimitBytes: 16 * 2 ** 20 }, { tools: githubTools });
    expect(valueOf(await wide.exec({ code }))).toEqual([10_000, 9999, true]);
    const narrow = openRun(engine, { memoryLimitBytes: 2 ** 20 }, { tools: githubTools });
    expect(await narrow.exec({ code })).toMatchObject({ status: "failed", detailCode: "memory_limit_exceeded" });
    expect(valueOf(await narrow.exec({ code: "return 6 * 7" }))).toBe(42);
  });

  it("restart-safe cells may not call it", async () => {
    registerIssues();
    const run = open();
    let result = await run.exec({ code: "return await Issues.list()", restartSafe: true });
    if (result.status === "waiting") {
      result = await run.wait({ runId: result.runId });
    }
    expect(result).toMatchObject({
      status: "failed",
      code: "invalid_input",
      error: "restart-safe code mode cannot call plugin namespaces.",
    });
    expect(run.telemetry().callCount).toBe(0);
  });
});
