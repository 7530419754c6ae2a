/**
 * Attacks through the public API: what tools, listeners, hooks, configurations and schemas may do to the gateway. Each
 * case is a misuse that once got through.
 */
import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  applyCodeMode,
  clearCodeModeNamespacesForTest,
  CodeModeEngine,
  createCodeModeNamespaceTool,
  registerCodeModeNamespaceForPlugin,
  resolveCodeModeConfig,
  validateCodeModeConfig,
} from "../index.js";
import type { CodeModeEvent, CodeModeTool, ToolResult } from "../index.js";
import { answering, openRun, testEngine, valueOf } from "./helpers.js";

const LONE = "\ud83d";

function revoked(): never {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy as never;
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) {
    value = [value];
  }
  return value;
}

function raw(name: string, execute: () => unknown, more: Partial<CodeModeTool> = {}): CodeModeTool {
  return { name, description: "d", parameters: { type: "object" }, execute: execute as () => ToolResult, ...more };
}

let engine: CodeModeEngine;
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeAll(() => {
  engine = testEngine();
  process.on("unhandledRejection", note);
});
afterAll(async () => {
  process.off("unhandledRejection", note);
  await engine.close();
});
afterEach(() => {
  clearCodeModeNamespacesForTest();
  expect(unhandled.splice(0)).toEqual([]);
});

describe("what a tool may throw", () => {
  const fail = async (thrown: unknown): Promise<unknown> => {
    const run = openRun(engine, { timeoutMs: 2000 }, { tools: [raw("t", () => Promise.reject(thrown))] });
    const result = await run.exec({
      code: "try { await tools.t({}) } catch (e) { return [e.message, e.details ?? null] }",
    });
    run.close();
    return valueOf(result);
  };

  it.each([
    ["a revoked proxy", revoked(), ["the tool failed without saying why", null]],
    ["a message with half an emoji", new Error(`cut ${LONE}`), ["cut \ufffd", null]],
    ["details nested too deep", Object.assign(new Error("deep"), { details: nested(1000) }), ["deep", null]],
    ["details nested far too deep", Object.assign(new Error("deep"), { details: nested(100_000) }), ["deep", null]],
    ["details with half an emoji", Object.assign(new Error("e"), { details: { a: LONE } }), ["e", { a: "\ufffd" }]],
    ["an escaped backslash that looks like one", new Error(String.raw`\ud83d`), [String.raw`\ud83d`, null]],
  ])("%s", async (_name, thrown, seen) => {
    expect(await fail(thrown)).toEqual(seen);
  });

  it("isError with half an emoji keeps its words", async () => {
    const result = { isError: true, content: [{ type: "text", text: `no ${LONE}` }] };
    const run = openRun(engine, {}, { tools: [raw("t", () => result)] });
    expect(await run.exec({ code: "await tools.t({})" })).toMatchObject({ status: "failed", error: "no \ufffd" });
  });

  it("a contract is checked on details with half an emoji", async () => {
    const run = openRun(engine, {}, { tools: [answering("t", () => LONE, { outputSchema: { type: "string" } })] });
    expect(valueOf(await run.exec({ code: "return await tools.t({})" }))).toBe("\ufffd");
  });
});

describe("half an emoji and deep nesting in what a gateway hands in", () => {
  it.each(["name", "label", "description"])("in a tool's %s", (field) => {
    const run = openRun(engine, {}, { tools: [answering("t", () => 1, { [field]: `t${LONE}` })] });
    expect(run.catalog).toHaveLength(1);
  });

  it("in source, ids and scope", async () => {
    const run = openRun(engine, {}, { context: { agentId: LONE } });
    const result = await run.exec({ code: `return "a${LONE}"` }, { toolCallId: LONE });
    expect(valueOf(result)).toBe("a\ufffd");
  });

  it("in a namespace of a plugin", () => {
    registerCodeModeNamespaceForPlugin("p", {
      id: "i",
      globalName: "Issues",
      description: LONE,
      prompt: LONE,
      requiredToolNames: ["list"],
      createScope: () => ({ list: createCodeModeNamespaceTool("list") }),
    });
    expect(() => openRun(engine)).not.toThrow();
  });

  it("a schema the engine cannot read is left out; the run opens with all tools", () => {
    let schema: object = { type: "object" };
    for (let level = 0; level < 300; level += 1) {
      schema = { type: "object", properties: { a: schema } };
    }
    const tools = [
      answering("deep", () => 1, { parameters: schema, outputSchema: schema }),
      answering("flat", () => 1),
    ];
    const run = openRun(engine, {}, { tools, clientTools: [answering("client", () => 1, { parameters: schema })] });
    run.addClientTools([answering("later", () => 1, { parameters: schema })]);
    expect(run.catalog.map(({ name }) => name)).toEqual(["deep", "flat", "client", "later"]);
  });

  it.each([
    ["a value with half an emoji", { enabled: true, x: LONE }],
    ["a key with half an emoji", { enabled: true, [LONE]: 1 }],
    ["a language with half an emoji", { enabled: true, languages: [LONE] }],
    ["deep nesting", { enabled: true, x: nested(300) }],
    ["very deep nesting", { enabled: true, x: nested(100_000) }],
    ["a revoked proxy", revoked()],
  ])("a configuration is resolved and reported on: %s", (_name, config) => {
    expect(resolveCodeModeConfig(config).timeoutMs).toBe(10_000);
    expect(Array.isArray(validateCodeModeConfig(config))).toBe(true);
  });
});

