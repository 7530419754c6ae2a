(host, shared) => {
  const pending = new Map();
  let next = 0;
  const { random, fillRandom, classOf, monotonicMs, utf8Encode, utf8Decode, utf8Incomplete } = host;
  const stringify = JSON.stringify;
  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: false, configurable: false });

  define("call", (input) =>
    new Promise((resolve, reject) => {
      const id = ++next;
      pending.set(id, { resolve, reject });
      host.emit(1, stringify([id, input === undefined ? null : input]));
    }));
  define("text", (value) => host.emit(2, String(value)));
  define("data", (key) => host.fetch(1, key));
  define("lib", Object.freeze({ random, fillRandom, classOf, monotonicMs, utf8Encode, utf8Decode, utf8Incomplete }));
  if (host.crash) define("crash", host.crash);

  shared.controller = {
    begin(setup) {
      define("setup", setup);
    },
    settle(id, kind, text) {
      const entry = pending.get(id);
      pending.delete(id);
      if (kind === 0) entry.resolve(JSON.parse(text));
      else entry.reject(new Error(text));
    },
    finish(value) {
      if (value && value.throwInFinish) throw new RangeError("finish");
      return stringify(value === undefined ? null : value);
    },
    describe(error, phase) {
      const name = error instanceof Error ? error.name : typeof error;
      const message = error instanceof Error ? error.message : String(error);
      return `${phase} ${name}: ${message}`;
    },
  };
}
