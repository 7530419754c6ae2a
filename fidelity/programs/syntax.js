//# comments and ASI
const a = 1
const b = a
  + 2
/* block
   comment */ const c = [b] // trailing
;[a, b].forEach((x) => c.push(x))
return c
//# odd but legal names
const $ = 1, _ = 2, ünï = 3, 変数 = 4, async = 5, of = 6, get = 7, let_ = 8, undefined_ = 9;
return $ + _ + ünï + 変数 + async + of + get + let_ + undefined_;
//# escapes in strings
return ["\x41\u0042\u{43}\103".slice(0, 3), "\0".length, "a\
b", '\'"\`', "\v\f\b\t".length, "\u2028".length];
//# numeric separators, exponents and bases
return [1_000.5, 0xdead_beef, 0b1111_0000, 0o755, 1e-3, .5, 5., 0.1e2];
//# exponent and assignment operators
let x = 2;
x **= 3; x <<= 2; x ^= 5; x |= 64; x &= 127; x >>>= 1; x -= 3; x /= 2;
return x;
//# nested templates and tagged raw text
const list = ["a", "b"];
return [`<ul>${list.map((i) => `<li>${i === "a" ? `*${i}*` : i}</li>`).join("")}</ul>`, String.raw`C:\new\table${1}`, `\``, `$\{x} $${1}`];
//# tagged template caching and holes
const cache = [];
const tag = (s, ...v) => { cache.push(s); return [s.length, s.raw[0], v]; };
const run = () => tag`a\tb${1}${2}`;
return [run(), run(), cache[0] === cache[1], Object.isFrozen(cache[0])];
//# regular expressions that look like division
const a = 10, g = 2;
const r = a / 2 / g;
return [r, /[/]\//.test("//"), "a/b".split(/\//), [1].map((x) => x / 1)[0]];
//# object literals with everything
const name = "n", k = "x";
return Object.keys({ name, "quoted-key": 1, 5: 2, [k + 1]: 3, async am() {}, *gm() {}, async *agm() {}, get gt() { return 1; }, set st(v) {}, ...{ spread: 1 }, new: 1, class: 2, function: 3 });
//# arrow bodies
const f = () => ({ a: 1 });
const g = (x) => { x; };
const h = async (x) => await x;
const i = ([a, { b = 2 } = {}], ...c) => [a, b, c];
return [f(), g(1) === undefined, await h(3), i([1], 9)];
//# getters, static names and keywords as properties
const o = { if: 1, for: { return: 2 }, typeof: 3 };
return [o.if, o.for.return, o.typeof, { true: 1 }.true];
//# conditional spreads
const on = true, off = false;
return [[...(on ? [1] : []), ...(off ? [2] : [])], { ...(on && { a: 1 }), ...(off && { b: 2 }), ...null }];
//# optional calls and deep chains
const o = { a: { b: () => ({ c: [1, 2] }) } };
return [o?.a?.b?.().c?.[1], o.x?.b.c.d.e ?? "none", o.a.z?.(), (o?.q)?.r].map((v) => v ?? null);
//# delete, void, typeof on undeclared
return [typeof notDeclared, void "x" === undefined, delete [1][0]];
//# unicode escapes in identifiers
const \u0061bc = 5;
return abc + \u{61}bc;
//# html-like comments are not needed but less-than works
let a = 5, b = 3;
return [a < b, a <! --b, a-->b, a];
//# long expression chains
return Array.from({ length: 200 }, (_, i) => i).reduce((s, i) => s + (i % 3 === 0 ? i : i % 5 === 0 ? -i : 1), 0) + [1, 2, 3].map(String).map(Number).filter(Boolean).concat([4]).reverse().indexOf(4);
//# new with and without arguments
return [new Date(0).getTime(), new (class { x = 1; })().x, new Array(3).length, new Array(3, 4).length, new Object().constructor === Object, new Map().size];
//# comma-separated declarations with destructuring
const [a, [b], { c, ...d }] = [1, [2], { c: 3, e: 4 }], f = a + b, { length } = "four";
return [a, b, c, d, f, length];
//# loops with destructuring
const out = [];
for (const [k, { v }] of Object.entries({ x: { v: 1 }, y: { v: 2 } })) out.push(k + v);
for (const { a, b = a * 2 } of [{ a: 1 }, { a: 2, b: 3 }]) out.push(a + b);
for (let [i, j] = [0, 3]; i < j; i++, j--) out.push([i, j]);
return out;
//# duplicate names in sibling scopes
const r = [];
{ const x = 1; r.push(x); }
{ const x = 2; r.push(x); }
try { throw 3; } catch (x) { r.push(x); }
for (const x of [4]) r.push(x);
((x) => r.push(x))(5);
return r;
//# error-prone shadowing of library names
const text = "mine", json = { a: 1 }, tools2 = 3, name = "n", status = 1, URL2 = 2;
return [text, json, tools2, name, status, URL2];
//# getter on array destructuring defaults run lazily
const log = [];
const d = (v) => (log.push(v), v);
const { a = d("a"), b = d("b") } = { a: 1 };
return [a, b, log];
//# class and function declarations in blocks
if (true) { function inBlock() { return "block"; } class K { static v = 1; } var kept = K.v; }
return [typeof inBlock, kept];
//# chained comparisons of mixed types
return ["b" > "a", "10" > 9, null >= 0, undefined == 0, [2] > 1, "a" > 1, new Date(1) > new Date(0), null + 1, undefined + 1, true + true, [] + [], "5" - - "2"].map((v) => (Number.isNaN(v) ? "NaN" : v));
