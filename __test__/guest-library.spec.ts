/** The globals a guest finds, what it cannot do to them, and what it does not find. `fidelity/library/` has the rest. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeModeEngine, CodeModeResult, CodeModeRun, CodeModeTool } from "../index.js";
import { answering, openRun, testEngine, valueOf } from "./helpers.js";

const tools: CodeModeTool[] = [
  answering("read", (input) => input, { parameters: { type: "object", properties: { path: { type: "string" } } } }),
  answering("write", (input) => input, { source: "plugin", pluginId: "files" }),
  answering("dash-ed", (input) => input),
  answering("then", () => "then"),
  answering("search", () => "shadowed"),
  answering("remote", () => 1, { source: "mcp", mcp: { serverName: "srv", toolName: "remote" } }),
];

let engine: CodeModeEngine;
let run: CodeModeRun;
beforeAll(() => {
  engine = testEngine();
  run = openRun(engine, {}, { tools });
});
afterAll(() => engine.close());

const value = async (code: string): Promise<unknown> => valueOf(await run.exec({ code }));

const GLOBALS = ["ALL_TOOLS", "tools", "API", "namespaces", "MCP", "text", "json", "yield_control"];
/** What each attempt gives: the name of its error, or what it returned. */
const attempts = (...code: string[]): string =>
  `"use strict"; const tries = [${code.map((each) => `() => ${each}`).join(", ")}];
   return tries.map((run) => { try { return String(run()); } catch (error) { return error.name; } });`;

describe("the globals", () => {
  it.each(GLOBALS)("%s cannot be replaced, removed or redefined", async (name) => {
    const code = `
      const before = globalThis.${name};
      const results = [];
      for (const change of [
        () => { "use strict"; globalThis.${name} = 1; },
        () => { "use strict"; delete globalThis.${name}; },
        () => Object.defineProperty(globalThis, "${name}", { value: 1 }),
        () => Object.defineProperty(globalThis, "${name}", { get() { return 1; } }),
        () => (0, eval)("'use strict'; ${name} = 1"),
        () => (0, eval)("function ${name}() {}"),
      ]) {
        try { change(); results.push("changed"); } catch (error) { results.push(error.name); }
      }
      globalThis.${name} = 1;
      (0, eval)("var ${name} = 1");
      results.push(globalThis.${name} === before);
      const { configurable, enumerable, writable, set } = Object.getOwnPropertyDescriptor(globalThis, "${name}");
      return [...results, configurable, enumerable, writable ?? false, typeof set];`;
    const refused = Array.from({ length: 6 }, () => "TypeError");
    expect(await value(code)).toEqual([...refused, true, false, true, false, "undefined"]);
  });

  it("may be shadowed by the program's own names", async () => {
    expect(await value("const text = (x) => x + 1; const tools = { a: 2 }; return text(tools.a)")).toBe(3);
  });

  it("exist only when there is something behind them", async () => {
    const plain = openRun(engine, {}, { tools: [tools[0]!] });
    const code = "return ['MCP', 'agents', 'phase', 'log', '__crash'].map((name) => name in globalThis)";
    expect(valueOf(await plain.exec({ code }))).toEqual([false, false, false, false, false]);
    expect(await value("return 'MCP' in globalThis")).toBe(true);
  });

  it("are all there is: nothing of Node, a browser or QuickJS's own shell", async () => {
    const names =
      "fetch process require module exports Buffer global __dirname __filename WebAssembly Deno Bun std os bjson print gc " +
      "scriptArgs loadScript XMLHttpRequest WebSocket EventSource Worker SharedWorker MessageChannel BroadcastChannel navigator " +
      "window self document location localStorage indexedDB caches importScripts setImmediate host shared controller";
    expect(await value(`return ${JSON.stringify(names.split(" "))}.filter((name) => name in globalThis)`)).toEqual([]);
    expect(await value("return Object.keys(globalThis).toSorted()")).toEqual([...GLOBALS].toSorted());
  });

  it("show nothing of how they are made", async () => {
    const code = `
      const functions = [text, json, yield_control, tools.read, tools.call, API.list, console.log, setTimeout, MCP.srv.remote];
      return functions.flatMap((each) => ["caller", "arguments", "prototype"].map((key) => {
        try { return typeof each[key]; } catch (error) { return error.name; }
      }).concat(String(each).includes("[native code]")));`;
    const perFunction = ["TypeError", "TypeError", "undefined", true];
    expect(await value(code)).toEqual(Array.from({ length: 9 }, () => perFunction).flat());
    const caller =
      "const seen = []; json({ toJSON() { try { seen.push(typeof arguments.callee.caller); } catch (e) { seen.push(e.name); } } }); return seen";
    expect(["TypeError", "undefined", "object"]).toContain(((await value(caller)) as string[])[0]);
    const sites =
      "let called = 0; Error.prepareStackTrace = () => { called++; }; json({ toJSON() { return new Error('x').stack; } }); return called";
    expect(await value(sites)).toBe(0);
  });
});

