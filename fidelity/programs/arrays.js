//# group and sum orders by customer
const orders = [{ c: "a", t: 10 }, { c: "b", t: 5 }, { c: "a", t: 2.5 }];
const totals = {};
for (const { c, t } of orders) totals[c] = (totals[c] ?? 0) + t;
return totals;
//# reduce into nested groups
const rows = [["eng", "Ada", 3], ["ops", "Bo", 1], ["eng", "Cy", 2]];
return rows.reduce((acc, [dept, name, level]) => {
  (acc[dept] ??= []).push({ name, level });
  return acc;
}, {});
//# Object.groupBy
//= {"even":[2,4],"odd":[1,3,5]}
return { ...Object.groupBy([1, 2, 3, 4, 5], (n) => (n % 2 ? "odd" : "even")) };
//# Map.groupBy with object keys
//= [["small",[1,2]],["big",[30,40]]]
const small = { label: "small" };
const big = { label: "big" };
const groups = Map.groupBy([1, 30, 2, 40], (n) => (n < 10 ? small : big));
return [...groups].map(([key, items]) => [key.label, items]);
//# inner join of two lists
const users = [{ id: 1, n: "Ada" }, { id: 2, n: "Bo" }];
const posts = [{ u: 2, t: "x" }, { u: 1, t: "y" }, { u: 3, t: "z" }];
const byId = new Map(users.map((u) => [u.id, u]));
return posts.flatMap((p) => (byId.has(p.u) ? [{ title: p.t, author: byId.get(p.u).n }] : []));
//# left join keeps the unmatched
const left = [{ k: 1 }, { k: 2 }];
const right = [{ k: 2, v: "two" }];
return left.map((l) => ({ ...l, ...(right.find((r) => r.k === l.k) ?? { v: null }) }));
//# sort by two keys
const rows = [{ a: 2, b: "x" }, { a: 1, b: "z" }, { a: 1, b: "y" }];
return rows.sort((p, q) => p.a - q.a || p.b.localeCompare(q.b));
//# toSorted, toReversed, toSpliced and with leave the source alone
const a = [3, 1, 2];
return [a.toSorted(), a.toReversed(), a.toSpliced(1, 1, "x", "y"), a.with(-1, 9), a];
//# stable sort
const rows = Array.from({ length: 30 }, (_, i) => ({ i, k: i % 3 }));
return rows.sort((a, b) => a.k - b.k).map((r) => r.i);
//# default sort is by text
return [[10, 9, 1, 100], ["b", undefined, "a", null], [true, false], [-1, -2, 5]].map((l) => l.sort());
//# top n by score
const scores = Object.entries({ a: 3, b: 9, c: 7, d: 1 });
return scores.sort(([, x], [, y]) => y - x).slice(0, 2).map(([name]) => name);
//# unique by key
const list = [{ id: 1, v: "a" }, { id: 2, v: "b" }, { id: 1, v: "c" }];
return [...new Map(list.map((x) => [x.id, x])).values()];
//# chunk a list
const chunk = (list, size) => Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
return [chunk([1, 2, 3, 4, 5, 6, 7], 3), chunk([], 2)];
//# zip and unzip
const zip = (...lists) => lists[0].map((_, i) => lists.map((l) => l[i]));
const zipped = zip([1, 2, 3], ["a", "b", "c"]);
return [zipped, zip(...zipped)];
//# partition
const partition = (list, test) => list.reduce(([yes, no], x) => (test(x) ? [[...yes, x], no] : [yes, [...no, x]]), [[], []]);
return partition([1, 2, 3, 4, 5], (n) => n > 2);
//# flatten to any depth
return [[1, [2, [3, [4]]]].flat(), [1, [2, [3, [4, [5]]]]].flat(Infinity), [[1], [2]].flatMap((x) => [x, x]), [1, , [2, , 3]].flat()];
//# set algebra by hand
const a = new Set([1, 2, 3]);
const b = new Set([2, 3, 4]);
return { union: [...new Set([...a, ...b])], both: [...a].filter((x) => b.has(x)), onlyA: [...a].filter((x) => !b.has(x)) };
//# set methods of the language
//= [[1,2,3,4],[2,3],[1],[1,4],true,false,true]
const a = new Set([1, 2, 3]);
const b = new Set([2, 3, 4]);
return [[...a.union(b)], [...a.intersection(b)], [...a.difference(b)], [...a.symmetricDifference(b)], new Set([2]).isSubsetOf(a), a.isSupersetOf(b), a.isDisjointFrom(new Set([9]))];
//# running totals and moving averages
const xs = [3, 5, 2, 8, 6];
let sum = 0;
const running = xs.map((x) => (sum += x));
const moving = xs.map((_, i) => xs.slice(Math.max(0, i - 2), i + 1)).map((w) => +(w.reduce((p, q) => p + q) / w.length).toFixed(3));
return { running, moving };
//# statistics
const xs = [4, 8, 15, 16, 23, 42];
const mean = xs.reduce((a, b) => a + b, 0) / xs.length;
const variance = xs.reduce((a, x) => a + (x - mean) ** 2, 0) / xs.length;
const sorted = [...xs].sort((a, b) => a - b);
const median = (sorted[2] + sorted[3]) / 2;
return { mean, sd: Math.sqrt(variance).toFixed(4), median, min: Math.min(...xs), max: Math.max(...xs) };
//# percentile
const xs = Array.from({ length: 100 }, (_, i) => (i * 37) % 101).sort((a, b) => a - b);
const pct = (p) => xs[Math.min(xs.length - 1, Math.floor((p / 100) * xs.length))];
return [50, 90, 99].map(pct);
//# pivot rows to columns
const rows = [{ m: "Jan", k: "in", v: 5 }, { m: "Jan", k: "out", v: 3 }, { m: "Feb", k: "in", v: 7 }];
const table = {};
for (const r of rows) (table[r.m] ??= { in: 0, out: 0 })[r.k] += r.v;
return Object.entries(table).map(([month, v]) => ({ month, ...v, net: v.in - v.out }));
//# matrix transpose and product
const A = [[1, 2], [3, 4]];
const B = [[0, 1], [1, 0]];
const mul = (p, q) => p.map((r) => q[0].map((_, j) => r.reduce((s, x, k) => s + x * q[k][j], 0)));
return [A[0].map((_, i) => A.map((r) => r[i])), mul(A, B)];
//# binary search
const search = (list, x) => {
  let lo = 0, hi = list.length - 1;
  while (lo <= hi) {
    const mid = (lo + hi) >>> 1;
    if (list[mid] === x) return mid;
    if (list[mid] < x) lo = mid + 1;
    else hi = mid - 1;
  }
  return ~lo;
};
const list = [1, 3, 5, 7, 9, 11];
return [search(list, 7), search(list, 4), search(list, 100)];
//# find from either end
const xs = [5, 12, 8, 130, 44];
return [xs.find((x) => x > 10), xs.findIndex((x) => x > 100), xs.findLast((x) => x > 10), xs.findLastIndex((x) => x > 500), xs.at(-2), xs.indexOf(8), xs.lastIndexOf(1), xs.includes(NaN), [NaN].includes(NaN), [NaN].indexOf(NaN)];
//# every, some and their empty cases
return [[].every((x) => x), [].some((x) => x), [1, 2].every((x) => x > 0), [1, 2].some((x) => x > 1)];
//# fill and copyWithin
return [new Array(3).fill(0), Array.from({ length: 2 }, () => []), [1, 2, 3, 4, 5].copyWithin(0, 3), [1, 2, 3].fill(9, 1, 2)];
//# splice in the middle
const a = [1, 2, 3, 4, 5];
const removed = a.splice(1, 2, "x");
return { a, removed };
//# destructive methods return what they should
const a = [1, 2];
return [a.push(3), a.unshift(0), a.pop(), a.shift(), a, a.concat([9], 8), a.reverse()];
//# holes behave
const a = [1, , 3];
return [a.length, 1 in a, a.map((x) => x * 2).length, a.forEach.length, Object.keys(a), a.join("-"), [...a].length, JSON.stringify(a)];
//# Array.from and of
return [Array.from("héllo"), Array.from(new Set([1, 1, 2])), Array.from({ length: 3, 0: "a", 2: "c" }), Array.of(7, 8), Array.from([1, 2], (x) => x * x)];
//# entries, keys and values
return [[...["a", "b"].entries()], [...["a", "b"].keys()], [..."ab"].map((c, i, all) => c + i + all.length)];
//# reduceRight builds pipelines
const compose = (...fns) => (x) => fns.reduceRight((v, f) => f(v), x);
return compose((x) => x + 1, (x) => x * 2, (x) => x - 3)(10);
//# length can be set
const a = [1, 2, 3, 4];
a.length = 2;
a[4] = "e";
return [a.length, a.filter(() => true).length, a.findIndex((x) => x === undefined)];
//# de-duplicate nested values by JSON
const list = [[1, 2], [2, 1], [1, 2]];
return [...new Set(list.map((x) => JSON.stringify(x)))].map((x) => JSON.parse(x));
//# topological order
const deps = { app: ["lib", "ui"], ui: ["lib"], lib: [], test: ["app"] };
const order = [];
const visit = (n, seen = new Set()) => {
  if (seen.has(n)) throw new Error("cycle");
  if (order.includes(n)) return;
  for (const d of deps[n]) visit(d, new Set(seen).add(n));
  order.push(n);
};
Object.keys(deps).forEach((n) => visit(n));
return order;
//# breadth-first path
const edges = { a: ["b", "c"], b: ["d"], c: ["d", "e"], d: ["f"], e: ["f"], f: [] };
const queue = [["a"]];
const seen = new Set(["a"]);
while (queue.length) {
  const path = queue.shift();
  const last = path.at(-1);
  if (last === "f") return path;
  for (const next of edges[last]) if (!seen.has(next)) { seen.add(next); queue.push([...path, next]); }
}
//# permutations and combinations
const perms = (xs) => (xs.length ? xs.flatMap((x, i) => perms([...xs.slice(0, i), ...xs.slice(i + 1)]).map((p) => [x, ...p])) : [[]]);
const combos = (xs, k) => (k === 0 ? [[]] : xs.flatMap((x, i) => combos(xs.slice(i + 1), k - 1).map((c) => [x, ...c])));
return [perms([1, 2, 3]), combos(["a", "b", "c", "d"], 2)];
//# range with step
const range = (a, b, s = 1) => Array.from({ length: Math.max(0, Math.ceil((b - a) / s)) }, (_, i) => a + i * s);
return [range(0, 5), range(0, 10, 3), range(5, 0, -2), range(3, 3)];
//# merge sorted lists
const merge = ([x, ...xs], [y, ...ys]) => (x === undefined ? (y === undefined ? [] : [y, ...ys]) : y === undefined ? [x, ...xs] : x <= y ? [x, ...merge(xs, [y, ...ys])] : [y, ...merge([x, ...xs], ys)]);
return merge([1, 4, 9], [2, 3, 10, 11]);
//# sort numbers as text with a collator
return ["item10", "item9", "Item1", "item 2"].sort(new Intl.Collator("en", { numeric: true, sensitivity: "base" }).compare);
//# typed arrays
const f = Float64Array.of(1.5, 2.5);
const u = new Uint8Array([300, -1, 3.9]);
const clamped = new Uint8ClampedArray([300, -1, 1.5]);
return [[...f.map((x) => x * 2)], [...u], [...clamped], Array.from(new Int16Array(u.buffer.slice(0, 2))), u.subarray(1).length, [...u.toSorted()]];
//# DataView endianness
const v = new DataView(new ArrayBuffer(8));
v.setInt32(0, 0x01020304);
v.setFloat32(4, 1.5, true);
return [v.getUint8(0), v.getInt32(0, true), v.getFloat32(4, true), v.getUint16(2)];
//# array-like objects
const like = { length: 2, 0: "x", 1: "y" };
return [Array.prototype.map.call(like, (x) => x + x), Array.prototype.join.call(like, "+"), Array.from(like)];
