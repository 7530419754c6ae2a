import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CodeModeTool, ToolResult } from "../index.js";
import { toolsFromMcpClient, watchMcpTools } from "../ts/mcp/index.js";
import { connectServer } from "./mcp-servers.js";

const run = async (
  tools: readonly CodeModeTool[],
  name: string,
  input: unknown,
  signal?: AbortSignal,
  onUpdate?: (partial: ToolResult) => void,
): Promise<ToolResult> => {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool?.execute) {
    throw new Error(`no tool ${name}`);
  }
  return tool.execute("call-1", input, signal, onUpdate);
};

describe("server-everything", () => {
  let client: Client;
  let tools: CodeModeTool[];

  beforeAll(async () => {
    client = await connectServer("everything");
    tools = await toolsFromMcpClient(client, { serverName: "everything" });
  });
  afterAll(() => client.close());

  it("gives each tool its binding, and the operations after the tools", () => {
    expect(tools.find(({ name }) => name === "get-sum")).toMatchObject({
      description: "Returns the sum of two numbers",
      source: "mcp",
      sourceName: "everything",
      mcp: { serverName: "everything", toolName: "get-sum" },
      parameters: { type: "object", required: ["a", "b"] },
    });
    expect(tools.slice(-4).map(({ name, mcp }) => [name, mcp?.operation])).toEqual([
      ["resources.list", "resources.list"],
      ["resources.read", "resources.read"],
      ["prompts.list", "prompts.list"],
      ["prompts.get", "prompts.get"],
    ]);
  });

  it("calls a tool", async () => {
    expect(await run(tools, "echo", { message: "hi" })).toEqual({ content: [{ type: "text", text: "Echo: hi" }] });
  });

  it("keeps structured content", async () => {
    expect((await run(tools, "get-structured-content", { location: "Chicago" })).structuredContent).toMatchObject({
      conditions: expect.any(String),
    });
  });

  it("marks an error of the tool", async () => {
    const result = await run(tools, "echo", {});
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain("message");
  });

  it("replaces images by a note", async () => {
    const { content } = await run(tools, "get-tiny-image", {});
    expect(content[1]).toEqual({
      type: "text",
      text: expect.stringMatching(/^\[image\/png, \d+ bytes, left out of the code mode bridge\]$/u),
    });
    expect(JSON.stringify(content)).not.toContain("iVBOR");
  });

  it("passes progress on", async () => {
    const updates: ToolResult[] = [];
    const input = { duration: 0.2, steps: 2 };
    await run(tools, "trigger-long-running-operation", input, undefined, (partial) => updates.push(partial));
    expect(updates[0]).toMatchObject({ content: [{ type: "text", text: "1/2" }], details: { progress: 1, total: 2 } });
  });

  it("aborts a call with the reason of the signal", async () => {
    const abort = new AbortController();
    const call = run(tools, "trigger-long-running-operation", { duration: 20, steps: 2 }, abort.signal);
    setTimeout(() => abort.abort(new Error("cell ended")), 50);
    await expect(call).rejects.toThrow("cell ended");
    await expect(run(tools, "echo", { message: "x" }, abort.signal)).rejects.toThrow("cell ended");
  });

  it("follows a tool that runs as a task only", async () => {
    const result = await run(tools, "simulate-research-query", { topic: "ice" });
    expect(JSON.stringify(result.content)).toContain("ice");
  });

  it("lists and reads resources", async () => {
    const { structuredContent } = await run(tools, "resources.list", {});
    const { resources, resourceTemplates } = structuredContent as Record<string, { uri: string }[]>;
    expect(resources?.length).toBeGreaterThan(0);
    expect(resourceTemplates?.length).toBeGreaterThan(0);
    const read = await run(tools, "resources.read", { uri: resources?.[0]?.uri });
    expect(read.structuredContent).toMatchObject({
      contents: [{ uri: resources?.[0]?.uri, text: expect.any(String) }],
    });
    const blob = await run(tools, "resources.read", { uri: "demo://resource/dynamic/blob/1" });
    expect(blob.content).toEqual([
      { type: "text", text: expect.stringMatching(/^\[text\/plain, \d+ bytes, left out of the code mode bridge\]$/u) },
    ]);
  });

  it("lists and gets prompts", async () => {
    const { structuredContent } = await run(tools, "prompts.list", {});
    expect((structuredContent as { prompts: unknown[] }).prompts.length).toBeGreaterThan(0);
    const prompt = await run(tools, "prompts.get", { name: "args-prompt", arguments: { city: "Oslo" } });
    expect(JSON.stringify(prompt.content)).toContain("Oslo");
    expect(prompt.structuredContent).toMatchObject({ messages: [{ role: "user" }] });
  });

  it("turns a protocol error into a plain one with its code", async () => {
    const failure = await run(tools, "resources.read", { uri: "nope://x" }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: "Resource nope://x not found", code: -32602 });
    expect(failure).not.toBeInstanceOf(McpError);
    await expect(run(tools, "resources.read", {})).rejects.toThrow(new TypeError("uri must be a string."));
    await expect(run(tools, "prompts.get", { name: "simple-prompt", arguments: [1] })).rejects.toThrow(
      new TypeError("arguments must be an object."),
    );
  });
});

