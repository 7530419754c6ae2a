// ALL_TOOLS, tools and API. All three are built from the run's catalog on first use, so that a cell pays only for what it touches.
(function (host, shared) {
  "use strict";
  const { fetch } = host;
  const { fetchKind, encode, request, readOnly } = shared;
  const { parse } = JSON;
  const { freeze, defineProperty, getOwnPropertyDescriptor, setPrototypeOf } = Object;
  const { apply, ownKeys } = Reflect;
  const { slice } = String.prototype;
  const { isInteger } = Number;
  const PromiseCtor = Promise;
  const ErrorCtor = Error;
  const TypeErrorCtor = TypeError;
  const ProxyCtor = Proxy;
  const RangeErrorCtor = RangeError;

  // Bad arguments reject like everything else that can go wrong with a call.
  function attempt(work) {
    try {
      return work();
    } catch (error) {
      return new PromiseCtor((_, reject) => reject(error));
    }
  }
  shared.attempt = attempt;
  shared.resolved = (work) => new PromiseCtor((resolve) => resolve(work()));

  function limitOf(options) {
    if (options === undefined || options === null) return undefined;
    if (typeof options !== "object") throw new TypeErrorCtor("search options must be an object such as { limit: 8 }.");
    const limit = options.limit;
    if (limit === undefined) return undefined;
    if (typeof limit !== "number" || !isInteger(limit) || limit < 1) throw new ErrorCtor("limit must be a positive integer.");
    return limit;
  }

  // The engine looks at all of a query or id, and cannot be interrupted while it does.
  const LONGEST_TARGET = 65536;
  function bounded(text, what) {
    if (typeof text !== "string") throw new TypeErrorCtor(what + " must be a string.");
    if (text.length > LONGEST_TARGET) throw new RangeErrorCtor(what + " is too long: at most " + LONGEST_TARGET + " characters.");
    return text;
  }
  const toolId = (id) => bounded(id, "tool id");

  // Inputs are bounded by this many characters; the output limit is for what the model reads.
  const LONGEST_INPUT = 16777216;
  const inputOf = (input) => {
    try {
      return input === undefined ? "{}" : encode(input, LONGEST_INPUT);
    } catch (error) {
      if (error === shared.outputTooLarge) throw new RangeErrorCtor("tool input is too large: at most 16 MiB of JSON can be sent.");
      throw error;
    }
  };
  shared.inputOf = inputOf;

  const helpers = {
    __proto__: null,
    search: (query, options) =>
      attempt(() => {
        bounded(query, "search query");
        const limit = limitOf(options);
        return request("search", query, limit === undefined ? "null" : "" + limit);
      }),
    describe: (id) => attempt(() => request("describe", toolId(id), "null")),
    call: (id, input) => attempt(() => request("call", toolId(id), inputOf(input))),
    callValue: (id, input) => attempt(() => request("callValue", toolId(id), inputOf(input))),
  };

  const target = { __proto__: null };
  const fixed = (key, value) => {
    defineProperty(target, key, { __proto__: null, value, writable: false, enumerable: true, configurable: false });
  };
  for (const name in helpers) fixed(name, freeze(helpers[name]));

  function convenience(name) {
    const id = fetch(fetchKind.toolName, name);
    if (id === undefined) return undefined;
    const call = (input) => attempt(() => request("callValue", id, inputOf(input)));
    defineProperty(call, "name", { __proto__: null, value: name, configurable: true });
    fixed(name, freeze(call));
    return call;
  }

  let complete = false;
  // After this the target is frozen and whole, as the proxy invariants ask for.
  function materialise() {
    if (complete) return;
    complete = true;
    const names = parse(fetch(fetchKind.toolNames, ""));
    for (let i = 0; i < names.length; i++) if (target[names[i]] === undefined) convenience(names[i]);
    freeze(target);
  }

  const traps = {
    __proto__: null,
    get(_, key) {
      const value = target[key];
      if (value !== undefined || complete || typeof key !== "string") return value;
      return convenience(key);
    },
    has(_, key) {
      materialise();
      return key in target;
    },
    ownKeys() {
      materialise();
      return ownKeys(target);
    },
    getOwnPropertyDescriptor(_, key) {
      materialise();
      return getOwnPropertyDescriptor(target, key);
    },
    isExtensible() {
      materialise();
      return false;
    },
    preventExtensions() {
      materialise();
      return true;
    },
    getPrototypeOf: () => null,
    setPrototypeOf: (_, prototype) => prototype === null,
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  };
  readOnly("tools", new ProxyCtor(target, traps));

  // A global that is computed at its first use and then stays.
  shared.lazyGlobal = (name, make) => {
    let value;
    let made = false;
    defineProperty(globalThis, name, {
      __proto__: null,
      get() {
        if (!made) {
          value = make();
          made = true;
        }
        return value;
      },
      set: undefined,
      enumerable: true,
      configurable: false,
    });
  };

  shared.deepFreeze = function deepFreeze(value) {
    if (typeof value !== "object" || value === null) return value;
    const keys = ownKeys(value);
    for (let i = 0; i < keys.length; i++) deepFreeze(value[keys[i]]);
    return freeze(value);
  };

  shared.lazyGlobal("ALL_TOOLS", () => shared.deepFreeze(parse(fetch(fetchKind.allTools, ""))));

  // The host answers with JSON, or with an error text behind "!".
  function virtual(kind, path) {
    const answer = fetch(kind, path);
    if (answer[0] === "!") throw new ErrorCtor(apply(slice, answer, [1]));
    return parse(answer);
  }
  shared.virtual = virtual;
  const pathOf = bounded;
  readOnly(
    "API",
    freeze(
      setPrototypeOf(
        {
          list: freeze((prefix) => attempt(() => shared.resolved(() => virtual(fetchKind.apiList, prefix === undefined ? "" : pathOf(prefix, "API.list prefix"))))),
          read: freeze((path) => attempt(() => shared.resolved(() => virtual(fetchKind.apiRead, pathOf(path, "API.read path"))))),
        },
        null,
      ),
    ),
  );
})
