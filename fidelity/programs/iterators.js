//# generators pass values both ways
function* g() { const a = yield 1; const b = yield a * 2; return a + b; }
const it = g();
return [it.next(), it.next(10), it.next(5), it.next()];
//# generators can be closed and thrown into
const log = [];
function* g() { try { yield 1; yield 2; } catch (e) { log.push("caught " + e); yield 9; } finally { log.push("fin"); } }
const a = g();
a.next();
const r1 = a.throw("x");
const r2 = a.return(7);
return [r1, r2, log];
//# infinite sequences
function* fib() { let [a, b] = [0, 1]; for (;;) { yield a; [a, b] = [b, a + b]; } }
const take = (n, it) => { const out = []; for (const x of it) { if (out.length >= n) break; out.push(x); } return out; };
return take(12, fib());
//# yield* delegates and returns
function* inner() { yield "a"; return "ret"; }
function* outer() { const r = yield* inner(); yield r; yield* [1, 2]; yield* "xy"; }
return [...outer()];
//# pipelines of generators
const map = (f) => function* (it) { for (const x of it) yield f(x); };
const filter = (f) => function* (it) { for (const x of it) if (f(x)) yield x; };
const pipe = (it, ...fs) => fs.reduce((acc, f) => f(acc), it);
return [...pipe([1, 2, 3, 4, 5, 6], filter((x) => x % 2), map((x) => x * x))];
//# iterator helpers
//= [[4,16],[1,2,3],15,true,false,2,[[0,"a"],[1,"b"]],[2,3],["x","y","z"]]
const nat = function* () { for (let i = 1; ; i++) yield i; };
return [
  nat().filter((n) => n % 2 === 0).map((n) => n * n).take(2).toArray(), [...nat().take(3)], nat().take(5).reduce((a, b) => a + b), nat().some((n) => n > 10),
  nat().take(3).every((n) => n > 1), nat().find((n) => n > 1), ["a", "b"].entries().toArray(), nat().drop(1).take(2).toArray(), ["x y", "z"].values().flatMap((s) => s.split(" ")).toArray(),
];
//# Iterator.from wraps any iterator
//= [2,4]
let n = 0;
return Iterator.from({ next: () => ({ value: ++n, done: n > 2 }) }).map((x) => x * 2).toArray();
//# custom iterables in every position
const it = { *[Symbol.iterator]() { yield 1; yield 2; yield 3; } };
const [a, ...r] = it;
return [a, r, [...it], Math.max(...it), new Set(it).size, Array.from(it), Object.fromEntries([...it].map((x) => [x, x]))];
//# early exit calls return
const log = [];
const it = { [Symbol.iterator]: () => ({ i: 0, next() { return { value: this.i++, done: false }; }, return() { log.push("return"); return {}; } }) };
for (const x of it) if (x > 2) break;
const [p, q] = it;
return [p, q, log];
//# entries of everything
return [[...Object.entries({ a: 1 })], [..."hi".matchAll(/./g)].map((m) => m[0]), [...new Map([["k", 1]]).entries()], [...new Set(["s"]).entries()], [...[5].entries()]];
//# arguments object
function f() { return [arguments.length, [...arguments], Array.isArray(arguments), Array.prototype.slice.call(arguments, 1)]; }
return f(1, 2, 3);
//# lazily read chunks
function* chunks(s, n) { for (let i = 0; i < s.length; i += n) yield s.slice(i, i + n); }
return [...chunks("abcdefgh", 3)];
//# zip generators of unequal length
function* zip(...its) { const xs = its.map((i) => i[Symbol.iterator]()); for (;;) { const rs = xs.map((x) => x.next()); if (rs.some((r) => r.done)) return; yield rs.map((r) => r.value); } }
return [...zip([1, 2, 3], "ab", new Set([true, false, null]))];
//# sliding windows
function* windows(xs, n) { const buf = []; for (const x of xs) { buf.push(x); if (buf.length > n) buf.shift(); if (buf.length === n) yield [...buf]; } }
return [...windows([1, 2, 3, 4], 2)];
//# cartesian product
function* product(head, ...tail) { const rest = tail.length ? [...product(...tail)] : [[]]; for (const x of head) for (const y of rest) yield [x, ...y]; }
return [...product([1, 2], ["a", "b"], [true])];
//# coroutine scheduler
const log = [];
function* task(name, n) { for (let i = 0; i < n; i++) { log.push(name + i); yield; } }
const tasks = [task("a", 3), task("b", 2)];
while (tasks.length) { const t = tasks.shift(); if (!t.next().done) tasks.push(t); }
return log;
//# primes with a sieve generator
function* primes() { const comp = new Map(); for (let n = 2; ; n++) { if (!comp.has(n)) { yield n; comp.set(n * n, [n]); } else { for (const p of comp.get(n)) (comp.get(n + p) ?? comp.set(n + p, []).get(n + p)).push(p); comp.delete(n); } } }
const out = [];
for (const p of primes()) { if (p > 40) break; out.push(p); }
return out;
//# collatz and gcd
const collatz = function* (n) { while (n !== 1) { yield n; n = n % 2 ? 3 * n + 1 : n / 2; } yield 1; };
const gcd = (a, b) => (b ? gcd(b, a % b) : a);
return [[...collatz(6)], gcd(84, 36), [12, 18, 24].reduce(gcd)];
//# for-in order and inheritance
const o = Object.create({ inherited: 1 });
o.b = 1; o[1] = 2; o.a = 3; o[0] = 4;
const keys = [];
for (const k in o) keys.push(k);
return keys;
//# generator methods and objects
class T { *[Symbol.iterator]() { yield* Object.entries(this); } constructor(o) { Object.assign(this, o); } }
const o = { *gen() { yield this.v; }, v: 5 };
return [[...new T({ a: 1, b: 2 })], [...o.gen()]];
//# spread holes and strings
return [[..."a😀"], [...[, 1]].map((x) => x ?? "hole"), Math.min(...[]) === Infinity, [...new Map([[1, 2]]).values()]];
