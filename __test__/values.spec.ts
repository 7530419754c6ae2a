/** Values on their way out of the guest. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeModeEngine, CodeModeRun } from "../index.js";
import { answering, openRun, readCases, testEngine, valueOf } from "./helpers.js";

const { cases } = readCases("values") as { cases: { code: string; value: unknown }[] };
const OWN_PROTO = '{"__proto__":{"polluted":1}}';

let engine: CodeModeEngine;
let run: CodeModeRun;
const received: unknown[] = [];
beforeAll(() => {
  engine = testEngine();
  run = openRun(engine, {}, { tools: [answering("keep", (input) => received.push(input))] });
});
afterAll(() => engine.close());

describe("the final value", () => {
  it.each(cases)("$code", async ({ code, value }) => {
    const given = valueOf(await run.exec({ code }));
    if (value === "OWN_PROTO_KEY") {
      expect(JSON.stringify(given)).toBe(OWN_PROTO);
      expect(Object.getPrototypeOf(given)).toBe(Object.prototype);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    } else {
      expect(given).toEqual(value);
    }
  });
});

describe("the same rules everywhere", () => {
  const sample = "({ d: new Date(0), m: new Map([['a', 1n]]), u: undefined, n: NaN, s: new Set(['x']) })";
  const plain = { d: "1970-01-01T00:00:00.000Z", m: { a: "1" }, n: null, s: ["x"] };

  it("json items", async () => {
    const { output } = await run.exec({ code: `json(${sample})` });
    expect(output).toEqual([{ type: "json", value: plain }]);
  });

  it("text of anything but a string", async () => {
    const { output } = await run.exec({ code: `text("as it is"); text(${sample})` });
    expect(output).toEqual([
      { type: "text", text: "as it is" },
      { type: "text", text: JSON.stringify(plain) },
    ]);
  });

  it("tool inputs, own __proto__ keys included", async () => {
    received.length = 0;
    const code = `await tools.keep(${sample}); await tools.keep(JSON.parse('{"__proto__": {"polluted": 1}}'))`;
    expect((await run.exec({ code })).status).toBe("completed");
    expect(received[0]).toEqual(plain);
    expect(JSON.stringify(received[1])).toBe(OWN_PROTO);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("what is refused", () => {
  it.each(["new Uint8Array(3)", "{a: [new ArrayBuffer(1)]}", "new DataView(new ArrayBuffer(1))"])(
    "binary values: %s",
    async (code) => {
      const result = await run.exec({ code: `return ${code}` });
      expect(result).toMatchObject({
        status: "failed",
        error: expect.stringContaining("binary values are not supported"),
      });
    },
  );

  it("says to await a promise that was not", async () => {
    const value = valueOf(await run.exec({ code: "return { p: Promise.resolve(1) }" })) as { p: string };
    expect(value.p).toContain("await");
  });
});