describe("listeners", () => {
  it("that reject harm nothing", async () => {
    const run = openRun(
      engine,
      {},
      {
        tools: [
          raw("t", () => ({ content: [] }), {
            execute: (_id, _input, _signal, update) => (update?.({ content: [] }), { content: [] }),
          }),
        ],
        onEvent: () => Promise.reject(new Error("listener")) as never,
        swarm: {
          spawn: async () => ({ runId: "r" }),
          wait: async () => ({ status: "completed", text: "" }),
          note: () => Promise.reject(new Error("note")) as never,
        },
      },
    );
    const onUpdate = (): never => Promise.reject(new Error("update")) as never;
    expect(valueOf(await run.exec({ code: "phase('p'); await tools.t({}); return 1" }, { onUpdate }))).toBe(1);
    await sleep(10);
  });

  it("hear of the end of every cell of a closed run, also of one that had to be stopped from outside", async () => {
    const events: CodeModeEvent[] = [];
    const run = openRun(engine, {}, { onEvent: (event) => events.push(event) });
    const legs = [
      run.exec({ code: "for (;;);" }),
      run.exec({ code: "return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)" }),
      run.exec({ code: "await yield_control()" }),
    ];
    await sleep(50);
    run.close();
    await Promise.all(legs);
    await expect.poll(() => events.filter(({ type }) => type === "cell_finished")).toHaveLength(3);
  });

  it("one on a signal, however many cells it stands for; none when they have ended", async () => {
    const { signal } = new AbortController();
    const run = openRun(engine);
    const legs = Array.from({ length: 30 }, () =>
      run.exec({ code: "await new Promise((r) => setTimeout(r, 30))" }, { signal }),
    );
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await Promise.all(legs);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("all cells of one signal end with it", async () => {
    const controller = new AbortController();
    const run = openRun(engine);
    const legs = Array.from({ length: 12 }, () => run.exec({ code: "for (;;);" }, { signal: controller.signal }));
    controller.abort();
    const codes = (await Promise.all(legs)).map((result) => (result.status === "failed" ? result.code : result.status));
    expect(new Set(codes)).toEqual(new Set(["aborted"]));
  });
});

describe("surface", () => {
  const surface = (hook?: () => unknown): ReturnType<typeof applyCodeMode> =>
    applyCodeMode({ engine, config: true, tools: [answering("t", () => 1)], hooks: { beforeToolCall: hook as never } });
  const exec = async (made: ReturnType<typeof applyCodeMode>, signal?: AbortSignal): Promise<unknown> =>
    (await made.tools[0]?.execute?.("id", { code: "return 1" }, signal))?.details;

  it("an aborted exec does not wait for its hook", async () => {
    const made = surface(() => new Promise(() => {}));
    expect(await exec(made, AbortSignal.timeout(30))).toMatchObject({ status: "failed", code: "aborted" });
  });

  it("a hook that rejects after the abort harms nothing", async () => {
    const made = surface(() => sleep(40).then(() => Promise.reject(new Error("late"))));
    expect(await exec(made, AbortSignal.timeout(10))).toMatchObject({ status: "failed", code: "aborted" });
    await sleep(50);
  });

  it("a hook may throw anything", async () => {
    const made = surface(() => {
      throw revoked();
    });
    expect(await exec(made)).toMatchObject({
      code: "invalid_input",
      error: "code mode exec hook failed: it threw a value that cannot be read",
    });
  });

  it.each([
    ["no list", null, "code mode payload is no array of tools."],
    ["an unreadable tool", [revoked()], "code mode payload holds a tool that cannot be read."],
  ])("fails closed on a payload that is %s", async (_name, payload, message) => {
    const made = surface();
    expect(() => made.assertPayload(payload as never)).toThrow(message);
    expect(await exec(made)).toMatchObject({ status: "failed", code: "runtime_unavailable" });
  });
});