describe("ALL_TOOLS", () => {
  it("is deeply frozen, always the same, and leaves MCP out", async () => {
    const code = `
      const deep = (value) => typeof value !== "object" || value === null || (Object.isFrozen(value) && Reflect.ownKeys(value).every((key) => deep(value[key])));
      return [deep(ALL_TOOLS), ALL_TOOLS === globalThis.ALL_TOOLS, Array.isArray(ALL_TOOLS), ALL_TOOLS.map(({ id }) => id)];`;
    const ids = ["dash-ed", "read", "search", "then"].map((name) => `openclaw:core:${name}`);
    expect(await value(code)).toEqual([true, true, true, [...ids, "openclaw:files:write"]]);
  });

  it("refuses every change", async () => {
    const code = attempts(
      "ALL_TOOLS.push(1)",
      "(ALL_TOOLS[0] = 1)",
      "(ALL_TOOLS.length = 0)",
      "ALL_TOOLS.reverse()",
      "(ALL_TOOLS[0].name = 'x')",
      "delete ALL_TOOLS[0].id",
      "Object.defineProperty(ALL_TOOLS[0], 'more', { value: 1 })",
      "Object.setPrototypeOf(ALL_TOOLS, null)",
    );
    expect(await value(code)).toEqual(Array.from({ length: 8 }, () => "TypeError"));
  });

  it("has entries with these fields only", async () => {
    expect(await value("return ALL_TOOLS.find(({ name }) => name === 'write')")).toEqual({
      id: "openclaw:files:write",
      name: "write",
      description: "about write",
      source: "openclaw",
      sourceName: "files",
      input: expect.any(String),
    });
  });
});

describe("tools", () => {
  it("is a frozen object without a prototype", async () => {
    const code = `
      const keys = Object.keys(tools);
      return {
        frozen: Object.isFrozen(tools), sealed: Object.isSealed(tools), extensible: Object.isExtensible(tools),
        prototype: Object.getPrototypeOf(tools), keys, own: Reflect.ownKeys(tools).length === keys.length,
        loop: (() => { const seen = []; for (const key in tools) seen.push(key); return seen.length === keys.length; })(),
        in: ["read", "call", "dash_ed", "nope", "then", "toString", "constructor", "__proto__", "remote"].map((key) => key in tools),
        missing: [tools.nope, tools.then, tools.toString, tools.__proto__, tools[Symbol.iterator], tools.remote].every((each) => each === undefined),
        stable: tools.read === tools.read && Object.entries(tools).find(([key]) => key === "read")[1] === tools.read,
        named: tools.read.name, functions: Object.values(tools).every((each) => typeof each === "function" && Object.isFrozen(each)),
        json: JSON.stringify(tools), spread: typeof { ...tools }.read, type: typeof tools,
        descriptor: Object.getOwnPropertyDescriptor(tools, "read").writable,
      };`;
    expect(await value(code)).toEqual({
      frozen: true,
      sealed: true,
      extensible: false,
      prototype: null,
      keys: ["search", "describe", "call", "callValue", "dash_ed", "read", "write"],
      own: true,
      loop: true,
      in: [true, true, true, false, false, false, false, false, false],
      missing: true,
      stable: true,
      named: "read",
      functions: true,
      json: "{}",
      spread: "function",
      type: "object",
      descriptor: false,
    });
  });

  it("throws at every change in strict code", async () => {
    const code = attempts(
      "(tools.read = 1)",
      "(tools.fresh = 1)",
      "delete tools.read",
      "Object.defineProperty(tools, 'z', { value: 1 })",
      "Object.setPrototypeOf(tools, {})",
      "(tools.read.extra = 1)",
      "Object.assign(tools, { read: 1 })",
    );
    expect(await value(code)).toEqual(Array.from({ length: 7 }, () => "TypeError"));
    expect(await value("tools.read = 1; delete tools.read; return typeof tools.read")).toBe("function");
  });

  it("may be returned from an async function: it is not thenable", async () => {
    expect(await value("const give = async () => tools; return typeof (await give()).read")).toBe("function");
  });

  it("does not see what a program does to Object.prototype", async () => {
    const code = `
      Object.prototype.evil = 1; Object.prototype.get = () => "evil";
      Object.defineProperty(Object.prototype, "value", { get() { return "evil"; }, set() {}, configurable: true });
      return ["evil" in tools, tools.evil === undefined, await tools.read({ a: 1 }), typeof tools.write];`;
    expect(await value(code)).toEqual([false, true, { a: 1 }, "function"]);
  });
});

