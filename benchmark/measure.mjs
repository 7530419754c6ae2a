// Measuring and printing. Times in milliseconds.

/** Runs `body` for warm-up and then `count` times; returns the sorted times. */
export async function times(count, body, warmUp = Math.ceil(count / 5)) {
  for (let index = 0; index < warmUp; index += 1) {
    await body(index);
  }
  const taken = [];
  for (let index = 0; index < count; index += 1) {
    const started = performance.now();
    await body(index);
    taken.push(performance.now() - started);
  }
  return taken.toSorted((a, b) => a - b);
}

/** The middle of sorted times. */
export const median = (sorted) => sorted[Math.floor(sorted.length / 2)];

/** The time that 99 % stay under. */
export const p99 = (sorted) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))];

/** Resident memory after a collection, in MiB. */
export function residentMiB() {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 1024 / 1024;
}

/** A time, with the digits that mean something. */
export const ms = (value) => `${value < 1 ? value.toFixed(3) : value < 100 ? value.toFixed(2) : Math.round(value)} ms`;

/** Collects rows and prints them as a table. */
export class Table {
  rows = [];

  /** `met` undefined: the row has no target of its own. */
  add(what, measured, { target = "", met, reference = "", ratio = "" } = {}) {
    const verdict = met === undefined ? "" : met ? "yes" : "NO";
    this.rows.push([what, measured, target, verdict, reference, ratio]);
    process.stderr.write(`${what}: ${measured}\n`);
  }

  print() {
    const all = [["what", "code-mode", "to reach", "met", "quickjs-wasi", "ratio"], ...this.rows];
    const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
    const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
    const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
    process.stdout.write(`\n${[line(all[0]), rule, ...this.rows.map(line)].join("\n")}\n`);
  }

  get failed() {
    return this.rows.filter((row) => row[3] === "NO").length;
  }
}
