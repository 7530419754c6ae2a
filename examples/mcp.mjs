// An MCP server behind code mode: node examples/mcp.mjs
// The client is the gateway's own; code mode only uses it.
import { createRequire } from "node:module";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { applyCodeMode } from "code-mode";
import { toolsFromMcpClient } from "code-mode/mcp";

const server = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");
const client = new Client({ name: "example-gateway", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [server], stderr: "ignore" }));

const surface = applyCodeMode({ config: true, tools: await toolsFromMcpClient(client, { serverName: "everything" }) });
const [exec] = surface.tools;
const { details } = await exec.execute("call-1", {
  code: `
    const { content: types } = await API.read("mcp/everything.d.ts");
    const sums = await Promise.all([1, 2, 3].map((n) => MCP.everything.getSum({ a: n, b: n })));
    return {
      typed: /function getSum\\(/.test(types),
      sums: sums.map((sum) => sum.content[0].text),
      refused: await MCP.everything.getSum({ a: 1 }).catch((error) => error.message),
    };`,
});
console.log(details.status, JSON.stringify(details.value ?? details.error));
surface.dispose();
await client.close();
