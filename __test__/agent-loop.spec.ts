/**
 * Code mode end to end: a gateway, a real agent loop with a scripted model, three real MCP servers, plugin tools with a
 * namespace, client tools, a direct-only tool, a denied tool and approvals. The tests are the steps of one story, in order.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toolsFromMcpClient } from "code-mode/mcp";
import {
  clearCodeModeNamespacesForPlugin,
  createCodeModeNamespaceTool,
  projectTranscript,
  registerCodeModeNamespaceForPlugin,
} from "../index.js";
import type { CodeModeEngine, CodeModeTool } from "../index.js";
import { answer, callTool, exec, Gateway, wait, type GatewayOptions, type Turn } from "./agent-loop.js";
import { answering, testEngine, valueOf } from "./helpers.js";
import { connectServer } from "./mcp-servers.js";

const direct: CodeModeTool = answering("show_image", () => "shown", { catalogMode: "direct-only" });
const own = [
  answering("read_file", (input) => ({ text: `text of ${(input as { path: string }).path}` })),
  answering("slow_report", () => sleep(900).then(() => ({ rows: 3 }))),
  answering("delete_everything", () => "deleted"),
  answering("exec", (input) => `shell ran ${(input as { command: string }).command}`),
  answering("tool_search", () => "a control of another kind"),
];
const plugin = { source: "plugin", sourceName: "tracker", pluginId: "tracker" } as const;
const pluginTools = [answering("list_issues", () => [{ id: 7, title: "late" }], plugin), answering("close_issue", (input) => input, plugin)]; // prettier-ignore
const clientTools = [answering("pick_color", () => "green", { source: "client" })];
const DENIED = "mcp:filesystem:write_file";

let engine: CodeModeEngine;
let folder: string;
const servers = new Map<string, Client>();
const mcpTools: CodeModeTool[] = [];
let gateway: Gateway;

beforeAll(async () => {
  engine = testEngine();
  folder = mkdtempSync(join(tmpdir(), "code-mode-agent-"));
  writeFileSync(join(folder, "orders.csv"), "bolt,40\n");
  servers.set("everything", await connectServer("everything"));
  servers.set("filesystem", await connectServer("filesystem", [folder]));
  servers.set("memory", await connectServer("memory", [], { MEMORY_FILE_PATH: join(folder, "memory.jsonl") }));
  for (const [serverName, client] of servers) {
    mcpTools.push(...(await toolsFromMcpClient(client, { serverName })));
  }
  registerCodeModeNamespaceForPlugin("tracker", {
    id: "tracker.issues",
    globalName: "Issues",
    description: "Issues of the tracker.",
    requiredToolNames: ["list_issues", "close_issue"],
    createScope: () => ({
      list: createCodeModeNamespaceTool("list_issues"),
      close: createCodeModeNamespaceTool("close_issue", ([id]) => ({ id })),
    }),
  });
});
afterAll(async () => {
  gateway.stop();
  clearCodeModeNamespacesForPlugin("tracker");
  await Promise.all([...servers.values()].map((client) => client.close().catch(() => {})));
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the gateway, again if need be. */
function start(options: Partial<GatewayOptions>): void {
  gateway?.stop();
  gateway = new Gateway({ engine, codeMode: true, tools: [direct, ...own], ...options });
}

/** The value of one program, run by the agent in a turn of its own. */
async function value(code: string): Promise<unknown> {
  const { results } = await gateway.turn(exec(code), answer());
  return valueOf(results[0]!);
}

