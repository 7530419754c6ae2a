//# random UUIDs
const ids = Array.from({ length: 50 }, () => crypto.randomUUID());
return [new Set(ids).size, ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))];
//# random values
const bytes = crypto.getRandomValues(new Uint8Array(64));
const words = crypto.getRandomValues(new Uint32Array(8));
const out = [bytes.length, new Set(bytes).size > 20, new Set(words).size];
for (const bad of [new Float32Array(1), new Uint8Array(65537)]) {
  try {
    crypto.getRandomValues(bad);
  } catch (error) {
    out.push(error.name);
  }
}
return out;
//# Math.random stays in range and moves
const draws = Array.from({ length: 500 }, Math.random);
return [draws.every((x) => x >= 0 && x < 1), new Set(draws).size > 490, Math.random.name, Math.random.length];
//# performance.now is monotonic
const a = performance.now();
let b = a;
for (let i = 0; i < 1000; i++) b = Math.max(b, performance.now());
return [b >= a, a >= 0, typeof performance.timeOrigin, Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 5000];
//# microtasks run before timers
const log = [];
setTimeout(() => log.push("timer"), 0);
queueMicrotask(() => log.push("micro"));
Promise.resolve().then(() => log.push("then"));
log.push("sync");
await new Promise((resolve) => setTimeout(resolve, 5));
return log;
//# intervals stop
const log = [];
await new Promise((resolve) => {
  const id = setInterval(() => {
    log.push(log.length);
    if (log.length === 3) {
      clearInterval(id);
      resolve();
    }
  }, 1);
});
await new Promise((resolve) => setTimeout(resolve, 10));
return log;
//# no ambient authority
//= ["undefined","undefined","undefined","undefined","undefined","undefined","undefined","undefined"]
return [typeof fetch, typeof process, typeof require, typeof module, typeof Buffer, typeof XMLHttpRequest, typeof WebSocket, typeof Deno];
//# library globals are not enumerable
//= []
return Object.keys(globalThis).filter((name) => ["URL", "console", "structuredClone", "crypto", "performance", "Intl", "TextEncoder", "AbortController"].includes(name));
//# local time is UTC
//= [0, "2024-07-01T12:00:00.000Z", 12, "UTC"]
const d = new Date(2024, 6, 1, 12);
return [d.getTimezoneOffset(), d.toISOString(), d.getHours(), Intl.DateTimeFormat().resolvedOptions().timeZone];
