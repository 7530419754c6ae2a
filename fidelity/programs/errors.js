//# kinds of built-in errors
const out = [];
for (const f of [() => null.x, () => undefinedVariable, () => (1)(), () => new Array(-1), () => decodeURIComponent("%"), () => JSON.parse("{"), () => Symbol() + "", () => 1n + 1, () => new (class { constructor() { this.x.y; } })(), () => "x".repeat(-1), () => (123.456).toFixed(101), () => { const c = 1; c = 2; }, () => BigInt(1.5), () => [].reduce((a) => a), () => { x; let x; }, () => Object.defineProperty(Object.freeze({}), "a", { value: 1 }), () => null[Symbol.iterator], () => { const [a] = {}; }, () => { const { a } = null; }, () => new 5(), () => "a" in "b", () => ({}) instanceof 5, () => new Proxy({}, null), () => Reflect.construct(1)])
  try { f(); out.push("no error"); } catch (e) { out.push(e.name); }
return out;
//# finally decides
const f = (n) => { try { if (n === 1) return "try"; throw n; } catch (e) { if (n === 2) return "catch"; throw "again"; } finally { if (n === 3) return "finally"; } };
return [f(1), f(2), f(3)];
//# finally with break and continue
const log = [];
outer: for (let i = 0; i < 3; i++) { try { if (i === 1) continue; if (i === 2) break outer; log.push(i); } finally { log.push("f" + i); } }
return log;
//# rethrow with cause
const low = () => { throw new RangeError("low"); };
try { try { low(); } catch (cause) { throw new Error("high", { cause }); } } catch (e) { return [e.message, e.cause.name, e.cause.message, "cause" in new Error("x")]; }
//# throw anything
const out = [];
for (const v of ["text", 5, null, undefined, { code: 1 }, [1], true]) try { throw v; } catch (e) { out.push(e ?? String(e)); }
return out;
//# aggregate errors
const e = new AggregateError([new Error("a"), new TypeError("b")], "both");
return [e.name, e.message, e.errors.map((x) => x.message), e instanceof Error];
//# error properties
const e = new Error("m", { cause: 1 });
return [Object.keys(e), Object.getOwnPropertyNames(e).includes("message"), e.propertyIsEnumerable("cause"), e.toString(), String(Object.assign(new Error("x"), { name: "N" })), new Error().message, new Error(undefined).hasOwnProperty("message"), Error("no new").message];
//# stack is text with the message
const e = new TypeError("boom");
return [typeof e.stack, Error.captureStackTrace ? typeof Error.captureStackTrace : "none"];
//# errors stringify to empty objects unless helped
const e = Object.assign(new Error("m"), { code: "E" });
return [JSON.stringify(e), JSON.stringify({ ...e, message: e.message }), JSON.stringify(e, Object.getOwnPropertyNames(e).filter((k) => k !== "stack"))];
//# recursion is caught
let depth = 0;
const f = () => { depth++; f(); };
try { f(); } catch (e) { return [e instanceof RangeError, depth > 100]; }
//# optional catch binding
try { throw 1; } catch { return "caught"; }
//# assertion helpers
const assert = (c, m) => { if (!c) throw Object.assign(new Error(m), { name: "AssertionError" }); };
try { assert(1 === 1, "fine"); assert(1 === 2, "not equal"); } catch (e) { return `${e}`; }
//# result objects instead of exceptions
const safe = (f) => { try { return { ok: true, value: f() }; } catch (e) { return { ok: false, error: e.message }; } };
return [safe(() => 1), safe(() => { throw new Error("e"); })];
//# error switch by class and code
class NotFound extends Error {}
class Denied extends Error {}
const handle = (e) => { switch (true) { case e instanceof NotFound: return 404; case e instanceof Denied: return 403; case e?.code === "ETIMEDOUT": return 504; default: return 500; } };
return [new NotFound(), new Denied(), { code: "ETIMEDOUT" }, new Error(), null].map(handle);
//# async errors travel through stacks of functions
const a = async () => { await null; throw new Error("deep"); };
const b = async () => await a();
const c = () => b();
try { await c(); } catch (e) { return e.message; }
//# an error in a callback reaches the caller
try { [1, 2].forEach((x) => { if (x === 2) throw new Error(`at ${x}`); }); } catch (e) { return e.message; }
//# errors in getters, proxies and iterators
const out = [];
for (const f of [() => ({ get x() { throw new Error("getter"); } }).x, () => new Proxy({}, { get() { throw new Error("trap"); } }).y, () => [...{ [Symbol.iterator]() { throw new Error("iter"); } }], () => `${{ toString() { throw new Error("str"); } }}`])
  try { f(); } catch (e) { out.push(e.message); }
return out;
//# non-callable messages name the problem
try { const o = {}; o.method(); } catch (e) { return [e.name, e instanceof TypeError]; }
//# DOMException
const e = new DOMException("msg", "AbortError");
return [e.name, e.message, e.code, e instanceof Error, e instanceof DOMException, `${e}`, new DOMException().name, DOMException.ABORT_ERR];
//# cleanup runs in reverse
const log = [];
const cleanups = [];
try { for (const n of [1, 2, 3]) { cleanups.push(() => log.push(n)); if (n === 3) throw new Error("stop"); } } catch {} finally { while (cleanups.length) cleanups.pop()(); }
return log;
//# collecting validation errors
const rules = { name: (v) => v?.length > 0 || "name is required", age: (v) => (Number.isInteger(v) && v > 0) || "age must be positive" };
const validate = (o) => Object.entries(rules).map(([k, r]) => r(o[k])).filter((r) => r !== true);
return [validate({ name: "x", age: 1 }), validate({ name: "", age: -1 })];
//# circuit breaker
class Breaker { fails = 0; call(f) { if (this.fails >= 2) throw new Error("open"); try { const r = f(); this.fails = 0; return r; } catch (e) { this.fails++; throw e; } } }
const b = new Breaker();
const out = [];
for (const f of [() => { throw new Error("1"); }, () => { throw new Error("2"); }, () => "never"]) try { out.push(b.call(f)); } catch (e) { out.push(e.message); }
return out;
//# the first line of a stack names the error
const e = new RangeError("boom");
const custom = Object.assign(new Error("m"), { name: "Custom" });
return [e.stack.split("\n")[0], /\n {4}at /.test(e.stack), custom.stack.includes("m"), new Error("").stack.split("\n")[0], typeof Error.prototype.stack];
//# captureStackTrace
class Mine extends Error { constructor(m) { super(m); this.name = "Mine"; Error.captureStackTrace?.(this, Mine); } }
const make = () => new Mine("custom");
const plain = {};
Error.captureStackTrace(plain);
const stack = make().stack;
return [stack.split("\n")[0], /at make/.test(stack), /at new Mine|at Mine/.test(stack), typeof plain.stack, Object.keys(plain)];
