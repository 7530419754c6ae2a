// Throws broken and odd source at the engine: node fuzz/source.mjs [--count N] [--seed N] [--case N]
//
// Whatever the source, a leg must end in a result within its deadline plus 100 ms, and neither the process nor a worker
// may be lost. The exit code is 1 when something went wrong; anything on stderr is wrong too.
import { CodeModeEngine } from "../index.js";
import { isMain, numberOption, runCases } from "./run.mjs";
import { seedPrograms, sourceProgram } from "./source-programs.mjs";

const TIMEOUT_MS = 200;
const OVERSHOOT_MS = 100;
// Faults of a machine that is busy with something else do not repeat.
const ATTEMPTS = 3;
const CODES = new Set([
  "invalid_input",
  "runtime_unavailable",
  "timeout",
  "aborted",
  "output_limit_exceeded",
  "snapshot_limit_exceeded",
  "internal_error",
]);

/** Runs programs `from` … `from + count`; gives counts by outcome and the faults. */
export async function fuzzSource({ count, seed, from = 0, parallel = 4 }) {
  const seeds = seedPrograms();
  const engine = new CodeModeEngine({ workerThreads: 2, maxSuspendedRuns: 1000 });
  const tool = { name: "a", description: "", parameters: {}, execute: () => ({ content: [], details: 1 }) };
  const config = { enabled: true, timeoutMs: TIMEOUT_MS, memoryLimitBytes: 32 * 2 ** 20 };
  let run = engine.openRun({ tools: [tool], config });
  let used = 0;
  const leg = async ({ code, language }) => {
    // Programs that yield leave suspended cells behind; closing their run drops them.
    if (++used % 500 === 0) {
      const old = run;
      run = engine.openRun({ tools: [tool], config });
      setTimeout(() => old.close(), 2 * TIMEOUT_MS).unref();
    }
    const started = performance.now();
    const result = await run.exec({ code, language });
    return { result, tookMs: performance.now() - started };
  };
  try {
    const report = await runCases({
      count,
      from,
      seed,
      parallel,
      make: (random) => sourceProgram(random, seeds),
      async check(program) {
        for (let attempt = 1; ; attempt++) {
          const before = engine.stats();
          const { result, tookMs } = await leg(program);
          const fault =
            engine.stats().crashes > before.crashes
              ? "the VM crashed"
              : engine.stats().lostWorkers > before.lostWorkers
                ? "a worker was lost"
                : tookMs > TIMEOUT_MS + OVERSHOOT_MS
                  ? `took ${Math.round(tookMs)} ms`
                  : faultOf(result);
          if (fault === undefined || attempt === ATTEMPTS) return { outcome: outcomeOf(program, result), fault };
        }
      },
    });
    const { crashes, activeCells } = engine.stats();
    if (crashes > 0) report.note(`crashes: ${crashes}`);
    if (activeCells > 0) report.note(`${activeCells} cells are still active`);
    return report;
  } finally {
    await engine.close();
  }
}

function outcomeOf({ kind }, result) {
  return `${kind}: ${result.status === "failed" ? result.detailCode : result.status}`;
}

/** What is wrong with the shape of a result; undefined: nothing. */
function faultOf(result) {
  if (!Array.isArray(result.output) || typeof result.replaySafe !== "boolean")
    return "a result without its common fields";
  switch (result.status) {
    case "completed":
      return result.value === undefined ? "completed without a value" : undefined;
    case "waiting":
      return /^cm_[0-9a-f-]{36}$/.test(result.runId) ? undefined : "waiting without a runId";
    case "failed":
      return failureFault(result);
    default:
      return "no result of the union";
  }
}

function failureFault({ error, code, detailCode, location }) {
  if (typeof error !== "string" || error === "" || !CODES.has(code)) return "failed without an error or code";
  if (detailCode === "runtime_unavailable" || detailCode === "snapshot_restore_failed")
    return `failed with ${detailCode}`;
  if (/The parser failed|panic|\.rs:|code_mode|controller|prelude/.test(error)) return "the error tells of the engine";
  if (location !== undefined && !(location.line >= 1 && location.column >= 1)) return "an impossible location";
  return undefined;
}

if (isMain(import.meta.url)) {
  const single = numberOption("case");
  const options = { seed: numberOption("seed") ?? 1, count: numberOption("count") ?? 20_000 };
  const report = await fuzzSource(single === undefined ? options : { ...options, from: single, count: 1 });
  report.print();
}
