/** Requests to an MCP server on behalf of a guest: tool calls and the four operations, as `execute` functions. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { CallToolResultSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { CodeModeTool, McpOperation, ToolResult } from "../../index.js";
import {
  bridgeBlock,
  bridgeContent,
  bridgeResourceContents,
  bridgeStructured,
  isRecord,
  textBlocks,
} from "./content.js";

/** What every request of one server needs. */
export interface McpCallSettings {
  client: Client;
  serverName: string;
  /** Longest time of one request. */
  timeoutMs: number;
  /** Longest list, in pages. */
  maxPages: number;
}

type Execute = NonNullable<CodeModeTool["execute"]>;
type Answer = (input: Record<string, unknown>, options: RequestOptions) => Promise<ToolResult>;

/** Calls a tool. Tools that the server runs only as tasks are followed to their result. */
export function callMcpTool(settings: McpCallSettings, name: string, asTask: boolean): Execute {
  const { client } = settings;
  return executor(settings, async (input, options) => {
    const params = { name, arguments: input };
    const result = asTask
      ? await taskResult(client, params, options)
      : await client.callTool(params, undefined, options);
    return {
      content: bridgeContent(result.content),
      ...(result.structuredContent === undefined
        ? {}
        : { structuredContent: bridgeStructured(result.structuredContent) }),
      ...(result.isError === true ? { isError: true } : {}),
    };
  });
}

/** `resources.list` (templates included) and `resources.read`. */
export function resourceTools(settings: McpCallSettings): CodeModeTool[] {
  const { client } = settings;
  return [
    operation(settings, "resources.list", "Lists the resources of this server.", {}, async (_input, options) => {
      const resources = await everyPage(settings, "resources", (page) => client.listResources(page, options));
      const resourceTemplates = await everyPage(settings, "resourceTemplates", (page) =>
        client.listResourceTemplates(page, options),
      ).catch(() => []);
      return listed("resources", resources, { resources, resourceTemplates });
    }),
    operation(
      settings,
      "resources.read",
      "Reads one resource of this server.",
      { uri: { type: "string", description: "Address of the resource" } },
      async (input, options) => {
        const { contents } = await client.readResource({ uri: stringOf(input.uri, "uri") }, options);
        const bridged = bridgeResourceContents(contents);
        return { content: textBlocks(bridged), structuredContent: { contents: bridged } };
      },
    ),
  ];
}

/** `prompts.list` and `prompts.get`. */
export function promptTools(settings: McpCallSettings): CodeModeTool[] {
  const { client } = settings;
  return [
    operation(settings, "prompts.list", "Lists the prompts of this server.", {}, async (_input, options) => {
      const prompts = await everyPage(settings, "prompts", (page) => client.listPrompts(page, options));
      return listed("prompts", prompts, { prompts });
    }),
    operation(
      settings,
      "prompts.get",
      "Gets one prompt of this server, filled in.",
      {
        name: { type: "string", description: "Name of the prompt" },
        arguments: {
          type: "object",
          description: "Arguments of the prompt",
          additionalProperties: { type: "string" },
        },
      },
      async (input, options) => {
        const params = { name: stringOf(input.name, "name"), arguments: stringRecord(input.arguments) };
        const { description, messages } = await client.getPrompt(params, options);
        const bridged = messages.map(({ role, content }) => ({ role, content: bridgeBlock(content) }));
        return {
          content: textBlocks(bridged.map(({ content }) => content)),
          structuredContent: { ...(description === undefined ? {} : { description }), messages: bridged },
        };
      },
    ),
  ];
}

function operation(
  settings: McpCallSettings,
  name: McpOperation,
  description: string,
  properties: Record<string, object>,
  answer: Answer,
): CodeModeTool {
  const required = Object.keys(properties).filter((property) => property !== "arguments");
  return {
    name,
    description,
    parameters: {
      type: "object",
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    source: "mcp",
    sourceName: settings.serverName,
    mcp: { serverName: settings.serverName, toolName: name, operation: name },
    execute: executor(settings, answer),
  };
}

/** Wraps a request: signal and progress pass through, a protocol error becomes a plain one with code and details. */
function executor(settings: McpCallSettings, answer: Answer): Execute {
  return async (_toolCallId, input: unknown, signal, onUpdate) => {
    signal?.throwIfAborted();
    const options: RequestOptions = {
      timeout: settings.timeoutMs,
      ...(signal ? { signal } : {}),
      ...(onUpdate ? { onprogress: (progress) => onUpdate(progressUpdate(progress)) } : {}),
    };
    try {
      return await answer(isRecord(input) ? input : {}, options);
    } catch (error) {
      // The client reports an abort as a protocol error; what the guest is told must be the abort.
      signal?.throwIfAborted();
      throw error instanceof McpError ? plainError(error) : error;
    }
  };
}

function plainError(error: McpError): Error {
  const plain = new Error(error.message.replace(/^(?:MCP error -?\d+: )+/u, ""), { cause: error });
  return Object.assign(plain, { code: error.code, ...(error.data === undefined ? {} : { details: error.data }) });
}

function progressUpdate(progress: {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}): ToolResult {
  const share = progress.total === undefined ? `${progress.progress}` : `${progress.progress}/${progress.total}`;
  return { content: [{ type: "text", text: progress.message ?? share }], details: progress };
}

async function taskResult(
  client: Client,
  params: { name: string; arguments: Record<string, unknown> },
  options: RequestOptions,
): Promise<Record<string, unknown>> {
  for await (const message of client.experimental.tasks.callToolStream(params, CallToolResultSchema, options)) {
    if (message.type === "result") {
      return message.result;
    }
    if (message.type === "error") {
      throw message.error;
    }
  }
  throw new Error(`MCP tool ${params.name} ended without a result.`);
}

async function everyPage<Key extends string, Item>(
  settings: McpCallSettings,
  key: Key,
  fetch: (page: { cursor?: string }) => Promise<{ [k in Key]: Item[] } & { nextCursor?: string | undefined }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < settings.maxPages; page += 1) {
    const fetched = await fetch(cursor === undefined ? {} : { cursor });
    items.push(...fetched[key]);
    cursor = fetched.nextCursor;
    if (cursor === undefined) {
      return items;
    }
  }
  throw new Error(`MCP server ${settings.serverName} did not end its list of ${key} after ${settings.maxPages} pages.`);
}

function listed(noun: string, items: readonly unknown[], structuredContent: Record<string, unknown>): ToolResult {
  return { content: [{ type: "text", text: `${items.length} ${noun}` }], structuredContent };
}

function stringOf(value: unknown, name: string): string {
  if (typeof value !== "string") {
    throw new TypeError(`${name} must be a string.`);
  }
  return value;
}

/** Prompt arguments are strings in the protocol; numbers and booleans are written out. */
function stringRecord(value: unknown): Record<string, string> {
  if (value === undefined || value === null) {
    return {};
  }
  if (!isRecord(value)) {
    throw new TypeError("arguments must be an object.");
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, typeof item === "string" ? item : JSON.stringify(item)]),
  );
}
