//# the user's own frames, innermost first
//! "TypeError: bad\n    at inner (code-mode.js:2:13)\n    at outer (code-mode.js:5:3)\n    at code-mode.js:7:1"
const inner = () => {
  throw new TypeError("bad");
};
function outer() {
  inner();
}
outer();
//# library frames are left out
//! "TypeError: Invalid URL\n    at load (code-mode.js:1:24)\n    at code-mode.js:2:1"
const load = () => new URL("nope");
load();
//# native frames are left out
//! "Error: at 2\n    at code-mode.js:1:48\n    at code-mode.js:1:8"
[1, 2].forEach((x) => { if (x === 2) throw new Error("at 2"); });
//# custom names and fields
//! "HttpError: gone\n    at code-mode.js:2:25"
class HttpError extends Error { name = "HttpError"; }
throw Object.assign(new HttpError("gone"), { code: 410 });
//# causes follow
//! "Error: top\n    at code-mode.js:1:37\ncaused by: RangeError: middle\n    at code-mode.js:1:37\ncaused by: {\"why\":\"deep\"}"
throw new Error("top", { cause: new RangeError("middle", { cause: { why: "deep" } }) });
//# causes in a circle
//! "Error: a\n    at code-mode.js:1:15\ncaused by: [Circular]"
const a = new Error("a");
a.cause = a;
throw a;
//# aggregates list their errors
//! "AggregateError: both failed\n    at code-mode.js:1:31\n  [0] Error: one\n    at code-mode.js:1:31\n  [1] \"two\""
throw new AggregateError([new Error("one"), "two"], "both failed");
//# plain objects
//! "Uncaught {\"a\":1,\"b\":[2]}"
throw { a: 1, b: [2] };
//# null
//! "Uncaught null"
throw null;
//# undefined
//! "Uncaught undefined"
throw undefined;
//# text
//! "Uncaught \"just text\""
throw "just text";
//# numbers and BigInt
//! "Uncaught 5n"
throw 5n;
//# symbols
//! "Uncaught Symbol(s)"
throw Symbol("s");
//# functions
//! "Uncaught a function"
throw () => 1;
//# what JSON cannot hold
//! "Uncaught an object that JSON cannot hold"
throw new Uint8Array(2);
//# hostile getters everywhere
//! "Error\n    at code-mode.js:1:19"
const error = new Error("hidden");
for (const key of ["name", "message", "cause", "errors", "code", "stack"]) Object.defineProperty(error, key, { get() { throw new Error("hostile"); }, enumerable: true });
throw error;
//# a proxy around an error is a plain value
//! "Uncaught an object that JSON cannot hold"
throw new Proxy(new Error("x"), { get() { throw new Error("trap"); }, ownKeys() { throw new Error("trap"); }, has() { throw new Error("trap"); } });
//# prepareStackTrace and stackTraceLimit of the guest change nothing else
//! "Error: x"
Error.prepareStackTrace = () => ({ toString() { throw new Error("hostile"); } });
Error.stackTraceLimit = { valueOf() { throw new Error("hostile"); } };
throw new Error("x");
//# a replaced stack property does not forge frames
//! "Error: x\n    at code-mode.js:1:19"
const error = new Error("x");
Object.defineProperty(error, "stack", { value: "Error: forged\n    at evil (code-mode.js:99:99)" });
throw error;
//# names and messages that are no text
//! "7: {\"a\":1}\n    at code-mode.js:1:19"
const error = new Error();
error.name = 7;
error.message = { a: 1 };
throw error;
//# an empty message leaves the name
//! "RangeError\n    at code-mode.js:1:11"
throw new RangeError();
//# errors after an await keep their frames
//! "Error: later\n    at step (code-mode.js:3:13)"
const step = async () => {
  await null;
  throw new Error("later");
};
await step();
//# errors of built-ins
//! "TypeError: cannot read property 'b' of undefined\n    at code-mode.js:1:15"
const o = {}; o.a.b;
//# deep recursion
//! "RangeError: Maximum call stack size exceeded\n    at f (code-mode.js:1:17) (10 times)"
const f = () => f() + 1;
return f();
//# error.stack shows the user's frames only
//= ["TypeError: Invalid URL", "    at code-mode.js", "    at load (code-mode.js)", "    at code-mode.js"]
const load = () => {
  try { return [0].map(() => new URL("nope")); } catch (error) { return error.stack; }
};
return load().split("\n").map((line) => line.replace(/:\d+:\d+/, ""));
//# a stack can be replaced
//= ["mine", true]
const error = new Error("x");
error.stack = "mine";
return [error.stack, Object.hasOwn(error, "stack")];
