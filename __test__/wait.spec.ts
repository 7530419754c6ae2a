/** Suspension and resumption through the public API. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import type { CodeModeEvent, CodeModeResult, CodeModeTool, CodeModeWaitingResult, ToolResult } from "../index.js";
import { answering, openRun, testEngine, valueOf } from "./helpers.js";

const engine = testEngine({ maxSuspendedRuns: 64 });
afterAll(() => engine.close());

/** A tool whose calls are settled by the test. */
function manual(name = "slow"): { tool: CodeModeTool; settle: (details: unknown) => void; open: () => number } {
  const waiting: ((result: ToolResult) => void)[] = [];
  return {
    tool: { name, description: "", parameters: {}, execute: () => new Promise((resolve) => waiting.push(resolve)) },
    settle: (details) => waiting.shift()?.({ content: [], details }),
    open: () => waiting.length,
  };
}

function waiting(result: CodeModeResult): CodeModeWaitingResult {
  if (result.status !== "waiting") {
    throw new Error(`expected a waiting result: ${JSON.stringify(result)}`);
  }
  return result;
}

describe("suspension", () => {
  test("on yield, with what the guest gave as the reason", async () => {
    const run = openRun(engine);
    const first = waiting(
      await run.exec({ code: "text('a'); const y = await yield_control('look'); text('b'); return y" }),
    );
    expect(first).toMatchObject({ reason: "yield", pendingToolCalls: [], output: [{ type: "text", text: "a" }] });
    expect(first.runId).toMatch(/^cm_[0-9a-f-]{36}$/u);
    const second = await run.wait({ runId: first.runId });
    expect(valueOf(second)).toEqual({ status: "yielded", reason: "look" });
    expect(second.output).toEqual([{ type: "text", text: "b" }]);
    expect(await run.wait({ runId: first.runId })).toMatchObject({
      status: "failed",
      code: "invalid_input",
      error: "code mode run is unavailable or expired.",
    });
  });

  test("at the deadline with calls open; the parent id stays the exec's", async () => {
    const { tool, settle } = manual();
    const parents: string[] = [];
    const run = openRun(
      engine,
      { timeoutMs: 200 },
      {
        tools: [tool],
        callTool: (call) => {
          parents.push(`${call.parentToolCallId} ${call.toolCallId}`);
          return call.tool.execute!(call.toolCallId, call.input) as Promise<ToolResult>;
        },
      },
    );
    const code = "const a = await tools.slow(); const b = await tools.slow(); return [a, b]";
    const first = waiting(await run.exec({ code }, { toolCallId: "e1" }));
    expect(first).toMatchObject({
      reason: "pending_tools",
      pendingToolCalls: [{ id: "e1/slow/1", method: "callValue", toolId: "openclaw:core:slow" }],
    });
    const kept = waiting(await run.wait({ runId: first.runId }, { toolCallId: "w1" }));
    expect(kept.runId).toBe(first.runId);
    setTimeout(() => settle(1), 20);
    const third = waiting(await run.wait({ run_id: ` ${kept.runId} ` }, { toolCallId: "w2" }));
    expect(third.runId).not.toBe(first.runId);
    settle(2);
    await sleep(5);
    expect(valueOf(await run.wait({ runId: third.runId }, { toolCallId: "w3" }))).toEqual([1, 2]);
    expect(parents).toEqual(["e1 e1/slow/1", "e1 e1/slow/2"]);
  });

  test("replies that arrive while the cell is parked are delivered once, in order of arrival", async () => {
    const a = manual("a");
    const b = manual("b");
    const run = openRun(engine, { timeoutMs: 150 }, { tools: [a.tool, b.tool] });
    const code = `
      const log = [];
      const one = tools.a().then((v) => log.push("a" + v)), two = tools.b().then((v) => log.push("b" + v));
      const first = await Promise.race([one.then(() => "a"), two.then(() => "b")]);
      await Promise.all([one, two]);
      return { log, first };`;
    const parked = waiting(await run.exec({ code }));
    b.settle(2);
    await sleep(5);
    a.settle(1);
    await sleep(5);
    const late = await run.wait({ runId: parked.runId });
    expect(valueOf(late)).toEqual({ log: ["b2", "a1"], first: "b" });
  });

  test("a reply just before the deadline never costs a healthy program its state", { timeout: 30_000 }, async () => {
    const { tool, settle, open } = manual();
    const run = openRun(engine, { timeoutMs: 150 }, { tools: [tool] });
    const code =
      "const held = Array.from({ length: 60000 }, (_, n) => 'text ' + n); const got = await tools.slow(); return held.length + got";
    const seen = new Set<string>();
    for (let round = 0; round < 24; round++) {
      const leg = run.exec({ code });
      let result = await leg;
      expect(open()).toBe(1);
      const again = run.wait({ runId: waiting(result).runId });
      await sleep(130 + round);
      settle(1);
      result = await again;
      seen.add(result.status);
      while (result.status === "waiting") {
        result = await run.wait({ runId: result.runId });
      }
      expect(valueOf(result)).toBe(60_001);
    }
    expect(seen).toContain("completed");
  });

  test("50 times, with state of every kind, gives what never suspending gives", async () => {
    const program = (pause: string): string => `
      const map = new Map(), set = new Set(), weak = new WeakMap(), key = {};
      weak.set(key, 0);
      class Counter { #n = 0; add(k) { this.#n += k; return this.#n } }
      const counter = new Counter();
      function* numbers() { let i = 0; while (true) { const step = yield i; i += step ?? 1 } }
      const generator = numbers(); generator.next();
      const re = /o/g, text = "o".repeat(60);
      const closures = [];
      let big = 1n, timers = 0;
      const late = new Promise((resolve) => setTimeout(() => { timers += 1; resolve("late") }, 30));
      for (let i = 0; i < 50; i++) {
        ${pause}
        map.set(i, { i }); set.add(i % 7); weak.set(key, weak.get(key) + i);
        re.exec(text); closures.push(() => i * 2); big = big * 3n + BigInt(i);
        generator.next(2); counter.add(i);
        const kinds = await Promise.allSettled([Promise.resolve(i), Promise.reject(new Error("e" + i)), Promise.any([Promise.reject(1), Promise.resolve(i)])]);
        map.get(i).kinds = kinds.map((k) => k.status).join();
      }
      return { size: map.size, last: map.get(49), set: [...set], weak: weak.get(key), lastIndex: re.lastIndex,
        closures: closures.reduce((n, f) => n + f(), 0), big: String(big), generator: generator.next(1).value,
        counter: counter.add(0), late: await late, timers };`;
    const run = openRun(engine);
    const straight = valueOf(await run.exec({ code: program("") }));
    let result = await run.exec({ code: program("await yield_control(i);") });
    let suspensions = 0;
    while (result.status === "waiting") {
      suspensions += 1;
      result = await run.wait({ runId: result.runId });
    }
    expect(suspensions).toBe(50);
    expect(valueOf(result)).toEqual(straight);
  });

  test("timers go on while the cell is parked", async () => {
    const run = openRun(engine);
    const code = `
      const log = []; const id = setInterval(() => log.push("tick"), 10);
      setTimeout(() => log.push("timeout"), 15);
      await yield_control(); clearInterval(id); await new Promise((r) => setTimeout(r, 20)); return log.sort()`;
    const parked = waiting(await run.exec({ code }));
    expect(parked.pendingToolCalls.map(({ method }) => method)).toEqual(["timer", "timer"]);
    await sleep(60);
    expect(valueOf(await run.wait({ runId: parked.runId }))).toEqual(["tick", "timeout"]);
  });

  test("restart-safe cells suspend at each call and say that they may be repeated", async () => {
    const run = openRun(
      engine,
      {},
      {
        tools: [
          answering("get", (input) => input, { pluginId: "p", source: "plugin", replaySafe: true }),
          answering("set", () => 1),
        ],
      },
    );
    let result = await run.exec({
      code: "return [await tools.call('openclaw:p:get', {a: 1}).then(r => r.result.details), (await tools.search('get')).length]",
      restartSafe: true,
    });
    let legs = 0;
    while (result.status === "waiting") {
      expect(result).toMatchObject({ reason: "pending_tools", replaySafe: true });
      legs += 1;
      await sleep(5);
      result = await run.wait({ runId: result.runId });
    }
    expect([legs, valueOf(result)]).toEqual([2, [{ a: 1 }, 1]]);
    expect(
      await run.exec({ code: "await tools.set({})", restartSafe: true }).then((r) => finish(run, r)),
    ).toMatchObject({
      status: "failed",
      code: "invalid_input",
      error: "restart-safe code mode cannot call side-effecting tools.",
    });
  });
});

