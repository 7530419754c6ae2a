// Hunts for a way past the module guard: node fuzz/guard.mjs [--count N] [--seed N] [--case N]
//
// Every program goes through the public API. Whatever is wrong is printed with its case number, which `--case` runs
// alone. The exit code is 1 when anything was.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeModeEngine } from "../index.js";
import { guardProgram } from "./guard-programs.mjs";
import { isMain, numberOption, runCases } from "./run.mjs";

const REFUSALS = new Set(["module_access_denied", "invalid_input", "typescript_transform_failed"]);
// A value that only a module could have given.
const CANARY = "canary-7f3a";

/** Runs programs `from` … `from + count`; gives counts by outcome and the faults. */
export async function fuzzGuard({ count, seed, from = 0, parallel = 64 }) {
  const folder = mkdtempSync(join(tmpdir(), "code-mode-guard-"));
  const canary = join(folder, "canary.mjs");
  writeFileSync(
    canary,
    `globalThis.canary = "${CANARY}"; export default "${CANARY}"; export const canary = "${CANARY}";\n`,
  );
  const engine = new CodeModeEngine({ workerThreads: 1 });
  const run = engine.openRun({ tools: [], config: { enabled: true, timeoutMs: 2000 } });
  try {
    return await runCases({
      count,
      from,
      seed,
      parallel,
      make: (random) => guardProgram(random, canary),
      async check(program) {
        const result = await run.exec({ code: program.code, language: program.language });
        return { outcome: `${program.kind}: ${outcomeOf(result)}`, fault: faultOf(program, result) };
      },
    });
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
}

function outcomeOf(result) {
  return result.status === "failed" ? result.detailCode : result.status;
}

/** What is wrong with a result; undefined: nothing. */
function faultOf({ kind }, result) {
  const text = JSON.stringify(result);
  if (text.includes(CANARY)) return "a module was loaded";
  const refused = result.status === "failed" && REFUSALS.has(result.detailCode);
  if (refused && result.output.length > 0) return "refused, but something ran";
  switch (kind) {
    case "refused":
      return refused ? undefined : "module access was not refused";
    case "benign":
      return result.status === "completed" && result.value === "benign" ? undefined : "harmless code did not run";
    default:
      return refused || isHarmless(result) ? undefined : "something came of it";
  }
}

/** Whether a program that tried at run time got nothing. */
function isHarmless(result) {
  if (result.status !== "completed") return false;
  const { error, got, keys, tag } = result.value ?? {};
  return (
    error !== undefined || (["undefined", "number"].includes(got) && keys.length === 0 && tag !== "[object Module]")
  );
}

if (isMain(import.meta.url)) {
  const single = numberOption("case");
  const options = { seed: numberOption("seed") ?? 1, count: numberOption("count") ?? 100_000 };
  const report = await fuzzGuard(single === undefined ? options : { ...options, from: single, count: 1 });
  report.print();
}
