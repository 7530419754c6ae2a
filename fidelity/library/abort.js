//# a controller aborts its signal once
const c = new AbortController();
const log = [];
c.signal.addEventListener("abort", (event) => log.push(["listener", event.type, event.target === c.signal]));
c.signal.onabort = () => log.push("handler");
const before = c.signal.aborted;
c.abort();
c.abort("again");
return [before, c.signal.aborted, c.signal.reason.name, c.signal.reason.message, c.signal.reason instanceof DOMException, log.length];
//# reasons and throwIfAborted
const c = new AbortController();
c.signal.throwIfAborted();
c.abort(new Error("mine"));
try {
  c.signal.throwIfAborted();
  return "no";
} catch (error) {
  return [error.message, c.signal.reason.message];
}
//# AbortSignal.abort
const s = AbortSignal.abort();
const t = AbortSignal.abort("why");
return [s.aborted, s.reason.name, s.reason.code, t.reason];
//# AbortSignal.any follows the first
const a = new AbortController();
const b = new AbortController();
const any = AbortSignal.any([a.signal, b.signal]);
const log = [];
any.addEventListener("abort", () => log.push("any"));
b.abort("b");
a.abort("a");
return [any.aborted, any.reason, log, AbortSignal.any([AbortSignal.abort("x")]).reason, AbortSignal.any([]).aborted];
//# AbortSignal.timeout
const s = AbortSignal.timeout(5);
const before = s.aborted;
await new Promise((resolve) => s.addEventListener("abort", resolve));
return [before, s.aborted, s.reason.name];
//# racing work against a signal
const work = (ms, signal) => new Promise((resolve, reject) => {
  const timer = setTimeout(() => resolve("done"), ms);
  signal.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
});
const c = new AbortController();
setTimeout(() => c.abort(new Error("too slow")), 5);
const results = await Promise.allSettled([work(1, new AbortController().signal), work(5000, c.signal)]);
return results.map((r) => r.value ?? r.reason.message);
//# event targets
const t = new EventTarget();
const log = [];
const twice = (event) => log.push(event.type);
t.addEventListener("a", twice);
t.addEventListener("a", twice);
t.addEventListener("a", () => log.push("once"), { once: true });
t.addEventListener("a", { handleEvent: (event) => log.push("object " + event.type) });
const first = t.dispatchEvent(new Event("a"));
t.removeEventListener("a", twice);
t.addEventListener("a", (event) => event.preventDefault());
const second = t.dispatchEvent(new Event("a", { cancelable: true }));
const c = new AbortController();
t.addEventListener("b", () => log.push("b"), { signal: c.signal });
c.abort();
t.dispatchEvent(new Event("b"));
return [first, second, log];
//# a signal cannot be constructed
try {
  new AbortSignal();
  return "made";
} catch (error) {
  return error instanceof TypeError;
}
