/** Short runs of the fuzzers, and scopes they do not make. `fuzz/README.md` says how to run them for long. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeModeEngine, CodeModeRun } from "../index.js";
import { openRun, testEngine, valueOf } from "./helpers.js";

/** Runs a fuzzer in a process of its own, where a crash or a line on stderr shows. */
async function fuzz(
  name: string,
  count: number,
  seed: number,
): Promise<{ code: number | null; out: string; err: string }> {
  const script = fileURLToPath(new URL(`../fuzz/${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [script, "--count", `${count}`, "--seed", `${seed}`], { timeout: 100_000 });
  let out = "";
  let err = "";
  child.stdout.on("data", (data) => (out += String(data)));
  child.stderr.on("data", (data) => (err += String(data)));
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

describe("fuzzing", () => {
  it("finds no way to a module", { timeout: 120_000 }, async () => {
    const { code, out, err } = await fuzz("guard", 5000, 7);
    expect([out, err, code]).toEqual([expect.stringContaining("faults: 0\n"), "", 0]);
    // Neither everything refused nor nothing.
    expect(Number(/refused: module_access_denied: (\d+)/u.exec(out)?.[1])).toBeGreaterThan(2500);
    expect(Number(/benign: completed: (\d+)/u.exec(out)?.[1])).toBeGreaterThan(800);
  });

  it("finds no source that is not answered in time", { timeout: 120_000 }, async () => {
    const { code, out, err } = await fuzz("source", 5000, 7);
    expect([out, err, code]).toEqual([expect.stringContaining("faults: 0\n"), "", 0]);
    expect(Number(/mutation: completed: (\d+)/u.exec(out)?.[1])).toBeGreaterThan(200);
  });
});

describe("scopes of the module guard", () => {
  let engine: CodeModeEngine;
  let run: CodeModeRun;
  beforeAll(() => {
    engine = testEngine();
    run = openRun(engine);
  });
  afterAll(() => engine.close());

  const missed = [
    "function f(a = require('fs')) { var require; } return f()",
    "return ((a = require('fs')) => { var require; })()",
    "{ async function require() {} } return require('fs')",
    "{ function* require() {} } return require('fs')",
    "switch (require('fs')) { case 1: let require; }",
    "namespace require { export type T = 1; } return require('fs')",
    "function require(name: string): any;\nreturn require('fs')",
  ];
  it.each(missed)("%s is refused", async (code) => {
    expect(await run.exec({ code, language: "typescript" })).toMatchObject({ detailCode: "module_access_denied" });
  });
  it("a member of an enum may have such a name", async () => {
    expect(valueOf(await run.exec({ code: "enum E { require = 1 } return E.require", language: "typescript" }))).toBe(
      1,
    );
  });
});
