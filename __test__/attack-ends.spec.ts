/** Attacks on the ends of legs: stops that come while a program is being parsed, heaps too large to put away in time. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  clearCodeModeNamespacesForTest,
  createCodeModeNamespaceTool,
  registerCodeModeNamespaceForPlugin,
} from "../index.js";
import type { CodeModeResult, CodeModeRun, CodeModeTool } from "../index.js";
import { answering, openRun, testEngine, valueOf } from "./helpers.js";

/** Takes a worker 20 to 40 ms to parse. */
const SLOW_TO_PARSE = `return [${"1,".repeat(300_000)}].length`;
const OVERSHOOT_MS = 100;

async function answered(leg: Promise<CodeModeResult>): Promise<string> {
  const result = await Promise.race([leg, sleep(700)]);
  return result === undefined ? "never answered" : result.status === "failed" ? result.code : result.status;
}

describe("a stop while the source is parsed, in a run with namespaces", () => {
  const tools: CodeModeTool[] = [answering("list", () => 1, { source: "plugin", pluginId: "p" })];

  beforeEach(() =>
    registerCodeModeNamespaceForPlugin("p", {
      id: "issues",
      globalName: "Issues",
      description: "d",
      requiredToolNames: ["list"],
      createScope: async () => {
        await sleep(3000, undefined, { ref: false });
        return { list: createCodeModeNamespaceTool("list") };
      },
    }),
  );
  afterEach(() => clearCodeModeNamespacesForTest());

  it("close answers the leg", async () => {
    const ends: string[] = [];
    for (const delayMs of [2, 4, 6, 8, 10, 12, 14]) {
      const engine = testEngine();
      await openRun(engine).exec({ code: "return 1" });
      const leg = openRun(engine, {}, { tools }).exec({ code: SLOW_TO_PARSE });
      await sleep(delayMs);
      await engine.close();
      ends.push(await answered(leg));
    }
    expect(ends).not.toContain("never answered");
  });

  it("the deadline answers the leg, whatever createScope does", async () => {
    const ends: string[] = [];
    for (const busyMs of [78, 82, 86, 90, 94, 98]) {
      const engine = testEngine({ workerThreads: 1, maxActiveCells: 1 });
      await openRun(engine).exec({ code: "return 1" });
      const other = openRun(engine).exec({ code: `const t = Date.now(); while (Date.now() - t < ${busyMs});` });
      ends.push(await answered(openRun(engine, { timeoutMs: 100 }, { tools }).exec({ code: SLOW_TO_PARSE })));
      await other;
      await engine.close();
    }
    expect(ends).not.toContain("never answered");
  });
});

describe("a heap that is slow to put away", () => {
  const FILL = `
    const a = (globalThis.a = new Uint8Array(5e7));
    for (let i = 0; i < a.length; i += 65536) crypto.getRandomValues(a.subarray(i, i + 65536));`;
  const tookMs = async (run: CodeModeRun, code: string): Promise<number> => {
    const started = performance.now();
    await run.exec({ code });
    return performance.now() - started;
  };

  it("does not hold up the leg at its deadline", async () => {
    const engine = testEngine();
    const slow = answering("slow", async () => sleep(2000, undefined, { ref: false }));
    const run = openRun(engine, { timeoutMs: 500, maxSnapshotBytes: 256 << 20 }, { tools: [slow] });
    expect(await tookMs(run, `${FILL} await tools.slow()`)).toBeLessThan(500 + OVERSHOOT_MS);
    await engine.close();
  });
});

describe("limits that were too narrow or too wide", () => {
  it("a contract holds for details nested 200 levels deep", async () => {
    const engine = testEngine();
    const deep = (): unknown => Array.from({ length: 200 }).reduce((inner) => [inner], 1);
    const run = openRun(engine, {}, { tools: [answering("deep", deep, { outputSchema: { type: "array" } })] });
    const result = await run.exec({ code: "return Array.isArray(await tools.deep({}))" });
    await engine.close();
    expect(valueOf(result)).toBe(true);
  });

  it("truncated output counts the error too", async () => {
    const engine = testEngine();
    const run = openRun(engine, { maxOutputBytes: 1024, outputOverflow: "truncate" });
    const result = await run.exec({ code: 'console.log("x".repeat(900)); throw new Error("e".repeat(5000))' });
    await engine.close();
    const error = result.status === "failed" ? result.error : "";
    expect(JSON.stringify(result.output).length + error.length).toBeLessThan(1300);
  });

  it("a small value outlives truncated output", async () => {
    const engine = testEngine();
    const run = openRun(engine, { maxOutputBytes: 1024, outputOverflow: "truncate" });
    const result = await run.exec({ code: 'console.log("x".repeat(5000)); return 42' });
    await engine.close();
    expect(valueOf(result)).toBe(42);
  });
});