describe("server-filesystem and server-memory", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "code-mode-mcp-"));
    await writeFile(join(folder, "a.txt"), "hello\n");
    await writeFile(join(folder, "dot.png"), Buffer.from("89504e470d0a1a0a", "hex"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("reads inside its folder, refuses outside, leaves binary out of structured content too", async () => {
    const client = await connectServer("filesystem", [folder]);
    try {
      const tools = await toolsFromMcpClient(client, { serverName: "fs" });
      expect(tools.some(({ mcp }) => mcp?.operation !== undefined)).toBe(false);
      const read = await run(tools, "read_text_file", { path: join(folder, "a.txt") });
      expect(read).toEqual({ content: [{ type: "text", text: "hello\n" }], structuredContent: { content: "hello\n" } });
      expect((await run(tools, "read_text_file", { path: "/etc/passwd" })).isError).toBe(true);
      const media = await run(tools, "read_media_file", { path: join(folder, "dot.png") });
      expect(media.content).toEqual([{ type: "text", text: "[image/png, 8 bytes, left out of the code mode bridge]" }]);
      expect(JSON.stringify(media)).not.toContain("iVBOR");
    } finally {
      await client.close();
    }
  });

  it("keeps a graph between calls", async () => {
    const client = await connectServer("memory", [], { MEMORY_FILE_PATH: join(folder, "memory.json") });
    try {
      const tools = await toolsFromMcpClient(client, { serverName: "memory" });
      const ada = { name: "Ada", entityType: "person", observations: ["writes programs"] };
      await run(tools, "create_entities", { entities: [ada] });
      expect((await run(tools, "search_nodes", { query: "programs" })).structuredContent).toMatchObject({
        entities: [ada],
      });
    } finally {
      await client.close();
    }
  });
});

describe("odd servers", () => {
  const connect = async (server: { connect(transport: InMemoryTransport): Promise<void> }) => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "test", version: "0" });
    await Promise.all([server.connect(far), client.connect(near)]);
    return client;
  };

  it("follows pages, and gives up on a list without end", async () => {
    const server = new Server({ name: "pages", version: "0" }, { capabilities: { tools: {} } });
    let pages = 3;
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
      const page = Number(params?.cursor ?? 0);
      return {
        tools: [{ name: `t${page}`, inputSchema: { type: "object" as const } }],
        ...(page + 1 < pages ? { nextCursor: String(page + 1) } : {}),
      };
    });
    server.setRequestHandler(CallToolRequestSchema, () => ({ content: [], isError: true }));
    const client = await connect(server);
    const tools = await toolsFromMcpClient(client, { serverName: "pages" });
    expect(tools.map(({ name }) => name)).toEqual(["t0", "t1", "t2"]);
    expect(await run(tools, "t0", undefined)).toEqual({ content: [], isError: true });
    pages = Infinity;
    await expect(toolsFromMcpClient(client, { serverName: "pages" })).rejects.toThrow(
      "MCP server pages did not end its tool list after 200 pages.",
    );
    await client.close();
  });

  it("refuses a blank server name", async () => {
    await expect(toolsFromMcpClient({} as Client, { serverName: " " })).rejects.toThrow(
      new TypeError("serverName must be a non-empty string."),
    );
  });

  it("watches the list: a burst is one change, a closed watch hears nothing", async () => {
    const server = new McpServer({ name: "changing", version: "0" });
    const add = (name: string) => server.registerTool(name, {}, () => ({ content: [] }));
    add("first");
    const client = await connect(server);
    const changes: string[][] = [];
    const watch = await watchMcpTools(client, { serverName: "changing" }, (tools) =>
      changes.push(tools.map(({ name }) => name)),
    );
    expect(watch.tools.map(({ name }) => name)).toEqual(["first"]);
    add("second");
    add("third");
    await vi.waitFor(() => expect(changes).toEqual([["first", "second", "third"]]));
    expect(watch.tools).toHaveLength(3);
    watch.close();
    add("fourth");
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(changes).toHaveLength(1);
    await client.close();
  });

  it("reports a list that cannot be fetched and keeps the last one", async () => {
    const server = new McpServer({ name: "breaking", version: "0" });
    server.registerTool("only", {}, () => ({ content: [] }));
    const client = await connect(server);
    const errors: unknown[] = [];
    const watch = await watchMcpTools(client, { serverName: "breaking", onError: (error) => errors.push(error) }, () =>
      expect.unreachable(),
    );
    vi.spyOn(client, "listTools").mockRejectedValue(new Error("gone"));
    server.sendToolListChanged();
    await vi.waitFor(() => expect(errors).toEqual([new Error("gone")]));
    expect(watch.tools).toHaveLength(1);
    watch.close();
    await client.close();
  });
});