async function finish(run: ReturnType<typeof openRun>, result: CodeModeResult): Promise<CodeModeResult> {
  let last = result;
  while (last.status === "waiting") {
    last = await run.wait({ runId: last.runId });
  }
  return last;
}

describe("refusals leave the cell usable", () => {
  test("unknown, foreign, busy, other session, odd ids", async () => {
    const { tool, settle } = manual();
    const context = { agentId: "a", sessionId: "s", runId: "r" };
    const run = openRun(engine, { timeoutMs: 300 }, { context, tools: [tool] });
    const other = openRun(engine, {}, { context, tools: [tool] });
    const parked = waiting(await run.exec({ code: "return await tools.slow()" }));
    const { runId } = parked;
    for (const [asked, call, error] of [
      [{}, {}, "runId must be a non-empty string: the runId of a waiting result."],
      [{ runId: 7 }, {}, "runId must be a non-empty string: the runId of a waiting result."],
      [
        { runId: "run-1" },
        {},
        'not a code mode runId: a runId is "cm_" and a UUID, as a waiting result of exec or wait gave it.',
      ],
      [{ runId: "cm_00000000-0000-4000-8000-000000000000" }, {}, "code mode run is unavailable or expired."],
      [{ runId }, { context: {} }, "code mode run belongs to a different agent run."],
      [{ runId }, { context: { ...context, runId: "other" } }, "code mode run belongs to a different agent run."],
      [{ runId }, { context: { ...context, sessionId: "other" } }, "code mode run belongs to a different session."],
      [{ runId }, { context: { agentId: "a", runId: "r" } }, "code mode run belongs to a different session."],
    ] as [object, object, string][]) {
      expect(await run.wait(asked, call)).toMatchObject({ status: "failed", code: "invalid_input", detailCode: "invalid_input", error }); // prettier-ignore
    }
    expect(await other.wait({ runId })).toMatchObject({ error: "code mode run belongs to a different agent run." });
    const first = run.wait({ runId });
    expect(await run.wait({ runId })).toMatchObject({
      error: "code mode run is already being resumed.",
      code: "invalid_input",
    });
    settle("done");
    expect(valueOf(await first)).toBe("done");
  });

  test("too many suspended cells; a resumed one keeps its place, an ended one frees it", async () => {
    const small = testEngine({ maxSuspendedRuns: 2 });
    const run = openRun(small);
    const twice = "await yield_control(1); await yield_control(2); return 'ok'";
    const a = waiting(await run.exec({ code: twice }));
    waiting(await run.exec({ code: twice }));
    expect(await run.exec({ code: twice })).toMatchObject({
      status: "failed",
      code: "invalid_input",
      error: "too many suspended code mode runs.",
    });
    const again = waiting(await run.wait({ runId: a.runId }));
    expect(small.stats().suspendedCells).toBe(2);
    expect(valueOf(await run.wait({ runId: again.runId }))).toBe("ok");
    waiting(await run.exec({ code: twice }));
    await small.close();
  });

  test("an image over its limit", async () => {
    const run = openRun(engine, { maxSnapshotBytes: 20_000 });
    const result = await run.exec({
      code: "const keep = Array.from({ length: 20000 }, () => Math.random()); await yield_control(); return keep.length",
    });
    expect(result).toMatchObject({
      status: "failed",
      code: "snapshot_limit_exceeded",
      detailCode: "snapshot_limit_exceeded",
    });
    expect((result as { error: string }).error).toMatch(
      /^code mode snapshot limit exceeded: the suspended state takes \d+ bytes, the limit is 20000 bytes$/u,
    );
  });
});