describe("API", () => {
  it("lists files with their sizes in bytes", async () => {
    const { files } = (await value("return await API.list()")) as { files: { path: string; bytes: number }[] };
    expect(files.map(({ path }) => path)).toEqual([
      "mcp/index.d.ts",
      "mcp/srv.d.ts",
      ...["dash_ed", "openclaw_core_search", "openclaw_core_then", "read", "write"].map((name) => `tools/${name}.d.ts`),
    ]);
    const code = `
      const { files } = await API.list();
      return await Promise.all(files.map(async ({ path, bytes, description }) => {
        const file = await API.read(path);
        return file.bytes === bytes && file.description === description && file.path === path && new TextEncoder().encode(file.content).length === bytes;
      }));`;
    expect(await value(code)).toEqual(files.map(() => true));
  });

  it.each([
    ["API.list('tools')", 5],
    ["API.list('/mcp/')", 2],
    ["API.list('nothing')", 0],
    ["API.list('')", 7],
    ["API.list('..')", "Error: Invalid API path: .."],
    ["API.list(5)", "TypeError: API.list prefix must be a string."],
    ["API.read('/tools/read.d.ts/')", "tools/read.d.ts"],
    ["API.read('nope')", "Error: Unknown API file: nope. API.list() shows all files."],
    ["API.read('../secret')", "Error: Invalid API path: ../secret"],
    ["API.read('a/./b')", "Error: Invalid API path: a/./b"],
    ["API.read('mcp//srv.d.ts')", "Error: Invalid API path: mcp//srv.d.ts"],
    ["API.read('')", "Error: Invalid API path: "],
    ["API.read()", "TypeError: API.read path must be a string."],
    ["API.read({ toString: () => 'tools/read.d.ts' })", "TypeError: API.read path must be a string."],
  ])("%s", async (call, expected) => {
    const code = `return await ${call}.then(({ files, path }) => path ?? files.length, (error) => error.name + ": " + error.message)`;
    expect(await value(code)).toBe(expected);
  });

  it("makes no call to the host, and is frozen", async () => {
    const before = run.telemetry().callCount;
    const code = `const { files } = await API.list(); for (const { path } of files) await API.read(path);
      return [Object.isFrozen(API), Object.getPrototypeOf(API), Object.keys(API), Object.isFrozen(API.list)];`;
    expect(await value(code)).toEqual([true, null, ["list", "read"], true]);
    expect(run.telemetry().callCount).toBe(before);
  });
});

