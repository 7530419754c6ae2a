//# fields, methods and private state
class Counter { #n = 0; step = 1; inc() { this.#n += this.step; return this; } get value() { return this.#n; } static from(n) { const c = new Counter(); c.#n = n; return c; } }
return [new Counter().inc().inc().value, Counter.from(5).inc().value, JSON.stringify(new Counter())];
//# inheritance and super
class A { constructor(n) { this.n = n; } who() { return `A${this.n}`; } static make(n) { return new this(n); } }
class B extends A { constructor(n) { super(n * 2); } who() { return super.who() + "B"; } }
return [new B(2).who(), B.make(3).n, B.make(1) instanceof A, Object.getPrototypeOf(B) === A, B.name];
//# private methods and brand checks
class P { #secret() { return 7; } static is(o) { return #secret in o; } call() { return this.#secret(); } static #count = 0; static next() { return ++P.#count; } }
return [new P().call(), P.is(new P()), P.is({}), P.next() + P.next()];
//# accessors and static blocks
class Temp { static unit; static { this.unit = "C"; } #c = 0; get f() { return this.#c * 1.8 + 32; } set f(v) { this.#c = (v - 32) / 1.8; } get c() { return this.#c; } }
const t = new Temp();
t.f = 212;
return [t.c, t.f, Temp.unit, Object.keys(t)];
//# iterable class
class Range { constructor(a, b) { Object.assign(this, { a, b }); } *[Symbol.iterator]() { for (let i = this.a; i < this.b; i++) yield i; } }
const [x, ...rest] = new Range(1, 5);
return [x, rest, Math.max(...new Range(0, 4)), Array.from(new Range(2, 4), (n) => n * 10)];
//# custom errors
class HttpError extends Error { constructor(status, message, options) { super(message, options); this.name = "HttpError"; this.status = status; } }
try {
  throw new HttpError(404, "missing", { cause: "db" });
} catch (e) {
  return [e.name, e.status, e.message, e.cause, `${e}`, e instanceof HttpError, e instanceof Error, Object.keys(e)];
}
//# mixins
const Named = (Base) => class extends Base { name = "x"; hi() { return `hi ${this.name}`; } };
const Aged = (Base) => class extends Base { age = 3; };
class Thing extends Named(Aged(Object)) {}
return [new Thing().hi(), new Thing().age];
//# toString, toJSON and Symbol.toStringTag
class V { constructor(x) { this.x = x; } toString() { return `V(${this.x})`; } toJSON() { return { v: this.x }; } get [Symbol.toStringTag]() { return "V"; } }
return [`${new V(1)}`, JSON.stringify([new V(2)]), Object.prototype.toString.call(new V(3)), new V(4) + ""];
//# instanceof can be customised
class Even { static [Symbol.hasInstance](n) { return n % 2 === 0; } }
return [2 instanceof Even, 3 instanceof Even];
//# species and subclassed arrays
class Stack extends Array { top() { return this.at(-1); } }
const s = Stack.from([1, 2, 3]);
s.push(4);
return [s.top(), s.length, s.map((x) => x * 2) instanceof Stack, s.filter((x) => x > 2).top(), Array.isArray(s)];
//# extending Map
class Default extends Map { constructor(make, ...a) { super(...a); this.make = make; } get(k) { if (!this.has(k)) this.set(k, this.make()); return super.get(k); } }
const d = new Default(() => []);
d.get("a").push(1); d.get("a").push(2); d.get("b");
return [...d];
//# this binding
class B { name = "b"; arrow = () => this.name; method() { return this?.name ?? "lost"; } }
const b = new B();
const { arrow, method } = b;
return [arrow(), method.call({ name: "c" }), method.bind(b)(), b.method()];
//# lost this throws in classes
class C { m() { return this.x; } }
const { m } = new C();
try { m(); } catch (e) { return e.name; }
//# new.target and abstract classes
class Shape { constructor() { if (new.target === Shape) throw new TypeError("abstract"); } area() { throw new Error("todo"); } }
class Sq extends Shape { constructor(s) { super(); this.s = s; } area() { return this.s ** 2; } }
let err;
try { new Shape(); } catch (e) { err = e.message; }
return [err, new Sq(3).area()];
//# class expressions and names
const K = class Inner { static n() { return Inner.name; } };
const anon = class {};
return [K.name, K.n(), anon.name, (class {}).name, typeof K];
//# getters on prototypes are not serialised
class G { a = 1; get b() { return 2; } }
return [JSON.stringify(new G()), { ...new G() }, "b" in new G(), Object.keys(new G())];
//# computed members and symbols
const k = "dyn";
class D { [k] = 1; static [`${k}S`] = 2; [Symbol.for("s")]() { return 3; } get ["g" + k]() { return 4; } }
const d = new D();
return [d.dyn, D.dynS, d[Symbol.for("s")](), d.gdyn];
//# super in object literals and static methods
const base = { hi() { return "base"; } };
const o = { __proto__: base, hi() { return super.hi() + "+"; } };
class A { static s() { return "A"; } }
class B extends A { static s() { return super.s() + "B"; } }
return [o.hi(), B.s()];
//# field initialisers run in order
const log = [];
class A { a = log.push("A.a"); constructor() { log.push("A()"); this.init(); } init() { log.push("A.init"); } }
class B extends A { b = log.push("B.b"); constructor() { log.push("before"); super(); log.push("B()"); } init() { log.push(`B.init ${this.b}`); } }
new B();
return log;
//# method chaining builder
class Query { #parts = []; from(t) { this.#parts.push(`from ${t}`); return this; } where(o) { for (const [k, v] of Object.entries(o)) this.#parts.push(`${k}=${JSON.stringify(v)}`); return this; } build() { return this.#parts.join(" "); } }
return new Query().from("t").where({ a: 1, b: "x" }).build();
//# observer
class Emitter { #h = {}; on(e, f) { (this.#h[e] ??= new Set()).add(f); return () => this.#h[e].delete(f); } emit(e, ...a) { for (const f of this.#h[e] ?? []) f(...a); } }
const e = new Emitter();
const log = [];
const off = e.on("x", (v) => log.push(v));
e.emit("x", 1); off(); e.emit("x", 2); e.emit("y");
return log;
//# state machine
class Light { static next = { red: "green", green: "yellow", yellow: "red" }; state = "red"; go() { this.state = Light.next[this.state]; return this.state; } }
const l = new Light();
return [l.go(), l.go(), l.go()];
//# constructors without new
class C {}
try { C(); } catch (e) { return [e.name, e instanceof TypeError]; }
//# functions as constructors
function Old(x) { this.x = x; }
Old.prototype.get = function () { return this.x; };
const o = new Old(5);
return [o.get(), o.constructor === Old, Object.keys(o), (function () { return typeof this; }).call(5)];
//# linked list
class List { constructor(...xs) { this.head = xs.reduceRight((next, v) => ({ v, next }), null); } *[Symbol.iterator]() { for (let n = this.head; n; n = n.next) yield n.v; } reverse() { let p = null; for (let n = this.head; n; ) [n.next, p, n] = [p, n, n.next]; this.head = p; return this; } }
return [[...new List(1, 2, 3)], [...new List(1, 2, 3).reverse()]];
//# heap
class Heap { #a = []; push(x) { this.#a.push(x); let i = this.#a.length - 1; while (i > 0) { const p = (i - 1) >> 1; if (this.#a[p] <= this.#a[i]) break; [this.#a[p], this.#a[i]] = [this.#a[i], this.#a[p]]; i = p; } } pop() { const top = this.#a[0]; const last = this.#a.pop(); if (this.#a.length) { this.#a[0] = last; for (let i = 0; ; ) { let c = 2 * i + 1; if (c >= this.#a.length) break; if (c + 1 < this.#a.length && this.#a[c + 1] < this.#a[c]) c++; if (this.#a[i] <= this.#a[c]) break; [this.#a[i], this.#a[c]] = [this.#a[c], this.#a[i]]; i = c; } } return top; } get size() { return this.#a.length; } }
const h = new Heap();
[5, 3, 8, 1, 9, 2].forEach((x) => h.push(x));
const out = [];
while (h.size) out.push(h.pop());
return out;
//# disposal with using
//= ["open","use","closed a","caught x","closed b"]
const log = [];
const res = (n) => ({ [Symbol.dispose]() { log.push(`closed ${n}`); } });
{
  using r = res("a");
  log.push("open");
  log.push("use");
}
try {
  using r = res("b");
  throw new Error("x");
} catch (e) {
  log.splice(3, 0, `caught ${e.message}`);
}
return log;
//# await using
//= ["body","async closed"]
const log = [];
{
  await using r = { async [Symbol.asyncDispose]() { await null; log.push("async closed"); } };
  log.push("body");
}
return log;
