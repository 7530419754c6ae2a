/** Cells through the public API: concurrency, aborts, neighbours, memory, crashes, and misuse by the host's programmer. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CodeModeEngine } from "../index.js";
import type { CodeModeEvent, CodeModeTool, NestedToolCall, ToolResult } from "../index.js";
import { answering, openRun, testEngine, valueOf } from "./helpers.js";

let engine: CodeModeEngine;

beforeAll(() => {
  process.env.CODE_MODE_TEST_HOOKS = "1";
  engine = testEngine();
  delete process.env.CODE_MODE_TEST_HOOKS;
});
afterAll(() => engine.close());

const slow = (ms: number, name = "slow"): CodeModeTool =>
  answering(name, async (input) => {
    await sleep(ms);
    return input;
  });

describe("many cells", () => {
  test("1,000 with slow tools take about as long as the slowest", async () => {
    const wide = testEngine({ maxActiveCells: 1000 });
    const run = openRun(wide, {}, { tools: [slow(200)] });
    const started = performance.now();
    const results = await Promise.all(
      Array.from({ length: 1000 }, (_, n) => run.exec({ code: `return (await tools.slow({ n: ${n} })).n` })),
    );
    const took = performance.now() - started;
    expect(results.map(valueOf)).toEqual(results.map((_, n) => n));
    // One after the other would be 200 s, two at a time 100 s; the bench has the exact figure.
    expect(took).toBeLessThan(3000);
    await wide.close();
  });

  test("more than may be active at once queue and lose nothing", async () => {
    const narrow = testEngine({ maxActiveCells: 4 });
    const run = openRun(narrow, {}, { tools: [slow(5)] });
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, n) => run.exec({ code: `return (await tools.slow({ n: ${n} })).n` })),
    );
    expect(results.map(valueOf)).toEqual(results.map((_, n) => n));
    expect(narrow.stats()).toMatchObject({ activeCells: 0, queuedCells: 0, cellsStarted: 60, cellsFinished: 60 });
    await narrow.close();
  });

  test("20,000 trivial cells leave memory flat", { timeout: 120_000 }, async () => {
    const run = openRun(engine);
    const batch = async (cells: number): Promise<void> => {
      for (let done = 0; done < cells; done += 100) {
        await Promise.all(Array.from({ length: 100 }, () => run.exec({ code: "return 1 + 1" })));
      }
      globalThis.gc?.();
    };
    await batch(5000);
    const before = process.memoryUsage().rss;
    await batch(20_000);
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(48);
  });

  test("guests that compute do not starve others", async () => {
    const run = openRun(engine, { timeoutMs: 2000 });
    const busy = Array.from({ length: 4 }, () => run.exec({ code: "for (;;);" }));
    await sleep(30);
    const started = performance.now();
    expect(valueOf(await run.exec({ code: "return 6 * 7" }))).toBe(42);
    expect(performance.now() - started).toBeLessThan(1000);
    for (const result of await Promise.all(busy)) {
      expect(result).toMatchObject({ status: "failed", code: "timeout" });
    }
  });
});

describe("ends of a cell", () => {
  test("a crash inside QuickJS ends its cell and no other", async () => {
    const run = openRun(engine, {}, { tools: [slow(100)] });
    const neighbour = run.exec({ code: "const r = await tools.slow({ a: 1 }); return r.a" });
    const before = engine.stats().crashes;
    const crashed = await run.exec({ code: "text('before'); __crash(); return 1" });
    expect(crashed).toMatchObject({
      status: "failed",
      code: "runtime_unavailable",
      detailCode: "runtime_unavailable",
      output: [{ type: "text", text: "before" }],
    });
    expect(engine.stats().crashes).toBe(before + 1);
    expect(valueOf(await run.exec({ code: "return 1" }))).toBe(1);
    expect(valueOf(await neighbour)).toBe(1);
  });

  test("the crash hook does not exist in an ordinary engine", async () => {
    const plain = testEngine();
    expect(valueOf(await openRun(plain).exec({ code: "return typeof __crash" }))).toBe("undefined");
    await plain.close();
  });

  test.each([
    ["a loop", "for (;;);"],
    ["a built-in that never polls", "return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)"],
    ["a nested call", "return await tools.never({})"],
    ["a timer", "await new Promise((resolve) => setTimeout(resolve, 60000))"],
  ])("an abort during %s is answered at once", async (_, code) => {
    let seen: AbortSignal | undefined;
    const never: CodeModeTool = {
      name: "never",
      description: "",
      parameters: {},
      execute: (_id, _input, signal) => {
        seen = signal;
        return new Promise(() => {});
      },
    };
    const run = openRun(engine, {}, { tools: [never] });
    const controller = new AbortController();
    const result = run.exec({ code }, { signal: controller.signal });
    await sleep(50);
    const started = performance.now();
    controller.abort();
    expect(await result).toMatchObject({ status: "failed", code: "aborted", error: "code mode execution aborted" });
    expect(performance.now() - started).toBeLessThan(150);
    if (code.includes("never")) {
      await sleep(5);
      expect(seen?.aborted).toBe(true);
    }
  });

  test("a signal aborted before the start lets nothing run", async () => {
    const called: unknown[] = [];
    const run = openRun(engine, {}, { tools: [answering("note", (input) => called.push(input))] });
    const result = await run.exec({ code: "await tools.note({}); return 1" }, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ status: "failed", code: "aborted" });
    expect(called).toEqual([]);
  });

  test("closing the run aborts its cells and later calls", async () => {
    const run = openRun(engine, {}, { tools: [slow(10_000)] });
    const result = run.exec({ code: "await tools.slow({})" });
    await sleep(30);
    run.close();
    expect(await result).toMatchObject({ status: "failed", code: "aborted" });
    expect(await run.exec({ code: "return 1" })).toMatchObject({ status: "failed", code: "aborted" });
  });

  test("closing the engine aborts everything and answers later calls", async () => {
    const own = testEngine();
    const run = openRun(own, {}, { tools: [slow(10_000)] });
    const waiting = [run.exec({ code: "await tools.slow({})" }), run.exec({ code: "for (;;);" })];
    await sleep(30);
    await Promise.all([own.close(), own.close()]);
    for (const result of await Promise.all(waiting)) {
      expect(result).toMatchObject({ status: "failed", code: "aborted" });
    }
    expect(await run.exec({ code: "return 1" })).toMatchObject({ status: "failed", code: "runtime_unavailable" });
    expect(own.stats()).toMatchObject({ workers: 0, activeCells: 0 });
  });

  test("replies that come after the end are dropped and counted", async () => {
    let settle: ((result: ToolResult) => void) | undefined;
    const tool: CodeModeTool = {
      name: "late",
      description: "",
      parameters: {},
      execute: () => new Promise((resolve) => (settle = resolve)),
    };
    const run = openRun(engine, {}, { tools: [tool] });
    const controller = new AbortController();
    const result = run.exec({ code: "await tools.late()" }, { signal: controller.signal });
    await sleep(30);
    const before = engine.stats().lateReplies;
    controller.abort();
    await result;
    settle?.({ content: [] });
    await sleep(20);
    expect(engine.stats().lateReplies).toBe(before + 1);
  });
});

describe("nested calls", () => {
  test("carry ids, context, signal and updates", async () => {
    const calls: NestedToolCall[] = [];
    const events: CodeModeEvent[] = [];
    const updates: ToolResult[] = [];
    const context = { agentId: "a", sessionId: "s", sessionKey: "k", runId: "r", sender: { id: 7 } };
    const run = openRun(
      engine,
      {},
      {
        context,
        tools: [answering("read", () => 1)],
        onEvent: (event) => events.push(event),
        callTool: async (call) => {
          calls.push(call);
          call.onUpdate({ content: [{ type: "text", text: "half" }] });
          return call.tool.execute!(call.toolCallId, call.input, call.signal, call.onUpdate);
        },
      },
    );
    await run.exec(
      { code: "await tools.read({ a: 1 }); await tools.call('openclaw:core:read', { b: 2 })" },
      { toolCallId: "call_9", onUpdate: (partial) => updates.push(partial) },
    );
    expect(calls.map(({ toolCallId, parentToolCallId, input }) => [toolCallId, parentToolCallId, input])).toEqual([
      ["call_9/read/1", "call_9", { a: 1 }],
      ["call_9/read/2", "call_9", { b: 2 }],
    ]);
    expect(calls[0]?.context).toEqual(context);
    expect(updates).toHaveLength(2);
    expect(events.map(({ type }) => type)).toEqual([
      "cell_started",
      "tool_started",
      "tool_updated",
      "tool_finished",
      "tool_started",
      "tool_updated",
      "tool_finished",
      "cell_finished",
    ]);
  });

  test("sequential tools run alone and in order", async () => {
    const log: string[] = [];
    const logged = (name: string, more: Partial<CodeModeTool> = {}): CodeModeTool =>
      answering(
        name,
        async (input) => {
          log.push(`+${name}${(input as { n: number }).n}`);
          await sleep(5);
          log.push(`-${name}${(input as { n: number }).n}`);
        },
        more,
      );
    const run = openRun(engine, {}, { tools: [logged("a"), logged("s", { executionMode: "sequential" })] });
    await run.exec({ code: "await Promise.all([tools.a({n:1}), tools.s({n:2}), tools.s({n:3}), tools.a({n:4})])" });
    expect(log).toEqual(["+a1", "-a1", "+s2", "-s2", "+s3", "-s3", "+a4", "-a4"]);
  });

  test("never more than maxPendingToolCalls at once; a burst over the queue is refused whole", async () => {
    let now = 0;
    let most = 0;
    let total = 0;
    const tool = answering("count", async () => {
      total += 1;
      now += 1;
      most = Math.max(most, now);
      await sleep(1);
      now -= 1;
    });
    const run = openRun(engine, { maxPendingToolCalls: 4 }, { tools: [tool] });
    expect(valueOf(await run.exec({ code: "return (await Promise.all(Array.from({length: 132}, () => tools.count()))).length" }))).toBe(132); // prettier-ignore
    expect([most, total]).toEqual([4, 132]);
    const refused = await run.exec({
      code: "try { await Promise.all(Array.from({length: 133}, () => tools.count())) } catch (e) { return e.message }",
    });
    expect(valueOf(refused)).toBe("too many pending code mode tool calls");
    expect(total).toBe(132);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
      "broken",
    ],
    ["rejects with a string", () => Promise.reject("just text"), "just text"],
    ["rejects with nothing", () => Promise.reject(undefined), "the tool failed without saying why"],
    [
      "returns nothing",
      () => undefined,
      'tool "odd" returned undefined instead of a tool result { content, details? }.',
    ],
    ["returns a number", () => 7, 'tool "odd" returned number instead of a tool result { content, details? }.'],
    [
      "gives a cycle",
      () => {
        const a: Record<string, unknown> = {};
        a.a = a;
        return { content: [], details: a };
      },
      "Converting circular structure to JSON",
    ],
    [
      "is an error",
      () => ({ content: [{ type: "text", text: "denied by policy" }], isError: true }),
      "denied by policy",
    ],
    [
      "throws in a getter",
      () => ({
        content: [],
        get details() {
          throw new Error("getter");
        },
      }),
      "getter",
    ],
  ] as [string, () => unknown, string][])("a tool that %s is a catchable error", async (_, execute, message) => {
    const tool = { name: "odd", description: "", parameters: {}, execute } as unknown as CodeModeTool;
    const run = openRun(engine, {}, { tools: [tool] });
    const code = "try { await tools.odd() } catch (e) { return [e instanceof Error, e.message, Object.keys(e), /node|file:/.test(e.stack)] }"; // prettier-ignore
    const [isError, text, , leaks] = valueOf(await run.exec({ code })) as [boolean, string, string[], boolean];
    expect([isError, text.split("\n")[0], leaks]).toEqual([true, message, false]);
  });

  test("an error's code and details cross as data", async () => {
    const error = Object.assign(new Error("no"), { code: "E_NO", details: { at: [1] } });
    const run = openRun(engine, {}, { tools: [answering("no", () => Promise.reject(error))] });
    const code = "try { await tools.no() } catch (e) { return { code: e.code, details: e.details } }";
    expect(valueOf(await run.exec({ code }))).toEqual({ code: "E_NO", details: { at: [1] } });
  });

  test("a result larger than the guest's memory is a catchable error", async () => {
    const run = openRun(engine, { memoryLimitBytes: 2 ** 20 }, { tools: [answering("big", () => "x".repeat(4e6))] });
    const code = "try { await tools.big() } catch (e) { return e.message }";
    expect(valueOf(await run.exec({ code }))).toMatch(/^the tool result is too large for the guest: 4000002 bytes/u);
  });

  test("a guest cannot break accounting by replacing what it can reach", async () => {
    const run = openRun(engine, {}, { tools: [answering("one", () => 1)] });
    const code = `
      Promise.prototype.then = () => { throw 1 }; Promise.resolve = null; JSON.stringify = () => "no"; JSON.parse = () => 0;
      Array.prototype.push = () => { throw 2 }; Object.defineProperty(Array.prototype, "0", { set() {}, get() { return "evil" } });
      Object.prototype.toJSON = undefined; Map.prototype.get = null; Reflect.apply = null; Function.prototype.call = null;
      Object.defineProperty(Promise, Symbol.species, { get() { throw 4 } });
      String.prototype.split = null; Error.prepareStackTrace = () => { throw 5 };
      tools.one(); const two = await tools.one(); return { two, list: [1, 2] };`;
    const result = await run.exec({ code });
    expect(valueOf(result)).toEqual({ two: 1, list: [1, 2] });
    expect(result.telemetry.callCount).toBe(2);
  });
});

describe("misuse by the host's programmer", () => {
  test.each([
    [() => engine.openRun(undefined as never), "run options must be an object with at least { tools }."],
    [() => engine.openRun({ tools: "x" } as never), "tools must be an array of tools."],
    [() => engine.openRun({ tools: [{}] } as never), "tools[0].name must be a non-empty string."],
    [() => engine.openRun({ tools: [], callTool: 1 } as never), "run option callTool must be a function."],
    [() => engine.openRun({ tools: [], signal: {} } as never), "signal must be an AbortSignal."],
    [() => new CodeModeEngine({ workerThreads: 0 }), "workerThreads must be an integer from 1 to 64, not 0."],
    [
      () => new CodeModeEngine({ maxActiveCells: "9" } as never),
      "maxActiveCells must be an integer from 1 to 1000000, not 9.",
    ],
  ])("%# throws a clear error", (misuse, message) => {
    expect(misuse).toThrow(message);
  });

  test("exec and wait reject for wrong arguments and resolve for a model's mistakes", async () => {
    const run = openRun(engine);
    await expect(run.exec("return 1" as never)).rejects.toThrow(new TypeError("exec input must be an object."));
    await expect(run.wait({}, { signal: 1 as never })).rejects.toThrow("signal must be an AbortSignal.");
    for (const [input, error] of [
      [{}, "code must be a non-empty string holding the program to run."],
      [{ code: " \n" }, "code must be a non-empty string holding the program to run."],
      [{ code: 5 }, "code must be a string holding the program to run."],
      [{ code: "1", command: "2" }, "code and command must match when both are provided."],
      [{ code: "1", restartSafe: "yes" }, "restartSafe must be a boolean."],
      [{ code: "1", language: "python" }, 'unknown language "python": language must be "javascript" or "typescript".'],
      [{ code: "1", language: 3 }, 'language must be "javascript" or "typescript".'],
    ] as [object, string][]) {
      expect(await run.exec(input)).toMatchObject({ status: "failed", code: "invalid_input", error });
    }
    expect(valueOf(await run.exec({ command: "return 5" }))).toBe(5);
  });

  test("listeners that throw harm nothing", async () => {
    const run = openRun(engine, {}, { tools: [answering("a", () => 1)], onEvent: () => { throw new Error("listener"); } }); // prettier-ignore
    expect(valueOf(await run.exec({ code: "return await tools.a()" }, { onUpdate: () => { throw new Error("x"); } }))).toBe(1); // prettier-ignore
  });
});