describe("ends of a parked cell", () => {
  test("its time runs out with no activity", async () => {
    const signals: AbortSignal[] = [];
    const tool: CodeModeTool = {
      name: "slow",
      description: "",
      parameters: {},
      execute: (_id, _input, signal) => {
        signals.push(signal!);
        return new Promise(() => {});
      },
    };
    const events: CodeModeEvent[] = [];
    const run = openRun(
      engine,
      { timeoutMs: 100, snapshotTtlSeconds: 1 },
      { tools: [tool], onEvent: (e) => events.push(e) },
    );
    const { runId } = waiting(await run.exec({ code: "await tools.slow()" }));
    expect(engine.stats().snapshotBytes).toBeGreaterThan(0);
    await sleep(1200);
    expect(engine.stats()).toMatchObject({ suspendedCells: 0, snapshotBytes: 0 });
    expect(signals[0]?.aborted).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: "cell_finished", state: "expired" });
    expect(await run.wait({ runId })).toMatchObject({
      status: "failed",
      code: "invalid_input",
      detailCode: "snapshot_expired",
      error: "code mode run is unavailable or expired.",
    });
    expect(run.telemetry().snapshots).toMatchObject({ taken: 1, restored: 0, expired: 1 });
  });

  test("its exec's signal, its wait's signal, its run's close", async () => {
    for (const end of ["exec", "wait", "run"] as const) {
      const { tool } = manual();
      const run = openRun(engine, { timeoutMs: 150 }, { tools: [tool] });
      const controller = new AbortController();
      const ownSignal = end === "exec" ? { signal: controller.signal } : {};
      const { runId } = waiting(await run.exec({ code: "await tools.slow()" }, ownSignal));
      const leg = run.wait({ runId }, end === "wait" ? { signal: controller.signal } : {});
      await sleep(10);
      if (end === "run") {
        run.close();
      } else {
        controller.abort();
      }
      expect(await leg).toMatchObject({ status: "failed", code: "aborted" });
      expect(engine.stats().suspendedCells).toBe(0);
    }
  });

  test("a tool that rejects after the cell ended is no unhandled rejection", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    let reject: ((error: Error) => void) | undefined;
    const tool: CodeModeTool = {
      name: "slow",
      description: "",
      parameters: {},
      execute: () => new Promise((_, no) => (reject = no)),
    };
    const run = openRun(engine, { timeoutMs: 100 }, { tools: [tool] });
    waiting(await run.exec({ code: "await tools.slow()" }));
    run.close();
    reject?.(new Error("too late"));
    await sleep(20);
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
});