describe("the end-to-end plan", () => {
  let turn: Turn;
  const small = [direct, own[0]!];

  it("1. starts a gateway with code mode off", () => {
    start({ codeMode: { enabled: false }, tools: small });
    expect(gateway.surface.engaged).toBe(false);
  });

  it("2. sends an agent turn with a small direct tool set", async () => {
    turn = await gateway.turn(callTool("read_file", { path: "a" }), answer());
    expect(turn.called).toEqual(["read_file"]);
    expect(turn.answer).toBe('{"text":"text of a"}');
  });

  it("3. shows the model the same tools as before", () => {
    expect(turn.offered).toEqual([
      ["show_image", "read_file"],
      ["show_image", "read_file"],
    ]);
    expect(gateway.surface.tools).toEqual(small);
  });

  it("4. restarts with code mode on", () => {
    start({
      codeMode: { enabled: true, timeoutMs: 5000 },
      tools: [direct, ...own, ...pluginTools, ...mcpTools],
      clientTools,
      denied: ["delete_everything", "write_file"],
      approve: ({ toolName }) => toolName !== "close_issue",
    });
    expect(gateway.surface.engaged).toBe(true);
  });

  it("5. sends a turn with core, plugin, MCP and client tools", async () => {
    turn = await gateway.turn(exec("return 'hello'"), answer());
    expect(turn.called).toEqual(["exec"]);
    expect(JSON.parse(turn.answer)).toMatchObject({ status: "completed", value: "hello" });
    const { sources } = turn.results[0]!.telemetry;
    expect(sources).toMatchObject({ openclaw: 5, client: 1 });
    expect(sources.mcp).toBeGreaterThan(25);
  });

  it("6. shows the model exec, wait and the direct-only tool, and nothing else", () => {
    expect(turn.offered).toEqual([
      ["exec", "wait", "show_image"],
      ["exec", "wait", "show_image"],
    ]);
  });

  it("7. lists in ALL_TOOLS what belongs there, without the direct-only tool and the controls", async () => {
    expect(await value("return ALL_TOOLS.map((tool) => tool.id)")).toEqual([
      "openclaw:core:exec",
      "openclaw:core:read_file",
      "openclaw:core:slow_report",
      "openclaw:tracker:close_issue",
      "openclaw:tracker:list_issues",
      "client:client:pick_color",
    ]);
  });

  it("8. searches, describes and calls core, plugin and client tools", async () => {
    const code = `
      const [found] = await tools.search("read files");
      const described = await tools.describe(found.id);
      return {
        found: found.id,
        described: described.parameters.type,
        core: await tools.callValue(found.id, { path: "b" }),
        named: (await tools.read_file({ path: "c" })).text,
        plugin: await tools.callValue("openclaw:tracker:list_issues", {}),
        namespace: await Issues.list(),
        client: (await tools.call("pick_color", {})).result.details,
        shell: await tools.callValue("openclaw:core:exec", { command: "ls" }),
      }`;
    expect(await value(code)).toEqual({
      found: "openclaw:core:read_file",
      described: "object",
      core: { text: "text of b" },
      named: "text of c",
      plugin: [{ id: 7, title: "late" }],
      namespace: [{ id: 7, title: "late" }],
      client: "green",
      shell: "shell ran ls",
    });
  });

  it("9. reads the declarations of the MCP servers", async () => {
    const code = `
      const { files } = await API.list("mcp");
      const { content } = await API.read("mcp/filesystem.d.ts");
      return { paths: files.map((file) => file.path), content }`;
    const { paths, content } = (await value(code)) as { paths: string[]; content: string };
    const expected = ["mcp/everything.d.ts", "mcp/filesystem.d.ts", "mcp/index.d.ts", "mcp/memory.d.ts"];
    expect(paths.toSorted()).toEqual(expected);
    expect(content).toContain("function readTextFile(");
    expect(content).not.toContain("function writeFile(");
  });

  it("10. calls MCP tools of three servers, which are in neither ALL_TOOLS nor tools", async () => {
    const code = `
      await MCP.memory.createEntities({ entities: [{ name: "bolt", entityType: "article", observations: ["40"] }] });
      const [sum, file, graph] = await Promise.all([
        MCP.everything.getSum({ a: 1, b: 2 }),
        MCP.filesystem.readTextFile({ path: ${JSON.stringify(join(folder, "orders.csv"))} }),
        MCP.memory.readGraph({}),
      ]);
      return {
        sum: sum.content[0].text,
        file: file.content[0].text,
        graph: JSON.parse(graph.content[0].text).entities.length,
        listed: ALL_TOOLS.some((tool) => tool.source === "mcp"),
        named: ["get_sum", "getSum", "read_graph"].map((name) => typeof tools[name]),
        byId: await tools.callValue("mcp:everything:get-sum", { a: 1, b: 2 }).catch((error) => error.message),
      }`;
    expect(await value(code)).toEqual({
      sum: "The sum of 1 and 2 is 3.",
      file: "bolt,40\n",
      graph: 1,
      listed: false,
      named: ["undefined", "undefined", "undefined"],
      byId: expect.stringContaining("Unknown tool id: mcp:everything:get-sum."),
    });
  });

  it("11. keeps denied tools out, and unapproved calls back, as errors a program can catch", async () => {
    const code = `
      const said = async (call) => { try { return await call() } catch (error) { return error.message } };
      return {
        listed: ALL_TOOLS.some((tool) => tool.name === "delete_everything"),
        guessed: await said(() => tools.callValue("openclaw:core:delete_everything", {})),
        guessedMcp: await said(() => tools.callValue(${JSON.stringify(DENIED)}, {})),
        namespace: typeof MCP.filesystem.writeFile,
        control: await said(() => tools.callValue("wait", {})),
        direct: await said(() => tools.callValue("show_image", {})),
        unapproved: await said(() => Issues.close(7)),
      }`;
    const asked = gateway.audit.length;
    expect(await value(code)).toEqual({
      listed: false,
      guessed: expect.stringContaining("Unknown tool id: openclaw:core:delete_everything."),
      guessedMcp: expect.stringContaining(`Unknown tool id: ${DENIED}.`),
      namespace: "undefined",
      control: expect.stringContaining("Unknown tool id: wait."),
      direct: expect.stringContaining("Unknown tool id: show_image."),
      unapproved: "close_issue was not approved.",
    });
    expect(gateway.audit.slice(asked).map(({ catalogId }) => catalogId)).toEqual(["openclaw:tracker:close_issue"]);
  });

  it("12. starts a nested call that outlasts its exec, which returns waiting", async () => {
    const code = `
      text("started");
      const report = tools.slow_report({});
      await yield_control("the report takes a while");
      const { rows } = await report;
      text("the report has " + rows + " rows");
      return rows * 2`;
    turn = await gateway.turn(exec(code), wait(), answer());
    expect(turn.results[0]).toMatchObject({
      status: "waiting",
      runId: expect.stringMatching(/^cm_[\da-f-]{36}$/u),
      pendingToolCalls: [{ method: "callValue", toolId: "openclaw:core:slow_report" }],
      output: [{ type: "text", text: "started" }],
    });
  });

  it("13. waits, and the restored program has the tool's result", () => {
    expect(turn.called).toEqual(["exec", "wait"]);
    expect(turn.results[1]).toMatchObject({ status: "completed", value: 6 });
  });

  it("14. answers with what the program put out after it was restored", () => {
    expect(turn.answer).toContain("the report has 3 rows");
    expect(turn.answer).not.toContain('"started"');
  });

  it("15. leaves nothing behind after a timeout, an abort and an expiry", async () => {
    start({ codeMode: { enabled: true, timeoutMs: 300, snapshotTtlSeconds: 1 } });
    const looped = await gateway.turn(exec("for (;;);"), answer());
    expect(looped.results).toMatchObject([{ status: "failed", detailCode: "timeout" }]);

    const aborted = gateway.turn(exec("await tools.slow_report({}); return 1"), answer());
    await sleep(100);
    gateway.abort();
    expect((await aborted).results).toMatchObject([{ status: "failed", code: "aborted" }]);

    const late: Turn = await gateway.turn(
      exec("await yield_control(); return 1"),
      async (...args) => {
        expect(engine.stats().suspendedCells).toBe(1);
        await sleep(1500);
        expect(engine.stats().suspendedCells).toBe(0);
        const step = wait();
        return typeof step === "function" ? step(...args) : step;
      },
      answer(),
    );
    expect(late.results[1]).toMatchObject({ status: "failed", detailCode: "snapshot_expired" });
    await expect.poll(() => engine.stats()).toMatchObject({ activeCells: 0, suspendedCells: 0, snapshotBytes: 0 });
  });

  it("16. exports a trajectory with the nested calls under their exec", async () => {
    start({ tools: [...own, ...mcpTools] });
    await gateway.turn(
      exec(
        "const slow = tools.slow_report({}); await MCP.everything.echo({ message: 'x' }); await yield_control(); return await slow",
      ),
      wait(),
      answer(),
    );
    const [cell, ...more] = projectTranscript(gateway.events);
    expect(more).toEqual([]);
    expect(cell).toMatchObject({ state: "completed", toolCallId: expect.stringMatching(/^call-\d+$/u) });
    expect(cell!.calls).toMatchObject([
      { toolCallId: `${cell!.toolCallId}/slow_report/1`, parentToolCallId: cell!.toolCallId, outcome: "ok" },
      { catalogId: "mcp:everything:echo", parentToolCallId: cell!.toolCallId, outcome: "ok", input: { message: "x" } },
    ]);
    expect(cell!.spans.map(({ state }) => state)).toEqual(["running", "suspended", "running"]);
    expect(gateway.audit).toEqual(
      cell!.calls.map(({ toolCallId, catalogId }) => ({
        toolCallId,
        catalogId,
        parent: cell!.toolCallId,
        sessionId: "session-1",
      })),
    );
  });

  it("and a server that is killed during a call is an error the program can catch", async () => {
    const { pid } = servers.get("everything")!.transport as StdioClientTransport;
    const going = value(`
      try {
        await MCP.everything.triggerLongRunningOperation({ duration: 20, steps: 1 });
      } catch (error) {
        const other = await MCP.filesystem.listAllowedDirectories({});
        return [error instanceof Error, error.message, other.content.length];
      }`);
    await expect.poll(() => gateway.audit.at(-1)?.catalogId).toBe("mcp:everything:trigger-long-running-operation");
    process.kill(pid!, "SIGKILL");
    expect(await going).toEqual([true, "Connection closed", 1]);
  });
});
