/**
 * Tools, resources and prompts of a connected MCP client as code mode tools (subpath `code-mode/mcp`). The client stays
 * the gateway's: it is connected before and closed after, and its authentication never passes through here.
 */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { CodeModeTool } from "../../index.js";
import { callMcpTool, promptTools, resourceTools, type McpCallSettings } from "./calls.js";

/** How a server's tools enter the catalog. */
export interface McpToolsOptions {
  /** Name of the server in catalog ids and in `MCP.<server>`. */
  serverName: string;
  /**
   * Longest time one request may take, in milliseconds. Default: no limit of its own, since the signal of the nested
   * call already bounds it.
   */
  requestTimeoutMs?: number | undefined;
}

/** A list of tools that follows its server. */
export interface McpToolsWatch {
  /** The list as it is now; a new array after each change. */
  readonly tools: readonly CodeModeTool[];
  /** Stops following. The client stays connected. */
  close(): void;
}

/** Longest delay a Node timer can hold. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
/** Servers announce changes one by one; a list is fetched once for a burst. */
const CHANGE_DEBOUNCE_MS = 50;
/** A server that never ends its list must not hold the gateway. */
const MAX_PAGES = 200;

/**
 * A snapshot of what the connected server offers now: its tools, then `resources.list`, `resources.read`, `prompts.list`
 * and `prompts.get` where the server has them.
 * @throws TypeError for a blank server name; whatever the client throws when a list cannot be fetched.
 */
export async function toolsFromMcpClient(client: Client, options: McpToolsOptions): Promise<CodeModeTool[]> {
  const settings = settingsOf(client, options);
  const offers = client.getServerCapabilities() ?? {};
  const tools = offers.tools ? await listTools(client, settings) : [];
  return [
    ...tools,
    ...(offers.resources ? resourceTools(settings) : []),
    ...(offers.prompts ? promptTools(settings) : []),
  ];
}

/**
 * Follows a server: `onChange` gets the new list after the server announced a change and the list was fetched anew. A
 * list that cannot be fetched leaves the previous one in place and goes to `onError`.
 * Takes over the client's handlers for `list_changed` notifications.
 */
export async function watchMcpTools(
  client: Client,
  options: McpToolsOptions & { onError?: ((error: unknown) => void) | undefined },
  onChange: (tools: readonly CodeModeTool[]) => void,
): Promise<McpToolsWatch> {
  const follower = new Follower(client, options, onChange);
  await follower.start();
  return follower;
}

class Follower implements McpToolsWatch {
  tools: readonly CodeModeTool[] = [];
  private timer: NodeJS.Timeout | undefined;
  private refreshing = false;
  private again = false;
  private closed = false;

  constructor(
    private readonly client: Client,
    private readonly options: McpToolsOptions & { onError?: ((error: unknown) => void) | undefined },
    private readonly onChange: (tools: readonly CodeModeTool[]) => void,
  ) {}

  async start(): Promise<void> {
    for (const schema of CHANGE_NOTIFICATIONS) {
      this.client.setNotificationHandler(schema, () => this.schedule());
    }
    try {
      this.tools = await toolsFromMcpClient(this.client, this.options);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    for (const schema of CHANGE_NOTIFICATIONS) {
      this.client.removeNotificationHandler(schema.shape.method.value);
    }
  }

  private schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), CHANGE_DEBOUNCE_MS);
    this.timer.unref();
  }

  /** Fetches the list; a change announced meanwhile is fetched after it, never beside it. */
  private async refresh(): Promise<void> {
    if (this.refreshing) {
      this.again = true;
      return;
    }
    this.refreshing = true;
    try {
      do {
        this.again = false;
        const tools = await toolsFromMcpClient(this.client, this.options);
        if (this.closed) {
          return;
        }
        this.tools = tools;
        this.onChange(tools);
      } while (this.again);
    } catch (error) {
      if (!this.closed) {
        this.options.onError?.(error);
      }
    } finally {
      this.refreshing = false;
    }
  }
}

const CHANGE_NOTIFICATIONS = [
  ToolListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  PromptListChangedNotificationSchema,
] as const;

function settingsOf(client: Client, options: McpToolsOptions): McpCallSettings {
  if (typeof options?.serverName !== "string" || options.serverName.trim() === "") {
    throw new TypeError("serverName must be a non-empty string.");
  }
  return {
    client,
    serverName: options.serverName,
    timeoutMs: options.requestTimeoutMs ?? NO_TIMEOUT_MS,
    maxPages: MAX_PAGES,
  };
}

async function listTools(client: Client, settings: McpCallSettings): Promise<CodeModeTool[]> {
  const tools: CodeModeTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < settings.maxPages; page += 1) {
    const listed = await client.listTools(cursor === undefined ? {} : { cursor });
    for (const tool of listed.tools) {
      tools.push({
        name: tool.name,
        label: tool.title ?? tool.annotations?.title,
        description: tool.description ?? "",
        parameters: tool.inputSchema,
        source: "mcp",
        sourceName: settings.serverName,
        mcp: { serverName: settings.serverName, toolName: tool.name },
        execute: callMcpTool(settings, tool.name, tool.execution?.taskSupport === "required"),
      });
    }
    cursor = listed.nextCursor;
    if (cursor === undefined) {
      return tools;
    }
  }
  throw new Error(`MCP server ${settings.serverName} did not end its tool list after ${settings.maxPages} pages.`);
}