describe("volume", () => {
  test("an exec inside a tool of another cell", async () => {
    const inner = openRun(engine);
    const run = openRun(
      engine,
      {},
      {
        tools: [answering("nested", async () => valueOf(await inner.exec({ code: "return 6 * 7" })))],
      },
    );
    expect(valueOf(await run.exec({ code: "return await tools.nested()" }))).toBe(42);
  });

  test("1,000 park and resume cycles leave memory flat", { timeout: 60_000 }, async () => {
    const run = openRun(engine);
    let result = await run.exec({ code: "for (let i = 0; i < 1300; i++) await yield_control(i); return 'end'" });
    let before = 0;
    for (let cycle = 0; result.status === "waiting"; cycle++) {
      if (cycle === 300) {
        globalThis.gc?.();
        before = process.memoryUsage().rss;
      }
      result = await run.wait({ runId: result.runId });
    }
    expect(valueOf(result)).toBe("end");
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(32);
    expect(engine.stats().suspendedCells).toBe(0);
  });

  test("10,000 parked cells stay small and each resumes, in random order", { timeout: 180_000 }, async () => {
    const wide = testEngine({ maxSuspendedRuns: 10_000 });
    const run = openRun(wide);
    const before = process.memoryUsage().rss;
    const ids: { n: number; runId: string }[] = [];
    for (let n = 0; n < 10_000; n += 100) {
      const batch = Array.from({ length: 100 }, (_, i) =>
        run.exec({ code: `const state = new Map([["n", ${n + i}]]); await yield_control(); return state.get("n")` }),
      );
      for (const [i, result] of (await Promise.all(batch)).entries()) {
        ids.push({ n: n + i, runId: waiting(result).runId });
      }
    }
    expect(wide.stats().suspendedCells).toBe(10_000);
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(500);
    for (let i = ids.length - 1; i > 0; i--) {
      const j = (i * 7919) % (i + 1);
      [ids[i], ids[j]] = [ids[j]!, ids[i]!];
    }
    for (let from = 0; from < ids.length; from += 100) {
      const part = ids.slice(from, from + 100);
      const results = await Promise.all(part.map(({ runId }) => run.wait({ runId })));
      expect(results.map(valueOf)).toEqual(part.map(({ n }) => n));
    }
    expect(wide.stats()).toMatchObject({ suspendedCells: 0, snapshotBytes: 0 });
    await wide.close();
  });
});
