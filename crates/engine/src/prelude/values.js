// Guest values to JSON text, by one set of rules for final values, json items and tool inputs.
// The native JSON.stringify does the writing; its replacer turns what JSON would silently lose (Map, Set, Error,
// binary data, promises, BigInt, cycles) into something it can hold, and bounds depth, node count and size while
// walking: a sparse array may be 2^32-1 long.
(function (host, shared) {
  "use strict";
  const {
    keys, stringify, list, TypeError, RangeError, freeze, hasOwn, dateToISOString, dateGetTime, mapForEach,
    setForEach, numberValueOf, stringValueOf, booleanValueOf, bigintValueOf, symbolValueOf,
  } = shared.primordials;
  const { classOf } = host;
  const MAX_DEPTH = 512;
  const NO_LIMIT = 0x3fffffff;
  const UNAWAITED = "[Promise: not awaited; use await to get its value]";

  // Thrown (as this very object) when a value does not fit its limit.
  shared.outputTooLarge = freeze({ __proto__: null, name: "RangeError", message: "code mode output limit exceeded" });

  // The walk in progress. Saved around nested ones: a toJSON or getter may call json().
  let budget = 0;
  let depth = 0;
  // The objects on the path from the root, as the guest made them and as they are written (a Map is written as a
  // plain object). Both lists are `depth` long; what lies beyond is stale.
  let originals = list();
  let holders = list();

  // JSON text of `value`. `maxLength` bounds the text in UTF-16 units (never more than its UTF-8 bytes) and
  // with it the number of nodes; a longer one throws shared.outputTooLarge.
  shared.encode = (value, maxLength) => {
    const limit = maxLength === undefined ? NO_LIMIT : maxLength;
    const saved = { __proto__: null, budget, depth, originals, holders };
    budget = limit;
    depth = -1;
    originals = list();
    holders = list();
    let text;
    try {
      text = stringify(value, replace);
    } finally {
      ({ budget, depth, originals, holders } = saved);
    }
    if (text === undefined) return "null";
    if (text.length > limit) throw shared.outputTooLarge;
    return text;
  };

  // Called by JSON.stringify for each node, after toJSON, with its holder as `this`.
  function replace(key, value) {
    switch (typeof value) {
      case "string":
        if ((budget -= value.length + 3) < -2) throw shared.outputTooLarge;
        return value;
      case "object":
        if (--budget < 0) throw shared.outputTooLarge;
        return value === null ? value : replaceObject(this, value);
      case "bigint":
        value = "" + value;
        if ((budget -= value.length) < 0) throw shared.outputTooLarge;
        return value;
      default:
        if (--budget < 0) throw shared.outputTooLarge;
        return value;
    }
  }

  const replaceObject = (holder, value) => {
    const kind = classOf(value);
    if (kind === 9) throw new TypeError("binary values are not supported");
    if (kind === 8) return UNAWAITED;
    if (kind === 4) return dateGetTime(value) === dateGetTime(value) ? dateToISOString(value) : null;
    if (kind === 12) return replaceBoxed(value);
    // The writer has left every object deeper than the holder. depth is -1 for the root's wrapper.
    while (depth > 0 && holders[depth - 1] !== holder) depth--;
    if (depth < 0) depth = 0;
    for (let i = 0; i < depth; i++) if (originals[i] === value) return "[Circular]";
    if (depth === MAX_DEPTH) throw new RangeError("value is nested more than 512 levels deep");
    const written = kind === 5 ? fromMap(value) : kind === 6 ? fromSet(value) : kind === 7 ? fromError(value) : value;
    originals[depth] = value;
    holders[depth] = written;
    depth++;
    return written;
  };

  const fromSet = (value) => {
    const items = list();
    setForEach(value, (item) => { items[items.length] = item; });
    return items;
  };

  // An object when every key is a string, else an array of pairs.
  const fromMap = (value) => {
    const names = list();
    const items = list();
    let allStrings = true;
    mapForEach(value, (item, name) => {
      if (typeof name !== "string") allStrings = false;
      names[names.length] = name;
      items[items.length] = item;
    });
    if (!allStrings) {
      for (let i = 0; i < names.length; i++) names[i] = [names[i], items[i]];
      return names;
    }
    const record = { __proto__: null };
    for (let i = 0; i < names.length; i++) record[names[i]] = items[i];
    return record;
  };

  // { name, message, ...own fields, cause?, errors? }; never the stack.
  const fromError = (value) => {
    const record = { __proto__: null, name: value.name, message: value.message };
    const names = keys(value);
    for (let i = 0; i < names.length; i++) if (names[i] !== "stack") record[names[i]] = value[names[i]];
    // Both are non-enumerable own properties when the constructors made them.
    if (hasOwn(value, "cause")) record.cause = value.cause;
    if (hasOwn(value, "errors")) record.errors = value.errors;
    return record;
  };

  const replaceBoxed = (value) => {
    const primitive = shared.unbox(value);
    if (typeof primitive === "symbol") return {};
    return typeof primitive === "bigint" ? "" + primitive : primitive;
  };

  // The primitive inside a Number, String, Boolean, BigInt or Symbol object.
  const unboxers = freeze([numberValueOf, stringValueOf, booleanValueOf, bigintValueOf, symbolValueOf]);
  shared.unbox = (value) => {
    for (let i = 0; i < unboxers.length; i++) {
      try {
        return unboxers[i](value);
      } catch {}
    }
  };
})
