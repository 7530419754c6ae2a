/** `code-mode serve`: an MCP server on stdio whose two tools are `exec` and `wait` for all servers of a file. */
import { CodeModeEngine } from "../engine.js";
import type { ServeCommand } from "./args.js";
import { EXIT } from "./errors.js";
import type { Interrupt } from "./interrupt.js";
import { readMcpConfig } from "./mcp-config.js";
import { say } from "./print.js";
import { needingSdk, startServers } from "./servers.js";

/** Serves until standard input ends or a signal comes. Resolves to the exit code. */
export async function serveCommand(command: ServeCommand, interrupt: Interrupt): Promise<number> {
  const configs = await readMcpConfig(command.mcp);
  const { serveOverStdio } = await needingSdk(() => import("./mcp-server.js"));
  const servers = await startServers(configs, { signal: interrupt.signal, log: say });
  const engine = new CodeModeEngine();
  try {
    const config = { enabled: true, timeoutMs: command.timeoutMs, maxOutputBytes: command.maxOutputBytes };
    await serveOverStdio({ engine, config, tools: servers.tools, signal: interrupt.signal });
    return interrupt.exitCode ?? EXIT.ok;
  } finally {
    await engine.close();
    await servers.close();
  }
}
