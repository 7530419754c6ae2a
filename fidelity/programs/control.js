//# labelled loops
const found = [];
outer: for (let i = 2; i < 30; i++) {
  for (let j = 2; j * j <= i; j++) if (i % j === 0) continue outer;
  if (i > 20) break outer;
  found.push(i);
}
return found;
//# labelled blocks
const f = (x) => { check: { if (x < 0) break check; return "positive"; } return "negative"; };
return [f(1), f(-1)];
//# switch with fallthrough and default in the middle
const f = (x) => { const out = []; switch (x) { case 1: out.push("one"); case 2: out.push("two"); break; default: out.push("default"); case 3: out.push("three"); } return out; };
return [1, 2, 3, 4].map(f);
//# switch on true and blocks
const grade = (n) => { switch (true) { case n >= 90: { const g = "A"; return g; } case n >= 80: { const g = "B"; return g; } default: return "C"; } };
return [95, 85, 10].map(grade);
//# closures in loops
const fs = [];
for (let i = 0; i < 3; i++) fs.push(() => i);
const vs = [];
for (var j = 0; j < 3; j++) vs.push(() => j);
return [fs.map((f) => f()), vs.map((f) => f())];
//# do-while and comma
let n = 0, s = "";
do s += n, n += 2; while (n < 7);
for (let i = 0, k = 10; i < k; i += 3, k--) s += `|${i}${k}`;
return s;
//# hoisting
const out = [typeof hoisted, hoisted(), typeof v];
var v = 1;
function hoisted() { return "h"; }
return [...out, v];
//# temporal dead zone
const out = [];
try { out.push(x); } catch (e) { out.push(e.name); }
let x = 1;
try { out.push(typeof y); } catch (e) { out.push(e.name); }
const y = 2;
return out;
//# block scope and shadowing
let x = 1;
{ let x = 2; { const x = 3; } x++; }
if (true) { var leaked = "yes"; }
for (const x of [9]);
return [x, leaked];
//# short circuits run no side effects
const log = [];
const t = (v) => (log.push(v), v);
t(0) && t(1); t(2) || t(3); t(null) ?? t(4); t(5) ?? t(6);
return log;
//# ternary chains and precedence
const f = (n) => (n < 0 ? "neg" : n === 0 ? "zero" : n < 10 ? "small" : "big");
return [[-1, 0, 5, 50].map(f), 2 ** 3 ** 2, (-2) ** 2, 1 + 2 * 3 % 4, !0 + 1, typeof 1 + 1, 1 < 2 < 3, 3 > 2 > 1, "3" * "4", "3" + 4 - 1];
//# memoise and curry
const memo = (f) => { const c = {}; return (n) => c[n] ?? (c[n] = f(n)); };
const fib = memo((n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)));
const curry = (f, ...a) => (a.length >= f.length ? f(...a) : (...b) => curry(f, ...a, ...b));
return [fib(50), curry((a, b, c) => a + b + c)(1)(2, 3)];
//# default parameters see earlier ones
const f = (a, b = a * 2, { c = b + 1, ...d } = {}, [e = "e"] = [], ...rest) => [a, b, c, d, e, rest];
return [f(1), f(1, undefined, { c: 0, z: 9 }, ["x"], 7, 8), f.length];
//# immediately invoked and recursive arrow
const fact = ((f) => (n) => f(f)(n))((self) => (n) => (n ? n * self(self)(n - 1) : 1));
return [(() => 5)(), (function f(n) { return n ? n + f(n - 1) : 0; })(4), fact(6)];
//# call, apply, bind
function f(...a) { return [this?.v, ...a]; }
return [f.call({ v: 1 }, 2), f.apply({ v: 3 }, [4, 5]), f.bind({ v: 6 }, 7)(8), f.bind(null).name, f.bind({ v: 1 }).bind({ v: 2 })()[0]];
//# function properties
const arrow = (a, b = 1, ...c) => {};
function named() {}
const o = { m() {}, get g() { return 1; }, ["x" + 1]: () => {} };
return [arrow.name, arrow.length, named.name, o.m.name, o.x1.name, (() => {}).name, typeof named.prototype, "prototype" in arrow, Object.getOwnPropertyDescriptor(o, "g").get.name];
//# comma, void and in operators
return [(1, 2, 3), void 0 === undefined, "length" in [], 1 in [5, 6], "x" in { x: undefined }];
//# bit operations
return [5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 31, -1 >>> 0, -9 >> 1, -9 >>> 28, 2 ** 32 | 0, 1 << 32, 0xff.toString(2), 0b1010 + 0o17 + 0x1f, 1_000_000];
//# increments
let a = 1, b = "5", o = { n: 1 };
const out = [a++ + ++a, a, +b + 1, b++, b, o.n++, o.n, a--, --a];
return [...out, (a += 3, a **= 2, a %= 7, a <<= 1, a)];
//# while with complex conditions
let lo = 1, hi = 1e6, steps = 0;
while (lo < hi) { const mid = Math.floor((lo + hi) / 2); mid * mid < 123456 ? (lo = mid + 1) : (hi = mid); steps++; }
return [lo, steps];
//# nested functions and mutual recursion
const even = (n) => n === 0 || odd(n - 1);
const odd = (n) => n !== 0 && even(n - 1);
return [even(10), odd(7), even(3)];
//# getter loops over a growing list
const xs = [1];
for (const x of xs) if (x < 50) xs.push(x * 3);
return xs;
//# strict mode differences
const strict = (function () { "use strict"; return this; })();
const out = [strict === undefined];
try { (function () { "use strict"; undeclaredThing = 1; })(); } catch (e) { out.push(e.name); }
try { (function () { "use strict"; delete Object.prototype; })(); } catch (e) { out.push(e.name); }
return out;
//# eval and Function work in their own scope
const local = 5;
return [eval("1 + 2"), eval("local + 1"), new Function("a", "b", "return a * b")(3, 4), (0, eval)("typeof local")];
//# with regular and generator functions as values
const table = { add: (a, b) => a + b, *gen() { yield 1; }, async later() { return 2; } };
return [table["add"](1, 2), [...table.gen()], await table.later(), Object.values(table).map((f) => f.constructor.name)];
//# early returns in nested callbacks
const firstBig = (xss) => { for (const xs of xss) { const hit = xs.find((x) => x > 10); if (hit !== undefined) return hit; } return null; };
return [firstBig([[1], [11, 12]]), firstBig([[1]])];
//# simulated pipeline with reduce
const steps = [(s) => s.trim(), (s) => s.split(/\s+/), (ws) => ws.map((w) => w[0].toUpperCase() + w.slice(1)), (ws) => ws.join(" ")];
return steps.reduce((v, f) => f(v), "  the  quick fox ");
