/** Module access is refused before anything runs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeModeEngine, CodeModeRun } from "../index.js";
import { openRun, readCases, testEngine, valueOf } from "./helpers.js";

const { reject, accept } = readCases("module-access") as {
  reject: string[];
  accept: { code: string; value: unknown }[];
};

let engine: CodeModeEngine;
let run: CodeModeRun;
beforeAll(() => {
  engine = testEngine();
  run = openRun(engine);
});
afterAll(() => engine.close());

describe.each(["javascript", "typescript"] as const)("%s", (language) => {
  it.each(reject)("refuses %j", async (code) => {
    expect(await run.exec({ code: `text("ran");\n${code}`, language })).toMatchObject({
      status: "failed",
      code: "invalid_input",
      detailCode: "module_access_denied",
      error: expect.stringMatching(/^code mode module access is disabled\./u),
      location: { line: expect.any(Number), column: expect.any(Number) },
      output: [],
    });
  });

  it.each(accept)("runs $code", async ({ code, value }) => {
    expect(valueOf(await run.exec({ code, language }))).toEqual(value);
  });
});
