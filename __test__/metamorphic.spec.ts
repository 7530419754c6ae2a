/**
 * Generated programs give the same value and output whether they run straight through or are parked at every call: in a
 * restart-safe cell each call ends the leg, and the VM goes through an image before it goes on.
 */
import { afterAll, expect, test } from "vitest";
import type { CodeModeOutput, CodeModeResult, CodeModeRun } from "../index.js";
import { answering, openRun, testEngine } from "./helpers.js";

const engine = testEngine();
afterAll(() => engine.close());

const PROGRAMS = 150;

/** A small seeded generator, so that a failure names the program that showed it. */
function randomOf(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A program of a few statements over shared state, each of which may call tools. */
function generate(seed: number): string {
  const random = randomOf(seed);
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const number = (): string => pick(["n", "1", "7", "list.length", "[...map.values()].length", "step()"]);
  const call = (): string => `call(${number()})`;
  const statement = (depth: number): string => {
    const inner = (): string => (depth > 2 ? "n += 1;" : block(depth + 1));
    return pick([
      () => `n += await ${call()};`,
      () => `list.push(await ${call()}, n);`,
      () => `map.set(n, await ${call()}); weak.set(key, map.size);`,
      () => `list.push(...(await Promise.all([${call()}, ${call()}, Promise.resolve(n)])));`,
      () => `list.push(await Promise.race([${call()}, ${call()}]));`,
      () =>
        `list.push((await Promise.allSettled([${call()}, fail(n)])).map((r) => r.status + (r.reason?.message ?? r.value)).join());`,
      () => `list.push(await Promise.any([fail(1), ${call()}]));`,
      () => `for (let i = 0; i < ${1 + random(3)}; i++) { closures.push(() => i + n); ${inner()} }`,
      () =>
        `try { ${inner()} if (n % 2) await fail(n); } catch (error) { list.push(error.message); } finally { n += 1; }`,
      () => `for await (const item of stream(${1 + random(3)})) { list.push(item); ${inner()} }`,
      () => `n += numbers.next(n % 5).value;`,
      () => `text("at " + n + " " + (re.exec("oooo")?.index ?? "end"));`,
      () => `counter.add(await ${call()}); json({ count: counter.count, big: String(big *= 3n) });`,
      () => `set.add(n % 3); n += closures.reduce((sum, f) => sum + f(), 0) % 11;`,
      () => `await new Promise((resolve) => setTimeout(resolve, ${random(3)})); n += 1;`,
      () => `const late${seed}_${random(1e6)} = ${call()}.then((v) => { list.push("late" + v); });`,
    ])();
  };
  const block = (depth: number): string =>
    Array.from({ length: 1 + random(depth === 0 ? 6 : 2) }, () => statement(depth)).join("\n");
  return `
    const call = async (x) => (await tools.call("openclaw:p:double", { x })).result.details;
    const fail = async (x) => { await tools.call("openclaw:p:double", { x }); throw new Error("no " + x); };
    async function* stream(count) { for (let i = 0; i < count; i++) yield await call(i); }
    function* counting() { let k = 0; while (true) k += (yield k) + 1; }
    class Counter { #count = 0; add(k) { this.#count += k; } get count() { return this.#count; } }
    const step = () => (n = (n * 3 + 1) % 17);
    let n = ${random(10)}, big = 7n;
    const list = [], map = new Map(), set = new Set(), weak = new WeakMap(), key = {}, closures = [], re = /o/g;
    const numbers = counting(), counter = new Counter();
    numbers.next();
    ${block(0)}
    return { n, list, map: [...map], set: [...set], weak: weak.get(key) ?? null, last: re.lastIndex, count: counter.count };`;
}

async function toEnd(run: CodeModeRun, first: CodeModeResult) {
  const output: CodeModeOutput[] = [...first.output];
  let last = first;
  let parked = 0;
  while (last.status === "waiting") {
    parked += 1;
    last = await run.wait({ runId: last.runId });
    output.push(...last.output);
  }
  const end = last.status === "completed" ? { value: last.value } : { error: last.error, detailCode: last.detailCode };
  return { end, output, parked };
}

test(`${PROGRAMS} generated programs, straight and parked at every call`, { timeout: 120_000 }, async () => {
  const double = answering("double", (input) => (input as { x: number }).x * 2, {
    source: "plugin",
    pluginId: "p",
    replaySafe: true,
    // Answers in order, so that races have one winner.
    executionMode: "sequential",
  });
  const run = openRun(engine, {}, { tools: [double] });
  let parked = 0;
  for (let seed = 1; seed <= PROGRAMS; seed++) {
    const code = generate(seed);
    const straight = await toEnd(run, await run.exec({ code }));
    const parking = await toEnd(run, await run.exec({ code, restartSafe: true }));
    expect({ seed, ...parking, parked: 0 }, code).toEqual({ seed, ...straight, parked: 0 });
    expect(straight.parked).toBe(0);
    parked += parking.parked;
  }
  expect(parked).toBeGreaterThan(PROGRAMS * 3);
  expect(engine.stats()).toMatchObject({ suspendedCells: 0, snapshotBytes: 0, activeCells: 0 });
});
