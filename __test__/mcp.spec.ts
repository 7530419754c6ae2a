/** MCP servers as guests see them: real ones over stdio, behind the surface. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { toolsFromMcpClient } from "code-mode/mcp";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeModeEngine, CodeModeRun, CodeModeTool, NestedToolCall } from "../index.js";
import { answering, openRun, testEngine, valueOf } from "./helpers.js";
import { connectServer } from "./mcp-servers.js";

let engine: CodeModeEngine;
let folder: string;
const clients: Client[] = [];
let servers: CodeModeTool[];
let run: CodeModeRun;

beforeAll(async () => {
  engine = testEngine();
  folder = await mkdtemp(join(tmpdir(), "code-mode-mcp-"));
  await writeFile(join(folder, "a.txt"), "hello\n");
  const start = async (
    name: "everything" | "filesystem" | "memory",
    args: string[],
    env: Record<string, string> = {},
  ) => {
    const client = await connectServer(name, args, env);
    clients.push(client);
    return toolsFromMcpClient(client, { serverName: name === "filesystem" ? "local-files" : name });
  };
  const memory = { MEMORY_FILE_PATH: join(folder, "memory.json") };
  servers = (
    await Promise.all([start("everything", []), start("filesystem", [folder]), start("memory", [], memory)])
  ).flat();
  run = openRun(engine, {}, { tools: [...servers, answering("echo_native", (input) => input)] });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await rm(folder, { recursive: true, force: true });
  await engine.close();
});

const value = async (code: string): Promise<unknown> => valueOf(await run.exec({ code }));

describe("MCP.<server>.<tool>", () => {
  it("calls tools under camel-case names and gives the whole result", async () => {
    expect(await value("return await MCP.everything.echo({ message: 'hi' })")).toEqual({
      content: [{ type: "text", text: "Echo: hi" }],
    });
    expect(await value("return await MCP.everything.getStructuredContent({ location: 'Chicago' })")).toMatchObject({
      structuredContent: { conditions: expect.any(String) },
    });
    const path = JSON.stringify(join(folder, "a.txt"));
    expect(await value(`return (await MCP.localFiles.readTextFile({ path: ${path} })).structuredContent`)).toEqual({
      content: "hello\n",
    });
  });

  it("lists and reads resources and prompts", async () => {
    const code = `
      const { structuredContent: { resources } } = await MCP.everything.resources.list();
      const read = await MCP.everything.resources.read({ uri: resources[0].uri });
      const { structuredContent: { prompts } } = await MCP.everything.prompts.list();
      const prompt = await MCP.everything.prompts.get({ name: "args-prompt", arguments: { city: "Oslo" } });
      return [read.structuredContent.contents[0].uri === resources[0].uri, prompts.length > 0, prompt.content[0].text];`;
    expect(await value(code)).toEqual([true, true, expect.stringContaining("Oslo")]);
  });

  it("keeps state of a server between cells", async () => {
    await value(
      "await MCP.memory.createEntities({ entities: [{ name: 'Ada', entityType: 'p', observations: ['x'] }] })",
    );
    expect(await value("return (await MCP.memory.readGraph({})).structuredContent.entities[0].name")).toBe("Ada");
  });

  it("fills defaults in and refuses missing or odd arguments before calling", async () => {
    const failures = `
      const message = async (call) => { try { await call(); return "ran" } catch (error) { return error.message } };
      return [
        await message(() => MCP.everything.getSum({ a: 1 })),
        await message(() => MCP.everything.getSum("x")),
        await message(() => MCP.everything.getSum(Object.create({ a: 1, b: 2 }))),
      ];`;
    const [missing, odd, inherited] = (await value(failures)) as string[];
    expect(missing).toBe("Missing required MCP namespace argument: b");
    expect(odd).not.toBe("ran");
    expect(inherited).toBe("Missing required MCP namespace argument: a");
    expect(await value("return (await MCP.everything.getResourceReference({})).content.length")).toBeGreaterThan(0);
  });

  it("gives an error of the tool as a catchable one, without host stacks", async () => {
    const code =
      "try { await MCP.localFiles.readTextFile({ path: '/etc/passwd' }) } catch (error) { return [error.message, error.stack ?? ''] }";
    const [message, stack] = (await value(code)) as [string, string];
    expect(message).toContain("Access denied");
    expect(stack).not.toMatch(/node_modules|\.mjs|\.ts/u);
  });

  it("leaves binary content out", async () => {
    const text = JSON.stringify(await value("return await MCP.everything.getTinyImage({})"));
    expect(text).toContain("left out of the code mode bridge");
    expect(text).not.toContain("iVBOR");
  });

  it("is frozen and has no prototypes", async () => {
    const code = `
      "use strict";
      const refused = [];
      for (const attempt of [() => { MCP.x = 1 }, () => { MCP.everything.echo = 1 }, () => { delete MCP.memory }])
        try { attempt(); refused.push("no") } catch { refused.push("yes") }
      return [refused, Object.getPrototypeOf(MCP), Object.getPrototypeOf(MCP.everything), namespaces.MCP === MCP, MCP.then, MCP.everything.then];`;
    expect(await value(code)).toEqual([["yes", "yes", "yes"], null, null, true, null, null]);
  });

  it("goes through the gateway's executor with exact ids", async () => {
    const calls: NestedToolCall[] = [];
    const gated = openRun(engine, {}, {
      tools: servers,
      callTool: async (call) => {
        calls.push(call);
        return { content: [{ type: "text", text: "gated" }] };
      },
    }); // prettier-ignore
    const code = "await MCP.everything.echo({ message: 'x' }); return await MCP.everything.resources.list()";
    expect(valueOf(await gated.exec({ code }, { toolCallId: "c" }))).toEqual({
      content: [{ type: "text", text: "gated" }],
    });
    expect(calls).toMatchObject([
      {
        catalogId: "mcp:everything:echo",
        toolCallId: "c/echo/1",
        tool: { mcp: { serverName: "everything", toolName: "echo" } },
      },
      { tool: { mcp: { serverName: "everything", operation: "resources.list" } } },
    ]);
  });
});

describe("separate from the catalog", () => {
  it("is not in ALL_TOOLS, search, describe, call or the description", async () => {
    const code = `
      const message = async (call) => { try { return await call() } catch (error) { return error.message } };
      return [
        ALL_TOOLS.map((tool) => tool.id),
        (await tools.search("echo a message")).map((tool) => tool.id),
        await message(() => tools.describe("mcp:everything:echo")),
        await message(() => tools.call("mcp:everything:echo", { message: "x" })),
        typeof tools.echo,
      ];`;
    const [all, found, described, called, convenience] = (await value(code)) as [
      string[],
      string[],
      string,
      string,
      string,
    ];
    expect(all).toEqual(["openclaw:core:echo_native"]);
    expect(found).toEqual(["openclaw:core:echo_native"]);
    expect(described).toMatch(/^Unknown tool id: mcp:everything:echo\./u);
    expect(called).toMatch(/^Unknown tool id: mcp:everything:echo\./u);
    expect(convenience).toBe("undefined");
    expect(run.execDescription).not.toContain("mcp:everything");
    expect(run.catalog.some(({ id }) => id === "mcp:everything:echo")).toBe(true);
  });
});

describe("API and $api", () => {
  it("lists and reads declarations without a bridge call", async () => {
    const before = run.telemetry().callCount;
    const { files } = (await value("return await API.list('mcp')")) as { files: { path: string; bytes: number }[] };
    expect(files.map(({ path }) => path)).toEqual([
      "mcp/everything.d.ts",
      "mcp/index.d.ts",
      "mcp/localFiles.d.ts",
      "mcp/memory.d.ts",
    ]);
    for (const { path, bytes } of files) {
      const file = (await value(`return await API.read(${JSON.stringify(`/${path}/`)})`)) as {
        content: string;
        bytes: number;
      };
      expect(file.bytes).toBe(bytes);
      expect(Buffer.byteLength(file.content)).toBe(bytes);
    }
    expect(run.telemetry().callCount).toBe(before);
  });

  it("writes declarations that compile, each on its own, and programs against them do too", async () => {
    const read =
      "return (await Promise.all((await API.list()).files.map((file) => API.read(file.path)))).map((file) => file.content)";
    for (const declarations of (await value(read)) as string[]) {
      expect(diagnostics([declarations, ""])).toEqual([]);
    }
    const everything = (await value("return (await API.read('mcp/everything.d.ts')).content")) as string;
    const program = (input: string) =>
      `async function program() { return (await MCP.everything.getSum(${input})).content }`;
    expect(diagnostics([everything, program("{ a: 1, b: 2 }")])).toEqual([]);
    expect(diagnostics([everything, program("{ a: 1 }")])).toHaveLength(1);
  });

  it.each(["", ".", "..", "mcp/../x", "mcp//everything.d.ts", "mcp/nope.d.ts", "/"])(
    "refuses the path %j",
    async (path) => {
      const code = `try { return await API.read(${JSON.stringify(path)}) } catch (error) { return "refused" }`;
      expect(await value(code)).toBe("refused");
    },
  );

  it("answers $api for everything, one server, one tool", async () => {
    const code =
      "return [await MCP.$api(), await MCP.everything.$api(), await MCP.everything.$api('getSum', { schema: true })]";
    expect(await value(code)).toMatchObject([
      { kind: "mcp_api", scope: "root", servers: expect.any(Array) },
      { kind: "mcp_api", scope: "server", tools: expect.any(Array) },
      { kind: "mcp_api", scope: "tool", header: expect.stringContaining("getSum"), schemas: expect.anything() },
    ]);
  });
});

/** Messages of the TypeScript compiler for a program made of these files. */
function diagnostics(sources: string[]): string[] {
  const files = new Map(
    sources.map((source, index) => [`/file${index}${index === sources.length - 1 ? ".ts" : ".d.ts"}`, source]),
  );
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts"],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const onDisk = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version) => {
    const text = files.get(name);
    return text === undefined ? onDisk(name, version) : ts.createSourceFile(name, text, version);
  };
  host.fileExists = (name) => files.has(name) || ts.sys.fileExists(name);
  const program = ts.createProgram([...files.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText, file }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
}
