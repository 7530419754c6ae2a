/** The servers of an `mcp.json`: started together, their tools collected, closed together. All of them or none. */
import { existsSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { CodeModeTool } from "../../index.js";
import { plain } from "../timeline/words.js";
import { CliError, EXIT, reasonOf } from "./errors.js";
import type { ServerConfig } from "./mcp-config.js";
import { VERSION } from "./version.js";

/** Packages may have to be fetched by the server's own command. */
const START_TIMEOUT_MS = 60_000;
/** As much of what a server writes to its standard error as is worth telling when it dies. */
const KEPT_CHARACTERS = 4000;

/** Servers that are up. */
export interface Servers {
  readonly tools: readonly CodeModeTool[];
  /** Ends all of them; idempotent. */
  close(): Promise<void>;
}

/**
 * Starts or connects to every server.
 * @throws CliError naming each server that did not start, after the others were closed.
 */
export async function startServers(
  configs: readonly ServerConfig[],
  { signal, log }: { signal: AbortSignal; log: (line: string) => void },
): Promise<Servers> {
  if (configs.length === 0) {
    return { tools: [], close: async () => {} };
  }
  const sdk = await loadSdk();
  const servers = configs.map((config) => new Server(config, log));
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()));
  };
  const started = await Promise.allSettled(servers.map((server) => server.start(sdk, signal)));
  const failures = started.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
  if (failures.length > 0) {
    await close();
    throw new CliError(failures.map(({ reason }) => reasonOf(reason)).join("; "), EXIT.server);
  }
  return { tools: started.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : [])), close };
}

/** Runs something that imports the SDK, an optional peer. @throws CliError that says how to install it. */
export async function needingSdk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === "ERR_MODULE_NOT_FOUND") {
      const line = "MCP servers need the package @modelcontextprotocol/sdk: npm install @modelcontextprotocol/sdk";
      throw new CliError(line, EXIT.server, { cause: error });
    }
    throw error;
  }
}

async function loadSdk() {
  return needingSdk(async () => {
    const [client, stdio, http, tools] = await Promise.all([
      import("@modelcontextprotocol/sdk/client/index.js"),
      import("@modelcontextprotocol/sdk/client/stdio.js"),
      import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
      import("../mcp/index.js"),
    ]);
    return { ...client, ...stdio, ...http, ...tools };
  });
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

class Server {
  private client: Client | undefined;
  private complaints = "";
  private closing = false;

  constructor(
    private readonly config: ServerConfig,
    private readonly log: (line: string) => void,
  ) {}

  async start(sdk: Sdk, signal: AbortSignal): Promise<CodeModeTool[]> {
    const { name } = this.config;
    const client = new sdk.Client({ name: "code-mode", version: VERSION });
    this.client = client;
    try {
      await client.connect(this.transport(sdk), { timeout: START_TIMEOUT_MS, signal });
      const tools = await sdk.toolsFromMcpClient(client, { serverName: name });
      // The client is no event target.
      // oxlint-disable-next-line unicorn/prefer-add-event-listener
      client.onclose = () => {
        if (!this.closing) {
          this.log(`server "${plain(name)}" has closed.${this.lastWords()}`);
        }
      };
      return tools;
    } catch (error) {
      throw new Error(`server "${plain(name)}" could not start: ${this.whyNot(error)}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.closing = true;
    // A server that is gone already cannot be closed, and need not be.
    await this.client?.close().catch(() => {});
  }

  private transport(sdk: Sdk): Transport {
    const { config } = this;
    if (config.kind === "http") {
      const transport = new sdk.StreamableHTTPClientTransport(config.url, { requestInit: { headers: config.headers } });
      return transport;
    }
    const { command, args, env, cwd } = config;
    const transport = new sdk.StdioClientTransport({
      command,
      args,
      // With the few harmless variables of this process that the transport passes on itself.
      env: { ...sdk.getDefaultEnvironment(), ...env },
      stderr: "pipe",
      ...(cwd === undefined ? {} : { cwd }),
    });
    transport.stderr?.on("data", (chunk: Buffer) => {
      this.complaints = (this.complaints + chunk.toString("utf8")).slice(-KEPT_CHARACTERS);
    });
    return transport;
  }

  private whyNot(error: unknown): string {
    const { config } = this;
    const reason = reasonOf(error);
    if (config.kind === "http") {
      const cause = (error as { cause?: unknown } | null)?.cause;
      return plain(`${reason}${cause === undefined ? "" : `: ${reasonOf(cause)}`} (${config.url.origin})`, 300);
    }
    if ((error as { code?: unknown } | null)?.code === "ENOENT") {
      return config.cwd !== undefined && !existsSync(config.cwd)
        ? `its folder does not exist: ${plain(config.cwd)}`
        : `command not found: ${plain(config.command)}`;
    }
    return `${plain(reason.replace(/^MCP error -?\d+: /u, ""), 300)}.${this.lastWords()}`;
  }

  private lastWords(): string {
    const last = this.complaints.trimEnd().split("\n").findLast((line) => /\w*Error\b|error/u.test(line)) ?? this.complaints.trimEnd().split("\n").at(-1); // prettier-ignore
    return last === undefined || last === "" ? "" : ` It said: ${plain(last.trim(), 300)}`;
  }
}
