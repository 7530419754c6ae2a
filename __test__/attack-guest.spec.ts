/** Attacks of a guest on the library it shares its realm with, and on the engine behind the bridge. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeModeEngine, CodeModeRun } from "../index.js";
import { answering, openRun, testEngine, valueOf } from "./helpers.js";

let engine: CodeModeEngine;
let run: CodeModeRun;

beforeAll(() => {
  engine = testEngine();
  run = openRun(engine, { timeoutMs: 1000 }, { tools: [answering("t", (input) => input)] });
});
afterAll(() => engine.close());

const value = async (code: string): Promise<unknown> => valueOf(await run.exec({ code }));

describe("the library stays out of reach", () => {
  it("no hook is handed the functions on the stack", async () => {
    const code = `
      const seen = [];
      Error.prepareStackTrace = (error, sites) => { for (const site of sites) seen.push(site.getFunction()); return "" };
      await tools.t({});
      try { await tools.call("nobody") } catch (error) { void error.stack }
      json({ toJSON() { return new Error().stack === "" } });
      console.log(new Proxy({}, { getPrototypeOf() { void new Error().stack; return null } }));
      return seen.length`;
    expect(await value(code)).toBe(0);
  });

  it("no caller of a guest function is told", async () => {
    const code = `
      let seen = "never called";
      json({ get toJSON() { seen = [f()]; return undefined } });
      function f() { return [f.caller, f.arguments, arguments.callee.caller].map((x) => x ?? null) }
      return seen`;
    expect(await value(code)).toEqual([[null, null, null]]);
  });

  it("what stands on Object.prototype is no part of a failure", async () => {
    const result = await run.exec({
      code: `
        for (const key of ["detail", "code", "details", "status"])
          Object.defineProperty(Object.prototype, key, { value: "too_many_pending_tool_calls" });
        await tools.call("nobody")`,
    });
    expect(result).toMatchObject({ status: "failed", code: "internal_error", detailCode: "internal_error" });
  });

  it("lazy parts load whole after every built-in was replaced", async () => {
    const code = `
      const parts = [Object, Array, Map, Set, RegExp, Number, Math, Date, Symbol, Reflect, Uint8Array, ArrayBuffer, BigInt, String, Function, Promise, JSON];
      const { ownKeys, defineProperty } = Reflect;
      for (let i = 0; i < parts.length; i++) for (let j = 0; j < 2; j++) {
        const target = j === 0 ? parts[i] : parts[i].prototype;
        if (target === undefined || target === null) continue;
        const keys = ownKeys(target);
        for (let k = 0; k < keys.length; k++) {
          const key = keys[k];
          if (key === "prototype" || key === "constructor" || key === "length" || key === "name") continue;
          try { defineProperty(target, key, { __proto__: null, get() { throw new Error("taken") }, configurable: true }) } catch {}
        }
      }
      const url = new URL("http://a/b?c=d");
      const clone = structuredClone({ a: 1 });
      return { c: url.href, a: clone.a, n: new Intl.NumberFormat("en").format(1234.5), s: new AbortController().signal.aborted }`;
    expect(await value(code)).toEqual({ c: "http://a/b?c=d", a: 1, n: "1,234.5", s: false });
  });

  it.each([
    `return eval('import("fs")')`,
    `return await new Function('return import("node:fs")')()`,
    `return await Object.getPrototypeOf(async () => {}).constructor('return await import("./x.js")')()`,
    `return eval("import.meta")`,
  ])("no module by way of evaluated text: %s", async (code) => {
    expect(await run.exec({ code })).toMatchObject({ status: "failed", code: "internal_error" });
  });
});

describe("half an emoji", () => {
  it("in a tool id is an unknown tool", async () => {
    expect(await value(String.raw`try { await tools.call("\ud800", {}) } catch (e) { return e.message }`)).toMatch(
      /^Unknown tool id: \ufffd\./u,
    );
  });

  it("in an error loses neither message nor place", async () => {
    expect(await run.exec({ code: String.raw`throw new Error("cut \ud83d")` })).toMatchObject({
      status: "failed",
      error: expect.stringContaining("Error: cut \ufffd"),
      location: { line: 1, column: expect.any(Number) },
    });
  });
});

describe("text that the engine has to read through", () => {
  it.each(["tools.search", "tools.describe", "tools.call", "tools.callValue", "API.read", "API.list"])(
    "%s refuses what is too long",
    async (name) => {
      const code = `try { await ${name}("x".repeat(1e7)) } catch (e) { return e.name + ": " + e.message }`;
      expect(await value(code)).toMatch(/^RangeError: .* is too long: at most 65536 characters\.$/u);
    },
  );
});

describe("timing", () => {
  it("abort at any moment of a cell's life answers each leg once and leaves nothing", async () => {
    const own = testEngine();
    const slow = answering("slow", async () => sleep(5));
    const codes = [
      "return await tools.slow()",
      "await yield_control(); return await tools.slow()",
      "return await Promise.all([tools.slow(), tools.slow(), yield_control()])",
      "for (;;) await tools.slow()",
      "for (;;);",
    ];
    const made = openRun(own, { timeoutMs: 100 }, { tools: [slow] });
    const one = async (index: number): Promise<void> => {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), (index * 7) % 130);
      let result = await made.exec({ code: codes[index % codes.length] ?? "" }, { signal: controller.signal });
      while (result.status === "waiting") {
        const { runId } = result;
        const results = await Promise.all([made.wait({ runId }), made.wait({ runId }), made.wait({ runId })]);
        const served = results.filter((each) => each.status !== "failed" || each.code !== "invalid_input");
        expect(served.length).toBeLessThanOrEqual(1);
        result = served[0] ?? { ...results[0], status: "completed", value: null };
      }
      clearTimeout(timer);
    };
    await Promise.all(Array.from({ length: 150 }, (_, index) => one(index)));
    made.close();
    await expect
      .poll(() => own.stats())
      .toMatchObject({ activeCells: 0, queuedCells: 0, suspendedCells: 0, snapshotBytes: 0 });
    expect(own.stats()).toMatchObject({ crashes: 0, cellsStarted: 150, cellsFinished: 150 });
    await own.close();
  });
});
