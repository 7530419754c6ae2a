//# one tool call
const { sum } = await tools.add({ a: 2, b: 3 });
return sum;
//# five awaits in a row
let total = 0;
for (let i = 1; i <= 5; i++) total += (await tools.add({ a: total, b: i })).sum;
return total;
//# parallel calls keep their order
const cities = ["Oslo", "Lagos", "Quito", "Lund"];
const all = await Promise.all(cities.map((city) => tools.get_weather({ city })));
return all.map((w) => `${w.city}: ${w.tempC}`);
//# page until done
const items = [];
for (let page = 1, pages = 1; page <= pages; page++) {
  const r = await tools.list_orders({ page, pageSize: 20 });
  pages = r.totalPages;
  items.push(...r.items);
}
return { count: items.length, first: items[0].id, last: items.at(-1).id };
//# follow a cursor
const found = [];
let cursor;
do {
  const page = await tools.search_issues({ query: "bug", cursor });
  found.push(...page.items.map((i) => i.number));
  cursor = page.nextCursor;
} while (cursor);
return found;
//# pages as an async generator
async function* pages(query) {
  let cursor;
  do {
    const r = await tools.search_issues({ query, cursor });
    yield* r.items;
    cursor = r.nextCursor;
  } while (cursor);
}
const labels = {};
for await (const issue of pages("")) for (const l of issue.labels) labels[l] = (labels[l] ?? 0) + 1;
return labels;
//# join orders with customers
const { items } = await tools.list_orders({ pageSize: 6 });
const ids = [...new Set(items.map((o) => o.customerId))];
const customers = Object.fromEntries((await Promise.all(ids.map((id) => tools.get_customer({ id })))).map((c) => [c.id, c]));
return items.map((o) => ({ id: o.id, who: customers[o.customerId].name, city: customers[o.customerId].address?.city ?? "unknown" }));
//# revenue by tier
const { items: people } = await tools.list_customers();
const tier = new Map(people.map((c) => [c.id, c.tier]));
const { items } = await tools.list_orders({ pageSize: 100 });
const sums = {};
for (const o of items) if (o.status !== "cancelled") sums[tier.get(o.customerId)] = (sums[tier.get(o.customerId)] ?? 0) + o.total;
return Object.fromEntries(Object.entries(sums).map(([k, v]) => [k, +v.toFixed(2)]).sort());
//# catch a failing tool
try {
  await tools.get_customer({ id: "nope" });
} catch (error) {
  return [error instanceof Error, error.message, error.name];
}
//# allSettled sorts successes from failures
const results = await Promise.allSettled(["c1", "zz", "c2"].map((id) => tools.get_customer({ id })));
return results.map((r) => (r.status === "fulfilled" ? r.value.name : r.reason.message));
//# retry with a limit
const retry = async (fn, n) => {
  for (let i = 1; ; i++) {
    try {
      return await fn();
    } catch (e) {
      if (i >= n) throw e;
    }
  }
};
const ok = await retry(() => tools.flaky({ key: "a", failures: 2 }), 5);
const bad = await retry(() => tools.flaky({ key: "b", failures: 9 }), 3).catch((e) => e.message);
return [ok, bad];
//# retry with growing delays
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const delays = [];
for (let i = 0; i < 4; i++) {
  try {
    return { ...(await tools.flaky({ failures: 3 })), delays };
  } catch {
    const ms = 2 ** i;
    delays.push(ms);
    await sleep(ms);
  }
}
//# limit concurrency
let active = 0, peak = 0;
const pool = async (jobs, n) => {
  const out = [];
  let next = 0;
  await Promise.all(Array.from({ length: n }, async () => {
    while (next < jobs.length) { const i = next++; active++; peak = Math.max(peak, active); out[i] = await jobs[i](); active--; }
  }));
  return out;
};
const out = await pool(Array.from({ length: 9 }, (_, i) => () => tools.add({ a: i, b: i })), 3);
return [out.map((r) => r.sum), peak];
//# batches
const ids = Array.from({ length: 7 }, (_, i) => i);
const out = [];
while (ids.length) out.push((await Promise.all(ids.splice(0, 3).map((a) => tools.add({ a, b: 100 })))).map((r) => r.sum));
return out;
//# Promise.race and any
const wait = (ms, v, fail) => new Promise((res, rej) => setTimeout(fail ? rej : res, ms, v));
const any = await Promise.any([wait(3, "bad", true), wait(6, "good")]);
const none = await Promise.any([Promise.reject(1), Promise.reject(2)]).catch((e) => [e.name, e.errors]);
return [await Promise.race([wait(20, "slow"), wait(2, "fast")]), any, none];
//# timeout around a slow promise
const timeout = (p, ms) => Promise.race([p, new Promise((_, rej) => setTimeout(() => rej(new Error(`timed out after ${ms}`)), ms))]);
return await timeout(new Promise(() => {}), 5).catch((e) => e.message);
//# order of microtasks
const log = [];
const a = async () => { log.push("a1"); await null; log.push("a2"); };
const p = a();
Promise.resolve().then(() => log.push("t1")).then(() => log.push("t2"));
queueMicrotask(() => log.push("q"));
log.push("sync");
await p;
await null;
await null;
return log;
//# finally and chains
const log = [];
const r = await Promise.reject(new Error("x")).finally(() => log.push("f1")).catch((e) => { log.push(e.message); return 1; }).finally(() => log.push("f2")).then((v) => v + 1);
return [r, log];
//# thenables are awaited
const thenable = { then(ok) { ok("from thenable"); } };
return [await thenable, await Promise.resolve(thenable), await Promise.all([thenable, 2])];
//# Promise.withResolvers
//= ["later", "no"]
const { promise, resolve } = Promise.withResolvers();
setTimeout(resolve, 2, "later");
const other = Promise.withResolvers();
const caught = other.promise.catch((e) => e.message);
other.reject(new Error("no"));
return [await promise, await caught];
//# Array.fromAsync
//= [[0,2,4],["a","b"],[1,2]]
async function* gen() { yield 0; yield 1; yield 2; }
return [await Array.fromAsync(gen(), (x) => x * 2), await Array.fromAsync([Promise.resolve("a"), "b"]), await Array.fromAsync(new Set([1, 2]))];
//# for await over promises and sync iterables
const out = [];
for await (const x of [Promise.resolve(1), 2, Promise.resolve(3)]) out.push(x);
return out;
//# async iterator by hand
const source = { [Symbol.asyncIterator]() { let n = 0; return { next: async () => ({ value: n, done: n++ >= 3 }), return: async () => ({ done: true }) }; } };
const out = [];
for await (const x of source) { out.push(x); if (x === 1) break; }
return out;
//# async generators run their finally
const log = [];
async function* g() { try { yield 1; yield 2; } finally { log.push("closed"); } }
for await (const x of g()) { log.push(x); break; }
return log;
//# errors in Promise.all name the first
const t = (ms, f) => new Promise((res, rej) => setTimeout(() => (f ? rej(new Error(f)) : res(ms)), ms));
return await Promise.all([t(8, "late"), t(3, "early"), t(1)]).catch((e) => e.message);
//# a debounced collector
const calls = [];
const debounce = (fn, ms) => { let id; return (...a) => { clearTimeout(id); id = setTimeout(fn, ms, ...a); }; };
const d = debounce((x) => calls.push(x), 5);
d(1); d(2); d(3);
await new Promise((r) => setTimeout(r, 25));
return calls;
//# an event queue with waiting consumers
class Queue { #items = []; #waiting = []; push(x) { this.#waiting.length ? this.#waiting.shift()(x) : this.#items.push(x); } pop() { return this.#items.length ? Promise.resolve(this.#items.shift()) : new Promise((r) => this.#waiting.push(r)); } }
const q = new Queue();
const got = [q.pop(), q.pop()];
q.push("a"); q.push("b"); q.push("c");
return [await Promise.all(got), await q.pop()];
//# a mutex
let tail = Promise.resolve();
const log = [];
const lock = (fn) => (tail = tail.then(fn, fn));
await Promise.all([1, 2, 3].map((i) => lock(async () => { log.push(`in${i}`); await new Promise((r) => setTimeout(r, 4 - i)); log.push(`out${i}`); })));
return log;
//# sequential reduce of promises
return await [1, 2, 3].reduce(async (acc, n) => [...(await acc), (await tools.add({ a: n, b: n })).sum], Promise.resolve([]));
//# memoised async calls
const cache = new Map();
let calls = 0;
const weather = (city) => { if (!cache.has(city)) cache.set(city, (calls++, tools.get_weather({ city }))); return cache.get(city); };
const rs = await Promise.all(["Oslo", "Oslo", "Lund"].map(weather));
return [calls, rs.length, rs[0].city];
//# async arrow, method and function kinds
const o = { async m() { return 1; }, async *g() { yield 2; } };
class C { static async s() { return 3; } }
const vals = [await o.m(), (await o.g().next()).value, await C.s(), await (async () => 4)(), await (async function () { return 5; })()];
return [vals, o.m.constructor.name, o.g.constructor.name];
//# await in every position
const id = async (x) => x;
const o = { [await id("k")]: await id(1), list: [await id(2), ...(await id([3, 4]))] };
const { a = await id(9) } = {};
return [o, a, `${await id("t")}`, (await id({ x: { y: 1 } })).x.y, (await id(false)) ? 1 : await id(2), await id(3) + (await id(4)), !(await id(0)), typeof (await id("s"))];
//# rejections carry plain values too
return [await Promise.reject(5).catch((x) => x), await Promise.reject().catch((x) => String(x)), await (async () => { throw { code: 1 }; })().catch((x) => x.code)];
//# nested tool errors with cause
const load = async (id) => { try { return await tools.get_customer({ id }); } catch (e) { throw new Error(`load ${id}`, { cause: e }); } };
return await load("q").catch((e) => [e.message, e.cause.message]);
//# read a file and summarise it
const { content } = await tools.read_file({ path: "/data.csv" });
const [head, ...rows] = content.trim().split("\n").map((l) => l.match(/("[^"]*"|[^,]*)(,|$)/g).map((c) => c.replace(/,$/, "").replace(/^"|"$/g, "")));
const recs = rows.map((r) => Object.fromEntries(head.map((h, i) => [h, r[i]])));
const by = {};
for (const r of recs) (by[r.dept || "none"] ??= []).push(+r.salary);
return Object.fromEntries(Object.entries(by).map(([k, v]) => [k, v.reduce((a, b) => a + b) / v.length]));
//# read all files
const { paths } = await tools.list_files();
const files = await Promise.all(paths.map((path) => tools.read_file({ path })));
return files.map((f) => [f.path, f.content.split("\n").length, f.content.length]);
//# todo items of a markdown file
const { content } = await tools.read_file({ path: "/notes.md" });
return [...content.matchAll(/^- \[(?<done>[ x])\] (?<text>.+)$/gm)].map(({ groups }) => ({ done: groups.done === "x", text: groups.text }));
//# errors in a log by minute
const { content } = await tools.read_file({ path: "/log.txt" });
return content.trim().split("\n").reduce((acc, l) => { const [t, level] = l.split(" "); const k = t.slice(0, 16); (acc[k] ??= {})[level] = (acc[k][level] ?? 0) + 1; return acc; }, {});
//# create tickets for stale issues
const { items } = await tools.search_issues({});
const made = [];
for (const i of items.filter((x) => x.labels.includes("stale"))) made.push(await tools.create_ticket({ title: `Follow up: ${i.title}`, priority: i.labels[0] === "p1" ? "high" : undefined }));
return made;
//# tool inputs and results are copies
const input = { list: [1, { a: 2 }] };
const out = await tools.echo(input);
out.list[1].a = 3;
return [input.list[1].a, out.list[1].a, out !== input];
//# top-level return ends the program
if ((await tools.add({ a: 1, b: 1 })).sum === 2) return "early";
return "late";
