//# spread, rest and defaults
const { a, b = 5, ...rest } = { a: 1, c: 3, d: 4 };
const merged = { x: 0, ...rest, c: "over", ...null, ...undefined, ...[7] };
return { a, b, rest, merged };
//# nested destructuring with renames
const data = { user: { name: "Ada", tags: ["x", "y", "z"] }, meta: null };
const { user: { name: who, tags: [first, , third = "none", fourth = "none"] }, meta: m = "default", nope: { deep } = { deep: "fallback" } } = data;
return { who, first, third, fourth, m, deep };
//# swap and destructuring assignment
let x = 1, y = 2;
[x, y] = [y, x];
const o = {};
({ p: o.p, q: o["q"] = 7 } = { p: 1 });
return [x, y, o];
//# computed keys and shorthand methods
const key = "dyn";
const o = { [key]: 1, [`${key}_2`]: 2, ["a" + 1](n) { return n * 2; }, get double() { return this.dyn * 2; }, set double(v) { this.dyn = v / 2; } };
o.double = 10;
return [o.dyn, o.double, o.a1(4), Object.keys(o)];
//# key order
return Object.keys({ b: 1, 2: 1, a: 1, 1: 1, "-1": 1, "01": 1 });
//# pick, omit and rename
const pick = (o, ...ks) => Object.fromEntries(ks.filter((k) => k in o).map((k) => [k, o[k]]));
const omit = (o, ...ks) => Object.fromEntries(Object.entries(o).filter(([k]) => !ks.includes(k)));
const o = { a: 1, b: 2, c: 3 };
return [pick(o, "a", "z"), omit(o, "a"), Object.fromEntries(Object.entries(o).map(([k, v]) => [k.toUpperCase(), v * 10]))];
//# invert and index
const o = { a: "x", b: "y" };
return [Object.fromEntries(Object.entries(o).map((e) => e.reverse())), Object.entries(o).length, Object.values(o).join()];
//# deep get and set by path
const get = (o, path) => path.split(".").reduce((v, k) => v?.[k], o);
const set = (o, path, value) => { const ks = path.split("."); const last = ks.pop(); ks.reduce((v, k) => (v[k] ??= {}), o)[last] = value; return o; };
return [get({ a: { b: [10, 20] } }, "a.b.1"), get({}, "x.y") ?? null, set({ a: {} }, "a.b.c", 5)];
//# deep merge
const isObj = (v) => v && typeof v === "object" && !Array.isArray(v);
const merge = (a, b) => Object.entries(b).reduce((acc, [k, v]) => ({ ...acc, [k]: isObj(v) && isObj(acc[k]) ? merge(acc[k], v) : v }), a);
return merge({ a: { x: 1, y: [1] }, b: 1 }, { a: { y: [2], z: 3 }, c: null });
//# deep equality
const eq = (a, b) => Object.is(a, b) || (typeof a === "object" && typeof b === "object" && a && b && Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((k) => eq(a[k], b[k])));
return [eq({ a: [1, { b: NaN }] }, { a: [1, { b: NaN }] }), eq({ a: 1 }, { a: 1, b: undefined }), eq([], {}), eq(null, {})];
//# flatten keys
const flat = (o, p = "") => Object.entries(o).flatMap(([k, v]) => (v && typeof v === "object" ? flat(v, `${p}${k}.`) : [[p + k, v]]));
return Object.fromEntries(flat({ a: { b: 1, c: { d: 2 } }, e: [3, 4] }));
//# diff of two objects
const a = { x: 1, y: 2, z: 3 }, b = { x: 1, y: 5, w: 9 };
return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((k) => a[k] !== b[k]).map((k) => ({ k, from: a[k] ?? null, to: b[k] ?? null }));
//# freeze, seal and preventExtensions
"use strict";
const out = [];
const f = Object.freeze({ a: 1, n: { b: 1 } });
try { (() => { "use strict"; f.a = 2; })(); } catch (e) { out.push(e.name); }
f.n.b = 2;
const s = Object.seal({ a: 1 });
s.a = 2;
return [out, f, s, Object.isFrozen(f), Object.isSealed(s), delete { a: 1 }.a];
//# property descriptors
const o = Object.defineProperty({}, "hidden", { value: 1 });
Object.defineProperty(o, "shown", { get: () => 2, enumerable: true });
return [Object.keys(o), o.hidden, JSON.stringify(o), Object.getOwnPropertyDescriptor(o, "hidden"), Object.getOwnPropertyNames(o), "hidden" in o, Object.hasOwn(o, "shown"), o.propertyIsEnumerable("hidden")];
//# prototypes
const base = { greet() { return "hi " + this.name; } };
const o = Object.create(base, { name: { value: "x", enumerable: true } });
const inherited = [];
for (const k in o) inherited.push(k);
return [o.greet(), inherited, Object.getPrototypeOf(o) === base, base.isPrototypeOf(o), Object.create(null) instanceof Object];
//# symbols as keys
const s = Symbol("s");
const o = { [s]: 1, a: 2 };
return [o[s], Object.keys(o), Object.getOwnPropertySymbols(o).length, s.description, String(s), Symbol.for("k") === Symbol.for("k"), Symbol.keyFor(Symbol.for("k"))];
//# optional chaining and nullish operators
const o = { f: () => null, n: 0, e: "" };
return [o?.x?.y, o.x?.(), o.f?.(), o.n ?? 5, o.n || 5, o.e || "d", o.e ?? "d", o["x"]?.["y"] ?? "z", delete o?.n].map((v) => v ?? "nullish");
//# logical assignment
const o = { a: null, b: 0, c: 1 };
o.a ??= 5;
o.b ||= 6;
o.c &&= 7;
o.d ??= [];
o.d.push(1);
return o;
//# Map basics
const m = new Map([["a", 1], [1, "one"], [NaN, "nan"]]);
m.set("b", 2).delete("a");
const out = [];
m.forEach((v, k) => out.push(`${k}=${v}`));
return [m.size, m.get(NaN), m.has("a"), [...m.keys()].map(String), out, m.get("zz") ?? "none"];
//# Map keeps insertion order through updates
const m = new Map([["x", 1], ["y", 2]]);
m.set("x", 3);
m.delete("y");
m.set("y", 4);
return [...m];
//# counting with a Map and spreading it
const m = new Map();
for (const ch of "mississippi") m.set(ch, (m.get(ch) || 0) + 1);
return Object.fromEntries([...m].sort(([a], [b]) => (a < b ? -1 : 1)));
//# Sets
const s = new Set("hello");
s.add("z").delete("h");
return [[...s], s.size, s.has("l"), [...s.entries()][0], new Set([NaN, NaN, 0, -0]).size];
//# changing a Map while iterating
const m = new Map([[1, "a"], [2, "b"]]);
const seen = [];
for (const [k] of m) {
  seen.push(k);
  if (k === 1) { m.delete(2); m.set(3, "c"); }
}
return seen;
//# WeakMap for private data
const secrets = new WeakMap();
class Box { constructor(v) { secrets.set(this, v); } get value() { return secrets.get(this); } }
const b = new Box(42);
return [b.value, JSON.stringify(b), secrets.has({}), new WeakSet([b]).has(b)];
//# Proxy with defaults and a log
const log = [];
const p = new Proxy({ a: 1 }, { get(t, k) { log.push(`get ${String(k)}`); return k in t ? t[k] : 0; }, has: (t, k) => k.startsWith("a"), deleteProperty(t, k) { log.push(`del ${k}`); return delete t[k]; } });
const out = [p.a, p.b, "abc" in p, "b" in p, delete p.a];
return [out, log];
//# Proxy as a validator
const p = new Proxy({}, { set(t, k, v) { if (typeof v !== "number") throw new TypeError(`${k} must be a number`); t[k] = v; return true; } });
p.a = 1;
try { p.b = "x"; } catch (e) { return [e.message, p.a]; }
//# Reflect
class A { constructor(x) { this.x = x; } }
return [Reflect.ownKeys({ a: 1, [Symbol.iterator]: 1 }).length, Reflect.construct(A, [5]).x, Reflect.has({ a: 1 }, "a"), Reflect.apply(Math.max, null, [1, 3]), Reflect.set(Object.freeze({ a: 1 }), "a", 2)];
//# JSON with replacer and reviver
const text = JSON.stringify({ d: new Date(0), n: 1, s: "x", list: [undefined, () => 1, NaN] }, (k, v) => (k === "n" ? undefined : v), 1);
const back = JSON.parse('{"a":"2024-01-01T00:00:00.000Z","b":[1,2]}', (k, v) => (typeof v === "string" ? new Date(v).getTime() : Array.isArray(v) ? v.length : v));
return [text, back, JSON.stringify({ a: 1, b: { a: 2, c: 3 } }, ["a", "b"]), JSON.stringify([1, [2]], null, "--"), JSON.stringify("\u2028\ud800"), JSON.stringify({ toJSON() { return 5; } })];
//# JSON errors are SyntaxErrors
return ["{a:1}", "[1,]", "", "{'a':1}", "01", "nul", '{"a":1}}'].map((s) => { try { return JSON.parse(s); } catch (e) { return e.name; } });
//# JSON keeps __proto__ as data
const o = JSON.parse('{"__proto__":{"x":1},"a":2}');
return [Object.keys(o), o.x === undefined, Object.getPrototypeOf(o) === Object.prototype];
//# circular structures cannot be stringified
const o = {};
o.self = o;
try { JSON.stringify(o); } catch (e) { return e.name; }
//# getters, static and inheritance through Object.assign
const src = { get now() { return 7; }, [Symbol("q")]: 1 };
const copy = Object.assign({}, src, { b: 1 });
return [Object.getOwnPropertyDescriptor(copy, "now").value, Object.getOwnPropertySymbols(copy).length, Object.entries(Object.getOwnPropertyDescriptors({ get a() { return 1; } })).map(([k, d]) => [k, typeof d.get])];
//# valueOf, toString and Symbol.toPrimitive
const money = { valueOf: () => 42, toString: () => "money" };
const prim = { [Symbol.toPrimitive]: (hint) => (hint === "number" ? 1 : hint === "string" ? "s" : "d") };
return [money + 1, `${money}`, money > 41, +prim, `${prim}`, prim + "", [1, 2] + "", {} + "", String([null, [1, [2]]])];
//# equality quirks
return [null == undefined, null === undefined, 0 == "", "1" == 1, NaN == NaN, [] == false, [1] == 1, Object.is(0, -0), typeof null, typeof undefined, typeof (() => 1), typeof 1n, typeof Symbol()];
//# delete, in and enumerate
const o = { a: 1, b: 2 };
delete o.a;
o.c = undefined;
return ["a" in o, "c" in o, Object.entries(o).map(([k, v]) => [k, v === undefined]), JSON.stringify(o)];
//# memoised accessors replace themselves
const o = { get big() { const value = [1, 2, 3].length; Object.defineProperty(this, "big", { value, enumerable: true }); return value; } };
return [o.big, Object.getOwnPropertyDescriptor(o, "big").value];
//# tree from a flat list
const rows = [{ id: 1, p: null }, { id: 2, p: 1 }, { id: 3, p: 1 }, { id: 4, p: 2 }];
const nodes = Object.fromEntries(rows.map((r) => [r.id, { id: r.id, children: [] }]));
const roots = [];
for (const { id, p } of rows) (p ? nodes[p].children : roots).push(nodes[id]);
return roots;
//# walk a tree with a generator
const tree = { v: 1, kids: [{ v: 2, kids: [{ v: 3 }] }, { v: 4 }] };
function* walk(n, depth = 0) { yield [n.v, depth]; for (const k of n.kids ?? []) yield* walk(k, depth + 1); }
return [...walk(tree)];
//# an LRU cache
class LRU { #m = new Map(); constructor(n) { this.n = n; } get(k) { if (!this.#m.has(k)) return; const v = this.#m.get(k); this.#m.delete(k); this.#m.set(k, v); return v; } set(k, v) { this.#m.delete(k); this.#m.set(k, v); if (this.#m.size > this.n) this.#m.delete(this.#m.keys().next().value); } get keys() { return [...this.#m.keys()]; } }
const c = new LRU(2);
c.set("a", 1); c.set("b", 2); c.get("a"); c.set("c", 3);
return c.keys;
//# a trie
const root = {};
for (const w of ["tea", "ten", "to"]) { let n = root; for (const ch of w) n = n[ch] ??= {}; n.$ = true; }
const find = (p) => { let n = root; for (const ch of p) n = n?.[ch]; const out = []; const go = (m, s) => { if (m?.$) out.push(s); for (const k in m) if (k !== "$") go(m[k], s + k); }; go(n, p); return out; };
return [find("te"), find("x"), JSON.stringify(root).length];
//# schema check by hand
const check = (v, s, path = "$") => s.type === "object" ? Object.entries(s.props).flatMap(([k, p]) => (k in v ? check(v[k], p, `${path}.${k}`) : p.optional ? [] : [`${path}.${k} missing`])) : typeof v === s.type ? [] : [`${path}: ${typeof v} is not ${s.type}`];
return check({ a: 1, b: { c: "x" } }, { type: "object", props: { a: { type: "string" }, b: { type: "object", props: { c: { type: "string" }, d: { type: "number" } } }, e: { type: "number", optional: true } } });
//# globalThis holds new globals
globalThis.fidelityProbe = 3;
const out = [typeof fidelityProbe, fidelityProbe];
delete globalThis.fidelityProbe;
return [...out, typeof fidelityProbe];
