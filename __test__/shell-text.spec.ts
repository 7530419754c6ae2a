/** Shell text sent as code gets an answer that tells a model what went wrong; JavaScript that looks like it runs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeModeEngine, CodeModeRun } from "../index.js";
import { openRun, readCases, testEngine, valueOf } from "./helpers.js";

const { reject, accept } = readCases("shell-text") as { reject: string[]; accept: { code: string; value: unknown }[] };

let engine: CodeModeEngine;
let run: CodeModeRun;
beforeAll(() => {
  engine = testEngine();
  run = openRun(engine);
});
afterAll(() => engine.close());

it.each(reject)("refuses %j", async (code) => {
  const result = await run.exec({ code });
  expect(result).toMatchObject({ status: "failed", code: "invalid_input", detailCode: "invalid_input" });
  expect((result as { error: string }).error).toMatch(/JavaScript or TypeScript.*shell/u);
});

it.each(accept)("runs $code", async ({ code, value }) => {
  expect(valueOf(await run.exec({ code }))).toEqual(value);
});

describe("a Markdown fence around a program", () => {
  it.each(["```js\nreturn 5\n```", "```\nreturn 5\n```", "  ```typescript\nconst n: number = 5;\nreturn n\n```\n"])(
    "is taken off: %j",
    async (code) => {
      const language = code.includes("typescript") ? "typescript" : "javascript";
      expect(valueOf(await run.exec({ code, language }))).toBe(5);
    },
  );
});
