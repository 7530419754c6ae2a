// What the fuzzers share: options, batches, counts and the report.
import { pathToFileURL } from "node:url";
import { caseRandom } from "./random.mjs";

const SHOWN_FAULTS = 20;

/** Whether the module is the program that was started. */
export function isMain(url) {
  return process.argv[1] !== undefined && pathToFileURL(process.argv[1]).href === url;
}

/** The number behind `--name`; undefined without it. */
export function numberOption(name) {
  const at = process.argv.indexOf(`--${name}`);
  if (at < 0) return undefined;
  const number = Number(process.argv[at + 1]);
  if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`--${name} needs a whole number.`);
  return number;
}

/** Runs cases, `parallel` of them at a time. `check` resolves to `{ outcome, fault? }` of a made program. */
export async function runCases({ count, from, seed, parallel, make, check }) {
  const report = new Report(seed);
  let next = from;
  const lane = async () => {
    while (next < from + count) {
      const index = next++;
      const program = make(caseRandom(seed, index));
      const { outcome, fault } = await check(program);
      report.add(index, program, outcome, fault);
    }
  };
  await Promise.all(Array.from({ length: parallel }, lane));
  report.end();
  return report;
}

/** Outcomes by name, and what was wrong. */
class Report {
  outcomes = {};
  faults = [];
  count = 0;
  #started = performance.now();
  #tookMs = 0;

  constructor(seed) {
    this.seed = seed;
  }

  add(index, program, outcome, fault) {
    this.count++;
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
    if (fault !== undefined) this.faults.push({ index, fault, outcome, ...program });
  }

  /** Something wrong that belongs to no single program. */
  note(fault) {
    this.faults.push({ index: -1, fault, outcome: "run", language: "any", code: "" });
  }

  end() {
    this.#tookMs = performance.now() - this.#started;
  }

  print() {
    const perSecond = Math.round((this.count / this.#tookMs) * 1000);
    console.log(
      `${this.count} programs, seed ${this.seed}, ${(this.#tookMs / 1000).toFixed(1)} s, ${perSecond} per second`,
    );
    for (const [outcome, count] of Object.entries(this.outcomes).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      console.log(`  ${outcome}: ${count}`);
    }
    console.log(`faults: ${this.faults.length}`);
    for (const { index, fault, outcome, language, code } of this.faults.slice(0, SHOWN_FAULTS)) {
      console.log(`--- case ${index} (${language}): ${fault} (${outcome})\n${code}`);
    }
    process.exitCode = this.faults.length > 0 ? 1 : 0;
  }
}
