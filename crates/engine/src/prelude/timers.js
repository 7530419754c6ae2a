// setTimeout and friends, and queueMicrotask. The clock is the host's: a timer is a request that counts as pending work and survives `wait`.
(function (host, shared) {
  "use strict";
  const { emit } = host;
  const { emitKind, nextId, later } = shared;
  const { defineProperty } = Object;
  const { apply } = Reflect;
  const TypeErrorCtor = TypeError;
  const RangeErrorCtor = RangeError;
  const LONGEST_MS = 2147483647;
  const MOST_TIMERS = 1000;

  const timers = { __proto__: null };
  let active = 0;

  function arm(id, delay, background) {
    emit(emitKind.timer, id + " " + delay + (background ? " background" : ""));
  }

  function set(name, callback, delay, args, repeat, background) {
    if (typeof callback !== "function") throw new TypeErrorCtor(name + " needs a function as its first argument");
    if (active >= MOST_TIMERS) throw new RangeErrorCtor("too many timers: at most " + MOST_TIMERS + " can be pending");
    let ms = +delay;
    if (!(ms >= 1)) ms = repeat ? 1 : 0;
    if (ms > LONGEST_MS) ms = 1;
    const id = nextId();
    active++;
    timers[id] = { __proto__: null, callback, args, delay: ms, repeat };
    arm(id, ms, background);
    return id;
  }

  function clear(id) {
    if (typeof id !== "number" || timers[id] === undefined) return;
    delete timers[id];
    active--;
    emit(emitKind.clearTimer, "" + id);
  }

  // The callback runs as a promise job, so that what it throws is an unhandled rejection and ends the cell.
  shared.fireTimer = (id) => {
    const timer = timers[id];
    if (timer === undefined) return;
    if (!timer.repeat) {
      delete timers[id];
      active--;
    }
    later(() => {
      if (timer.repeat && timers[id] === timer) arm(id, timer.delay);
      apply(timer.callback, undefined, timer.args);
    });
  };

  // For AbortSignal.timeout: a timer that nobody waits for.
  shared.backgroundTimeout = (callback, delay) => set("AbortSignal.timeout", callback, delay, { __proto__: null, length: 0 }, false, true);

  const globals = {
    __proto__: null,
    setTimeout: (callback, delay, ...args) => set("setTimeout", callback, delay, args, false),
    setInterval: (callback, delay, ...args) => set("setInterval", callback, delay, args, true),
    clearTimeout: (id) => clear(id),
    clearInterval: (id) => clear(id),
    // The engine's own would lose what the callback throws.
    queueMicrotask: (callback) => {
      if (typeof callback !== "function") throw new TypeErrorCtor("queueMicrotask needs a function as its first argument");
      later(() => apply(callback, undefined, { __proto__: null, length: 0 }));
    },
  };
  for (const name in globals) {
    const value = globals[name];
    defineProperty(value, "name", { __proto__: null, value: name, configurable: true });
    defineProperty(globalThis, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  }
})
