/** Every example runs, and prints what a reader of it expects. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../examples/", import.meta.url));

async function run(...args: string[]): Promise<string[]> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder, timeout: 25_000 });
  expect(stderr).toBe("");
  return stdout.trimEnd().split("\n");
}

const EXPECTED: Record<string, (lines: string[]) => void> = {
  "gateway.mjs": (lines) =>
    expect(lines).toEqual([
      "visible: exec, wait",
      "audit: call-1/list_orders/1 for shop",
      "audit: call-1/send_reminder/2 for shop",
      "audit: call-1/delete_order/3 for shop",
      'completed {"reminded":["reminded Nora"],"refused":"delete_order needs a person\'s approval."}',
    ]),
  "plugin-namespace.mjs": (lines) =>
    expect(lines).toEqual([
      "in the description: true",
      'completed {"closed":["#1 closed: fixed (keeper)","#2 closed: fixed (keeper)"],"open":0}',
    ]),
  "swarm.mjs": (lines) => {
    expect(lines.filter((line) => line.startsWith("spawn"))).toEqual([
      "spawn sub:call-1/agent/2 (Oslo)",
      "spawn sub:call-1/agent/3 (Lisbon)",
      "spawn sub:call-1/agent/4 (Rome)",
      "spawn sub:call-1/agent/5 (hard)",
    ]);
    expect(lines.filter((line) => line.startsWith("phase"))).toEqual(["phase: gather", "phase: report"]);
    expect(lines.at(-1)).toBe('completed {"warmest":{"city":"Lisbon","degrees":18},"failed":"SwarmAgentError failed"}');
  },
  "mcp.mjs": (lines) =>
    expect(lines).toEqual([
      'completed {"typed":true,"sums":["The sum of 1 and 1 is 2.","The sum of 2 and 2 is 4.","The sum of 3 and 3 is 6."],' +
        '"refused":"Missing required MCP namespace argument: b"}',
    ]),
  "main-job.mjs": (lines) => {
    expect(lines).toContain("exec, wait");
    expect(lines).toContain("== result: completed");
  },
};

describe("examples", () => {
  it("are all run here", () => {
    const files = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
    expect(files.toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
  });

  it.each(Object.entries(EXPECTED))("%s", async (file, check) => {
    check(await run(file));
  });

  it("main-job.mjs with a program that is suspended", async () => {
    expect(await run("main-job.mjs", "programs/slow.ts")).toContain("== result: completed");
  });

  it("a gateway's integration fits on a page", () => {
    expect(readFileSync(`${folder}gateway.mjs`, "utf8").split("\n").length).toBeLessThan(60);
  });
});
