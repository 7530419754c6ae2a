// Guest values to JSON text, by one set of rules for final values, json items and tool inputs.
// A hand-written walker, because JSON.stringify silently loses Map, Set, Error, binary data and promises, and
// because depth, node count and size must be bounded while walking (a sparse array may be 2^32-1 long).
(function (host, shared) {
  "use strict";
  const {
    apply, keys, isArray, stringify, list, TypeError, RangeError, Set, freeze, hasOwn, propertyIsEnumerable,
    dateToISOString, dateGetTime, mapForEach, setForEach, setHas, setAdd, setDelete,
    numberValueOf, stringValueOf, booleanValueOf, bigintValueOf,
  } = shared.primordials;
  const { classOf } = host;
  const MAX_DEPTH = 512;
  // Up to this depth a scan of the ancestors is cheaper than a Set.
  const SCAN_DEPTH = 24;
  const UNAWAITED = '"[Promise: not awaited; use await to get its value]"';

  // Thrown (as this very object) when a value does not fit its limit.
  shared.outputTooLarge = freeze({ __proto__: null, name: "RangeError", message: "code mode output limit exceeded" });

  // State of the encoding in progress. Saved and restored around nested encodings: a toJSON may call json().
  let budget = 0;
  let depth = 0;
  let ancestors = list();
  let ancestorSet;
  let quotedKeys;

  // JSON text of `value`. `maxLength` bounds the text in UTF-16 units (never more than its UTF-8 bytes) and
  // with it the number of nodes; a longer one throws shared.outputTooLarge.
  shared.encode = (value, maxLength) => {
    const kind = typeof value;
    const limit = maxLength === undefined ? 0x3fffffff : maxLength;
    if (kind === "string" || kind === "number" || kind === "boolean") {
      const text = kind === "string" ? stringify(value) : kind === "number" ? number(value) : value ? "true" : "false";
      if (text.length > limit) throw shared.outputTooLarge;
      return text;
    }
    const saved = { __proto__: null, budget, depth, ancestors, ancestorSet, quotedKeys };
    budget = limit;
    depth = 0;
    ancestors = list();
    ancestorSet = undefined;
    quotedKeys = { __proto__: null };
    try {
      const text = encodeValue(value, "");
      if (text === undefined) return "null";
      return text;
    } finally {
      ({ budget, depth, ancestors, ancestorSet, quotedKeys } = saved);
    }
  };

  const number = (value) => (value - value === 0 ? (value === 0 ? "0" : "" + value) : "null");

  const spend = (text) => {
    if ((budget -= text.length) < 0) throw shared.outputTooLarge;
    return text;
  };

  // The text of any value, or undefined where JSON has nothing (undefined, functions, symbols).
  const encodeValue = (value, key) => {
    switch (typeof value) {
      case "string":
        if (value.length > budget) throw shared.outputTooLarge;
        return spend(stringify(value));
      case "number":
        return spend(number(value));
      case "boolean":
        return spend(value ? "true" : "false");
      case "bigint":
        return encodeBigInt(value, key);
      case "object":
        return value === null ? spend("null") : encodeObject(value, key);
      default:
        return undefined;
    }
  };

  const encodeBigInt = (value, key) => {
    const toJSON = value.toJSON;
    if (typeof toJSON === "function") return encodeConverted(apply(toJSON, value, ["" + key]), key);
    return spend('"' + value + '"');
  };

  const encodeObject = (value, key) => {
    const toJSON = value.toJSON;
    if (typeof toJSON === "function") return encodeConverted(apply(toJSON, value, ["" + key]), key);
    return encodeBare(value, key);
  };

  // What a toJSON gave is not asked for its own toJSON.
  const encodeConverted = (value, key) => {
    if (typeof value === "bigint") return spend('"' + value + '"');
    if (typeof value !== "object" || value === null) return encodeValue(value, key);
    return encodeBare(value, key);
  };

  const encodeBare = (value) => {
    const kind = classOf(value);
    if (kind === 4) return spend(dateGetTime(value) === dateGetTime(value) ? '"' + dateToISOString(value) + '"' : "null");
    if (kind === 8) return spend(UNAWAITED);
    if (kind === 9) throw new TypeError("binary values are not supported");
    if (kind === 12) return encodeBoxed(value);
    if (isAncestor(value)) return spend('"[Circular]"');
    if (depth >= MAX_DEPTH) throw new RangeError("value is nested more than 512 levels deep");
    ancestors[depth] = value;
    if (ancestorSet !== undefined) setAdd(ancestorSet, value);
    depth++;
    let text;
    if (kind === 2 || (kind === 11 && isArray(value))) text = encodeArray(value, value.length);
    else if (kind === 5) text = encodeMap(value);
    else if (kind === 6) text = encodeSet(value);
    else if (kind === 7) text = encodeError(value);
    else text = encodeMembers(value);
    depth--;
    if (ancestorSet !== undefined) setDelete(ancestorSet, value);
    return text;
  };

  const isAncestor = (value) => {
    if (depth <= SCAN_DEPTH) {
      for (let i = 0; i < depth; i++) if (ancestors[i] === value) return true;
      return false;
    }
    if (ancestorSet === undefined) {
      ancestorSet = new Set();
      for (let i = 0; i < depth; i++) setAdd(ancestorSet, ancestors[i]);
    }
    return setHas(ancestorSet, value);
  };

  const encodeMembers = (value) => {
    const names = keys(value);
    const length = names.length;
    let text = "{";
    for (let i = 0; i < length; i++) {
      const name = names[i];
      const member = value[name];
      const encoded = typeof member === "string" && member.length <= budget ? spend(stringify(member)) : encodeValue(member, name);
      if (encoded !== undefined) text += (text === "{" ? "" : ",") + quotedKey(name) + encoded;
    }
    spend("{}");
    return text + "}";
  };

  const quotedKey = (name) => {
    let quoted = quotedKeys[name];
    if (quoted === undefined) quotedKeys[name] = quoted = stringify(name) + ":";
    budget -= quoted.length + 1;
    return quoted;
  };

  const encodeArray = (value, length) => {
    let text = "[";
    spend("[]");
    for (let i = 0; i < length; i++) {
      const encoded = encodeValue(value[i], i);
      text += (i === 0 ? "" : ",") + (encoded === undefined ? spend("null") : encoded);
      budget--;
    }
    return text + "]";
  };

  const encodeSet = (value) => {
    const items = list();
    setForEach(value, (item) => { items[items.length] = item; });
    return encodeArray(items, items.length);
  };

  // An object when every key is a string, else an array of pairs.
  const encodeMap = (value) => {
    const names = list();
    const items = list();
    let allStrings = true;
    mapForEach(value, (item, name) => {
      if (typeof name !== "string") allStrings = false;
      names[names.length] = name;
      items[items.length] = item;
    });
    let text = "";
    for (let i = 0; i < names.length; i++) {
      let encoded = encodeValue(items[i], names[i]);
      if (allStrings) {
        if (encoded !== undefined) text += (text === "" ? "" : ",") + quotedKey(names[i]) + encoded;
        continue;
      }
      if (encoded === undefined) encoded = spend("null");
      let first = encodeValue(names[i], "0");
      if (first === undefined) first = spend("null");
      text += (i === 0 ? "[" : ",[") + first + "," + encoded + "]";
      spend("[,],");
    }
    spend("{}");
    return allStrings ? "{" + text + "}" : "[" + text + "]";
  };

  // { name, message, ...own fields, cause?, errors? }; never the stack, which names no user data.
  const encodeError = (value) => {
    let text = "";
    const names = list();
    names[0] = "name";
    names[1] = "message";
    const own = keys(value);
    for (let i = 0; i < own.length; i++) {
      const name = own[i];
      if (name !== "name" && name !== "message" && name !== "stack") names[names.length] = name;
    }
    for (let i = 0; i < 2; i++) {
      const name = i === 0 ? "cause" : "errors";
      if (hasOwn(value, name) && !propertyIsEnumerable(value, name)) names[names.length] = name;
    }
    for (let i = 0; i < names.length; i++) {
      const encoded = encodeValue(value[names[i]], names[i]);
      if (encoded !== undefined) text += (text === "" ? "" : ",") + quotedKey(names[i]) + encoded;
    }
    spend("{}");
    return "{" + text + "}";
  };

  const encodeBoxed = (value) => {
    const primitive = shared.unbox(value);
    return typeof primitive === "symbol" ? spend("{}") : encodeValue(primitive, "");
  };

  // The primitive inside a Number, String, Boolean, BigInt or Symbol object.
  const unboxers = [numberValueOf, stringValueOf, booleanValueOf, bigintValueOf, shared.primordials.symbolValueOf];
  shared.unbox = (value) => {
    for (let i = 0; i < unboxers.length; i++) {
      try {
        return unboxers[i](value);
      } catch {}
    }
  };
})
