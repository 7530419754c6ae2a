// The main job: real MCP servers and a tool of the gateway behind code mode, one program that uses them, and what a
// person wants to see of it. `npm start` runs it; `npm start -- path/to/program.js` runs another program in it.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { applyCodeMode, defaultEngine, renderTimeline } from "code-mode";
import { toolsFromMcpClient } from "code-mode/mcp";

const require = createRequire(import.meta.url);
const MODEL_TURN_MS = 200;

/** A tool of the gateway itself, with a declared output. */
const priceList = {
  name: "price_list",
  description: "Lists the unit price of every article.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
  outputSchema: {
    type: "array",
    items: {
      type: "object",
      properties: { article: { type: "string" }, price: { type: "number" } },
      required: ["article", "price"],
      additionalProperties: false,
    },
  },
  execute: async () => ({
    content: [{ type: "text", text: "3 prices" }],
    details: [
      { article: "bolt", price: 2 },
      { article: "nut", price: 1 },
      { article: "gear", price: 75 },
    ],
  }),
};

const programPath = process.argv[2] ?? fileURLToPath(new URL("programs/main.js", import.meta.url));
const code = await readFile(programPath, "utf8");
const folder = await makeFolder();
const clients = [];
try {
  const servers = await Promise.all([startServer("everything", []), startServer("filesystem", [folder])]);
  const events = [];
  const surface = applyCodeMode({
    config: { enabled: true, timeoutMs: 20_000 },
    context: { agentId: "demo", sessionId: "main-job", runId: "run-1" },
    tools: [priceList, ...servers.flat()],
    onEvent: (event) => events.push(event),
  });
  const result = await runToTheEnd(surface, code, programPath.endsWith(".ts") ? "typescript" : "javascript");
  show(surface, result, events);
  process.exitCode = result.status === "completed" ? 0 : 1;
  surface.dispose();
} finally {
  await Promise.all(clients.map((client) => client.close()));
  await rm(folder, { recursive: true, force: true });
  await defaultEngine().close();
}

/** Does what a model does: calls exec, and wait for as long as the result says "waiting". Returns the last result. */
async function runToTheEnd(surface, source, language) {
  const [exec, wait] = surface.tools;
  surface.assertPayload(surface.tools);
  const output = [];
  let calls = 1;
  let { details } = await exec.execute("call-1", { code: source, language });
  output.push(...details.output);
  while (details.status === "waiting") {
    calls += 1;
    // The model's own turn. The cell lies suspended meanwhile, its calls run on.
    await sleep(MODEL_TURN_MS);
    ({ details } = await wait.execute(`call-${calls}`, { runId: details.runId }));
    output.push(...details.output);
  }
  return { ...details, output };
}

function show(surface, result, events) {
  const part = (title, body) => process.stdout.write(`\n== ${title}\n${body}\n`);
  part("the model sees", surface.tools.map(({ name }) => name).join(", "));
  part(`hidden in the catalog: ${surface.catalogToolCount} tools`, surface.run.catalog.map(({ id }) => id).join("\n"));
  part(
    "output",
    result.output.map((item) => (item.type === "text" ? item.text : JSON.stringify(item.value))).join("\n"),
  );
  part("nested calls", renderTimeline(events).text);
  part("telemetry", JSON.stringify(result.telemetry, null, 2));
  part(
    `result: ${result.status}`,
    JSON.stringify(result.status === "completed" ? result.value : result.error, null, 2),
  );
}

/** Starts an MCP server over stdio and takes its tools. */
async function startServer(name, args) {
  const entry = require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
  const client = new Client({ name: "code-mode-main-job", version: "0.1.0" });
  clients.push(client);
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [entry, ...args], stderr: "ignore" }),
  );
  return toolsFromMcpClient(client, { serverName: name });
}

/** A folder for the filesystem server, with orders to work on. */
async function makeFolder() {
  const made = await mkdtemp(join(tmpdir(), "code-mode-main-job-"));
  const orders = {
    "orders-north.csv": "customer,article,count\nNora,bolt,40\nIda,nut,10\nNora,nut,5\n",
    "orders-south.csv": "customer,article,count\nSam,gear,3\nIda,bolt,100\n",
    "orders-west.csv": "customer,article,count\nWim,gear,1\nSam,nut,50\n",
  };
  await Promise.all(Object.entries(orders).map(([name, csv]) => writeFile(join(made, name), csv)));
  return made;
}
