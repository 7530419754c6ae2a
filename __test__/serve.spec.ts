/** `code-mode serve` seen from the official MCP client: two tools, real servers behind them, and hostile programs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult, Progress } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeModeResult } from "../index.js";
import { command, makeFolder, processesWith, serverEntry, start, until, type Folder } from "./cli-process.js";

let folder: Folder;
let mcp: string;
let client: Client;
const protocolErrors: unknown[] = [];

async function connect(...options: string[]): Promise<Client> {
  const connected = new Client({ name: "code-mode-test", version: "0.0.0" });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  connected.onerror = (error) => protocolErrors.push(error);
  const args = [command, "serve", "--mcp", mcp, ...options];
  await connected.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "inherit" }));
  return connected;
}

beforeAll(async () => {
  folder = makeFolder();
  const servers = { everything: serverEntry("everything"), files: serverEntry("filesystem", folder.path) };
  mcp = folder.mcp(servers);
  client = await connect();
});
afterAll(async () => {
  await client.close();
  folder.remove();
});

type Options = NonNullable<Parameters<Client["callTool"]>[2]>;

async function call(name: string, input: object, options: Options = {}, on = client): Promise<CallToolResult> {
  return (await on.callTool({ name, arguments: { ...input } }, undefined, options)) as CallToolResult;
}

async function exec(code: string, options: Options = {}, on = client): Promise<CodeModeResult> {
  return (await call("exec", { code }, options, on)).structuredContent as unknown as CodeModeResult;
}

async function wait(runId: string, options: Options = {}, on = client): Promise<CodeModeResult> {
  return (await call("wait", { runId }, options, on)).structuredContent as unknown as CodeModeResult;
}

function runIdOf(result: CodeModeResult): string {
  expect(result).toMatchObject({ status: "waiting" });
  return result.status === "waiting" ? result.runId : "";
}

describe("code-mode serve", () => {
  it("offers exactly exec and wait", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["exec", "wait"]);
    const [execTool, waitTool] = tools;
    expect(Object.keys(execTool!.inputSchema.properties!)).toEqual(["code", "command", "language", "restartSafe"]);
    expect(waitTool!.inputSchema.required).toEqual(["runId"]);
    expect(execTool!.description).toContain("Servers: everything, files.");
    expect(client.getServerVersion()).toMatchObject({ name: "code-mode" });
  });

  it("runs a program over two servers; the text is the same result", async () => {
    const result = await call("exec", {
      code: `const [sum, listed] = await Promise.all([
        MCP.everything.getSum({ a: 2, b: 3 }),
        MCP.files.listDirectory({ path: ${JSON.stringify(folder.path)} }),
      ]);
      return [sum.content[0].text, listed.content[0].text.includes("mcp.json")]`,
    });
    expect(result.structuredContent).toMatchObject({ status: "completed", value: ["The sum of 2 and 3 is 5.", true] });
    expect(JSON.parse((result.content[0] as { text: string }).text)).toEqual(result.structuredContent);
    expect(result.isError).toBe(false);
  });

  it("hands out a waiting program and resumes it", async () => {
    const first = await exec('text("before"); await yield_control("look"); text("after"); return 7');
    expect(first).toMatchObject({ status: "waiting", reason: "yield", output: [{ type: "text", text: "before" }] });
    const second = await wait(runIdOf(first));
    expect(second).toMatchObject({ status: "completed", value: 7, output: [{ type: "text", text: "after" }] });
    expect(await wait(runIdOf(first))).toMatchObject({ status: "failed", code: "invalid_input" });
  });

  it("reports nested calls as progress, of the exec and of the wait", async () => {
    const seen: Progress[] = [];
    const onprogress = (progress: Progress) => seen.push(progress);
    const first = await exec(
      "const slow = MCP.everything.triggerLongRunningOperation({ duration: 1, steps: 2 });" +
        // A notification that comes in one chunk with the response is lost to this client.
        "const pause = () => new Promise((resolve) => setTimeout(resolve, 200));" +
        "await pause(); await yield_control(); await slow; await pause()",
      { onprogress },
    );
    await until(() => seen.length > 0);
    expect(seen[0]).toMatchObject({ progress: 1, message: "call mcp:everything:trigger-long-running-operation" });
    seen.length = 0;
    await wait(runIdOf(first), { onprogress });
    await until(() => seen.length >= 2);
    const said = seen.map(({ message }) => message);
    expect(said).toContain("update mcp:everything:trigger-long-running-operation: 1/2");
    expect(said.at(-1)).toMatch(/^ok mcp:everything:trigger-long-running-operation 1\.\d+ s$/u);
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_progress, index) => index + 1));
  });

  it("cancels: the program stops, and so do its calls", async () => {
    const path = join(folder.path, "count.txt");
    const controller = new AbortController();
    const code = `for (let i = 0; ; i++) await MCP.files.writeFile({ path: ${JSON.stringify(path)}, content: String(i) })`;
    const cancelled = exec(code, { signal: controller.signal });
    const count = () => {
      try {
        return Number(readFileSync(path, "utf8"));
      } catch {
        return 0;
      }
    };
    await until(() => count() > 3);
    controller.abort("enough");
    await expect(cancelled).rejects.toThrow("enough");
    await sleep(300);
    const stopped = count();
    await sleep(300);
    expect(count()).toBe(stopped);
    expect(stopped).toBeGreaterThan(3);
  });

  it("refuses other tools and foreign runs in words", async () => {
    await expect(client.callTool({ name: "get-sum", arguments: { a: 1, b: 2 } })).rejects.toThrow(
      "Unknown tool: get-sum",
    );
    expect(await call("wait", { runId: "cm_00000000-0000-4000-8000-000000000000" })).toMatchObject({
      isError: true,
      structuredContent: { status: "failed", error: "code mode run is unavailable or expired." },
    });
    expect(await call("exec", { code: 5 })).toMatchObject({
      isError: true,
      structuredContent: { code: "invalid_input" },
    });
  });
});

describe("a hostile program", () => {
  let short: Client;
  beforeAll(async () => {
    short = await connect("--timeout", "500", "--max-output", "2048");
  });
  afterAll(() => short.close());

  it.each([
    ["loops", "for (;;);", "timeout"],
    ["never polls", "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)", "timeout"],
    ["eats memory", "const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1))", "memory_limit_exceeded"],
    ["eats memory and catches", "const a = []; for (;;) { try { a.push('x'.repeat(1 << 20) + a.length) } catch {} }", "memory_limit_exceeded"], // prettier-ignore
    ["floods the output", "for (;;) text('x'.repeat(1000))", "output_limit_exceeded"],
    ["floods the console", 'for (;;) console.log(\'\\n{"jsonrpc":"2.0"}\')', "output_limit_exceeded"],
    ["recurses", "const f = () => f() + 1; f()", "internal_error"],
    ["floods calls", "await Promise.all(Array.from({ length: 500 }, () => MCP.everything.echo({ message: 'x' })))", "too_many_pending_tool_calls"], // prettier-ignore
    ["awaits nothing", "await new Promise(() => {})", "internal_error"],
  ])("%s: its own failure only", async (_what, code, detailCode) => {
    const neighbour = exec("return (await MCP.everything.getSum({ a: 20, b: 22 })).content[0].text", {}, short);
    expect(await exec(code, {}, short)).toMatchObject({ status: "failed", detailCode });
    expect(await neighbour).toMatchObject({ value: "The sum of 20 and 22 is 42." });
    expect(await exec("return 1", {}, short)).toMatchObject({ status: "completed", value: 1 });
  });

  it("has spoiled no message on the wire", () => {
    // The client may handle a response before a notification that came ahead of it in the same chunk.
    const early = "Received a progress notification for an unknown token";
    expect(protocolErrors.map(String).filter((error) => !error.includes(early))).toEqual([]);
  });
});

describe("as a process", () => {
  const hello = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const initialize = hello(1, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "raw", version: "0" },
  });

  it("writes nothing but protocol, and ends with its input, and its servers with it", async () => {
    const marker = makeFolder();
    const file = marker.mcp({ files: serverEntry("filesystem", marker.path) });
    const running = start(["serve", "--mcp", file], { input: "" });
    expect(await running.ended).toMatchObject({ code: 0, stdout: "" });

    const child = start(["serve", "--mcp", file], { input: `${initialize}not json\n${hello(2, "tools/list", {})}` });
    const { code, stdout, stderr } = await child.ended;
    const messages = stdout.trimEnd().split("\n").filter(Boolean).map((line) => JSON.parse(line) as { jsonrpc: string }); // prettier-ignore
    expect(messages.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    await until(() => processesWith(marker.path).length === 0);
    expect(processesWith(marker.path)).toEqual([]);
    marker.remove();
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("ends at %s with %i", async (signal, code) => {
    const running = start(["serve", "--mcp", mcp], { input: initialize, open: true });
    await new Promise((resolve) => running.process.stdout!.once("data", resolve));
    running.process.kill(signal);
    expect(await running.ended).toMatchObject({ code, stderr: "" });
  });
});
