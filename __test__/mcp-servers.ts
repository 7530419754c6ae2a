/** Real MCP servers over stdio, for tests. */
import { createRequire } from "node:module";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const require = createRequire(import.meta.url);

/** Starts a server package and connects a client to it. The caller closes the client. */
export async function connectServer(
  name: "everything" | "filesystem" | "memory",
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<Client> {
  const entry = require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
  const client = new Client({ name: "code-mode-test", version: "0.0.0" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [entry, ...args], env, stderr: "ignore" }),
  );
  return client;
}
