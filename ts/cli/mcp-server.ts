/** The MCP server of `code-mode serve`. Loaded only with the SDK, which is an optional peer. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import type { CodeModeEngine, CodeModeEvent, CodeModeResult, CodeModeTool } from "../../index.js";
import { resolveCodeModeConfig } from "../config.js";
import { surfaceAdapter } from "../surface.js";
import { CliError, EXIT } from "./errors.js";
import { progressLine } from "./progress.js";
import { VERSION } from "./version.js";

/** What a server is made of. */
export interface ServeOptions {
  engine: CodeModeEngine;
  config: object;
  tools: readonly CodeModeTool[];
  /** Ends the server. */
  signal: AbortSignal;
}

/** Serves on standard input and output until the client goes or the signal aborts. */
export async function serveOverStdio({ engine, config, tools, signal }: ServeOptions): Promise<void> {
  const progress = new Progress();
  const surface = surfaceAdapter({ resolveConfig: resolveCodeModeConfig, defaultEngine: () => engine })({
    config,
    tools,
    onEvent: (event) => progress.take(event),
  });
  if (!surface.engaged) {
    throw new CliError("the servers offer no tools.", EXIT.server);
  }
  const server = new Server({ name: "code-mode", version: VERSION }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS }); // prettier-ignore
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: surface.tools.map(toMcpTool) }));
  let lastCall = 0;
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }, { signal: cancelled, sendNotification, _meta }) => {
      const tool = surface.tools.find(({ name }) => name === params.name);
      if (!tool?.execute) {
        throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
      }
      const toolCallId = `call-${++lastCall}`;
      const token = _meta?.progressToken;
      const stop =
        token === undefined
          ? undefined
          : progress.report(toolCallId, params.arguments, (message, count) =>
              sendNotification({
                method: "notifications/progress",
                params: { progressToken: token, progress: count, message },
              }),
            );
      try {
        const { content, details } = await tool.execute(toolCallId, params.arguments ?? {}, cancelled);
        // Clients handle a notification a little later than a response that comes with it, and would not know its token.
        await new Promise(setImmediate);
        const result = details as CodeModeResult;
        return { content, structuredContent: { ...result }, isError: result.status === "failed" };
      } finally {
        stop?.();
      }
    },
  );
  await new Promise<void>((resolve, reject) => {
    // The server is no event target.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    server.onclose = resolve;
    // The transport does not see that its client has gone.
    for (const event of ["end", "close"]) {
      process.stdin.once(event, () => resolve());
    }
    process.stdout.once("error", () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
    server.connect(new StdioServerTransport()).catch(reject);
  });
  surface.dispose();
  await server.close();
}

const INSTRUCTIONS =
  "exec runs a small JavaScript or TypeScript program that calls the tools of other servers; wait resumes one that was " +
  "suspended. Put several calls into one program and return only what matters.";

/** What every result has; the rest depends on its status. */
const RESULT_SCHEMA = {
  type: "object" as const,
  properties: { status: { type: "string", enum: ["completed", "waiting", "failed"] } },
  required: ["status"],
};

function toMcpTool({ name, label, description, parameters }: CodeModeTool): Tool {
  return {
    name,
    ...(label === undefined ? {} : { title: label }),
    description,
    inputSchema: parameters as Tool["inputSchema"],
    outputSchema: RESULT_SCHEMA,
  };
}

type Send = (message: string, count: number) => Promise<void>;

/** Leads the events of a cell to the request that is in progress for it: its exec, later its waits. */
class Progress {
  /** By tool call id of the exec. */
  private readonly reporters = new Map<string, { send: Send; sent: number }>();
  private readonly execOfRun = new Map<string, string>();

  /** Reports the cell of a request until the returned function is called. */
  report(toolCallId: string, input: Record<string, unknown> | undefined, send: Send): () => void {
    const runId = input?.runId ?? input?.run_id;
    const exec = (typeof runId === "string" ? this.execOfRun.get(runId.trim()) : undefined) ?? toolCallId;
    const reporter = { send, sent: 0 };
    this.reporters.set(exec, reporter);
    return () => {
      if (this.reporters.get(exec) === reporter) {
        this.reporters.delete(exec);
      }
    };
  }

  take(event: CodeModeEvent): void {
    if (event.type === "cell_suspended") {
      this.forget(event.toolCallId);
      this.execOfRun.set(event.runId, event.toolCallId);
    } else if (event.type === "cell_finished") {
      this.forget(event.toolCallId);
    }
    // What ends a leg is in its result.
    const ends = event.type === "cell_suspended" || event.type === "limit_hit";
    const reporter = ends ? undefined : this.reporters.get(event.toolCallId);
    const line = progressLine(event)?.trim().replace(/ {2,}/u, " ");
    if (reporter && line !== undefined) {
      reporter.sent += 1;
      // A client that has gone needs no progress.
      reporter.send(line, reporter.sent).catch(() => {});
    }
  }

  private forget(exec: string): void {
    for (const [runId, of] of this.execOfRun) {
      if (of === exec) {
        this.execOfRun.delete(runId);
      }
    }
  }
}