describe("output", () => {
  it("keeps text, json and console in the order of the calls, with levels", async () => {
    const code = `
      text("a"); json({ b: [1, null] }); console.log("c", { d: 1 }, [2]); text({ e: new Map([["f", 1]]) }); console.info("g");
      console.warn("h"); console.error(new RangeError("i")); console.debug("j"); text(undefined); json(undefined); text(""); text(5n);
      console.log("%s is %d", "k", 1, "more"); console.log();
      return [text("last"), json(1), console.log("end")];`;
    const result: CodeModeResult = await run.exec({ code });
    expect(valueOf(result)).toEqual([null, null, null]);
    const text = (line: string): unknown => ({ type: "text", text: line });
    const json = (item: unknown): unknown => ({ type: "json", value: item });
    expect(result.output).toEqual([
      text("a"),
      json({ b: [1, null] }),
      text("c { d: 1 } [ 2 ]"),
      text('{"e":{"f":1}}'),
      text("g"),
      text("[warn] h"),
      text("[error] RangeError: i"),
      text("[debug] j"),
      text("null"),
      json(null),
      text(""),
      text('"5"'),
      text("k is 1 more"),
      text(""),
      text("last"),
      json(1),
      text("end"),
    ]);
  });

  it("works when the program has replaced what it could be made with", async () => {
    const code = `
      JSON.stringify = () => "evil"; Array.prototype.push = () => { throw 1; }; String.prototype.slice = null; Array.prototype.join = null;
      console = null; globalThis.Map = null; Object.keys = () => ["evil"]; Symbol.prototype.toString = null;
      text({ a: 1 }); json([1, { b: 2 }]); return { c: 3 };`;
    const result = await run.exec({ code });
    expect(valueOf(result)).toEqual({ c: 3 });
    expect(result.output).toEqual([
      { type: "text", text: '{"a":1}' },
      { type: "json", value: [1, { b: 2 }] },
    ]);
  });
});

describe("yield_control", () => {
  it.each([
    ["yield_control('why')", { status: "yielded", reason: "why" }],
    ["yield_control()", { status: "yielded" }],
    ["yield_control({ step: [1] })", { status: "yielded", reason: { step: [1] } }],
  ])("%s suspends once and tells its reason", async (call, told) => {
    const first = await run.exec({ code: `text("before"); const told = await ${call}; text("after"); return told` });
    expect(first).toMatchObject({
      status: "waiting",
      reason: "yield",
      pendingToolCalls: [],
      output: [{ type: "text", text: "before" }],
    });
    const second = await run.wait({ runId: (first as { runId: string }).runId });
    expect(valueOf(second)).toEqual(told);
    expect(second.output).toEqual([{ type: "text", text: "after" }]);
  });
});

describe("time and chance", () => {
  it("is in UTC", async () => {
    const code = `return [new Date(2024, 6, 1, 12).toISOString(), new Date(0).getTimezoneOffset(), new Date(0).toString(),
      new Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(0).toLocaleTimeString()]`;
    expect(await value(code)).toEqual([
      "2024-07-01T12:00:00.000Z",
      0,
      "Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)",
      "UTC",
      "12:00:00 AM",
    ]);
  });

  it("never gives two cells the same random sequence, nor one cell its own again after a wait", async () => {
    const code = `const draw = () => [Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint32Array(4)).join()];
      const first = draw(); await yield_control(); return [first, draw()];`;
    const drawn = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const waiting = await run.exec({ code });
        return valueOf(await run.wait({ runId: (waiting as { runId: string }).runId })) as unknown[][];
      }),
    );
    const plain = await Promise.all(Array.from({ length: 400 }, () => value("return Math.random()")));
    const other = testEngine();
    const elsewhere = valueOf(await openRun(other).exec({ code: "return Math.random()" }));
    await other.close();
    const all = [...drawn.flat(2), ...plain, elsewhere];
    expect(new Set(all).size).toBe(40 * 2 * 3 + 400 + 1);
  });

  it("does not block: Atomics.wait throws", async () => {
    const code = `try { return Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0, 10); } catch (error) { return error.name; }`;
    expect(await value(code)).toBe("TypeError");
    expect(await value("return typeof Atomics.waitAsync")).toBe("undefined");
  });
});
