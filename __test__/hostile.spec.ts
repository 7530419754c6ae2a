/**
 * The promises of the limits, on hostile programs: each ends in time with its own code, the gateway's event loop never
 * stalls, the engine works on, and nothing goes on burning CPU. Every case runs twice in a row in this process.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeModeEngine, CodeModeRun } from "../index.js";
import { openRun, readCases, testEngine, valueOf } from "./helpers.js";

const TIMEOUT_MS = 500;
const OVERSHOOT_MS = 100;
const LOOP_RESOLUTION_MS = 10;
const MAX_STALL_MS = 50;
const IDLE_WINDOW_MS = 300;
/** Timers and the test runner itself take some; a spinning thread takes the whole window. */
const MAX_IDLE_CPU_MS = 60;

const { cases } = readCases("hostile") as { cases: { name: string; code: string; detailCodes: string[] }[] };

describe("hostile programs", () => {
  let engine: CodeModeEngine;
  let run: CodeModeRun;
  beforeAll(async () => {
    engine = testEngine();
    run = openRun(engine, { timeoutMs: TIMEOUT_MS, memoryLimitBytes: 32 * 1024 * 1024 });
    expect(valueOf(await run.exec({ code: "return 1 + 1" }))).toBe(2);
  });
  afterAll(() => engine.close());

  describe.each(cases)("$name", ({ code, detailCodes }) => {
    // Other load on the machine shows as a stall too, now and then; a real one shows every time.
    it.each(["first", "second"])("%s time", { retry: 2 }, async () => {
      const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
      loop.enable();
      const started = performance.now();
      const result = await run.exec({ code });
      const tookMs = performance.now() - started;
      loop.disable();

      expect(result).toMatchObject({ status: "failed", detailCode: expect.toBeOneOf(detailCodes) });
      expect(tookMs).toBeLessThan(TIMEOUT_MS + OVERSHOOT_MS);
      expect(loop.max / 1e6 - LOOP_RESOLUTION_MS).toBeLessThan(MAX_STALL_MS);
      expect(valueOf(await run.exec({ code: "return 6 * 7" }))).toBe(42);

      const before = process.cpuUsage();
      await sleep(IDLE_WINDOW_MS);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(MAX_IDLE_CPU_MS);
    });
  });

  it("loses no worker, and ends the never-polling ones from outside", () => {
    expect(engine.stats()).toMatchObject({ lostWorkers: 0, activeCells: 0, queuedCells: 0 });
    expect(engine.stats().hardStops).toBeGreaterThan(0);
  });
});
