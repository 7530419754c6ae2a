// structuredClone: deep copies by internal class, never by prototype methods of the guest's.
(function (host, shared) {
  "use strict";
  const {
    Array, Map, Set, mapGet, mapSet, mapForEach, setForEach, setAdd, keys, isArray, Date, dateGetTime, RegExp,
    regExpSource, regExpFlags, DataView, DOMException, TypeError, Object, Error, EvalError, RangeError,
    ReferenceError, SyntaxError, URIError, AggregateError, list, define, defineProperty, hasOwn, bufferByteLength,
    bufferSlice, bufferTransfer, typedArrayTag, typedArrayBuffer, typedArrayByteOffset, typedArrayLength, viewBuffer,
    viewByteOffset, viewByteLength, functionToString, symbolToString, errorStack, expose,
  } = shared.primordials;
  const { classOf } = host;
  const {
    Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array,
    Float16Array, Float32Array, Float64Array,
  } = shared.primordials;
  const views = {
    __proto__: null, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array,
    BigUint64Array, Float16Array, Float32Array, Float64Array,
  };
  const errors = { __proto__: null, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError };

  const refuse = (what) => {
    throw new DOMException(what + " could not be cloned.", "DataCloneError");
  };

  const objects = Object.prototype;
  const arrays = Array.prototype;
  // Plain assignment where nothing inherited can interfere, which is nearly always.
  const put = (object, prototype, key, value) => {
    if (!(key in prototype)) object[key] = value;
    else defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  };

  const clone = (value, copies) => {
    switch (typeof value) {
      case "symbol":
        return refuse(symbolToString(value));
      case "function":
        return refuse(functionToString(value));
      case "object":
        if (value !== null) break;
      // null is as plain as the rest
      default:
        return value;
    }
    const known = mapGet(copies, value);
    if (known !== undefined) return known;
    const kind = classOf(value);
    const keep = (copy) => (mapSet(copies, value, copy), copy);
    switch (kind) {
      case 1:
        return members(value, keep({}), objects, copies);
      case 2: {
        const copy = keep([]);
        const { length } = value;
        members(value, copy, arrays, copies);
        if (copy.length !== length) copy.length = length;
        return copy;
      }
      case 4:
        return keep(new Date(dateGetTime(value)));
      case 5: {
        const copy = keep(new Map());
        const entries = list();
        mapForEach(value, (item, key) => {
          entries[entries.length] = key;
          entries[entries.length] = item;
        });
        for (let i = 0; i < entries.length; i += 2) mapSet(copy, clone(entries[i], copies), clone(entries[i + 1], copies));
        return copy;
      }
      case 6: {
        const copy = keep(new Set());
        const items = list();
        setForEach(value, (item) => { items[items.length] = item; });
        for (let i = 0; i < items.length; i++) setAdd(copy, clone(items[i], copies));
        return copy;
      }
      case 7:
        return cloneError(value, keep, copies);
      case 9:
        return cloneBinary(value, keep, copies);
      case 10:
        return keep(new RegExp(regExpSource(value), regExpFlags(value)));
      case 12: {
        const primitive = shared.unbox(value);
        return typeof primitive === "symbol" ? refuse("Object(Symbol)") : keep(Object(primitive));
      }
      default:
        return refuse(kind === 8 ? "#<Promise>" : "#<Object>");
    }
  };

  const members = (value, copy, prototype, copies) => {
    const names = keys(value);
    for (let i = 0; i < names.length; i++) put(copy, prototype, names[i], clone(value[names[i]], copies));
    return copy;
  };

  // Name, message, stack and cause survive; own fields do not, as in the standard.
  const cloneError = (value, keep, copies) => {
    const name = value.name;
    const Constructor = errors[typeof name === "string" ? name : "Error"] || Error;
    const copy = keep(Constructor === AggregateError ? new AggregateError([]) : new Constructor());
    if (hasOwn(value, "message")) define(copy, "message", "" + value.message);
    if (hasOwn(value, "cause")) define(copy, "cause", clone(value.cause, copies));
    let stack;
    try {
      stack = errorStack(value);
    } catch {}
    if (typeof stack === "string") define(copy, "stack", stack);
    return copy;
  };

  const cloneBinary = (value, keep, copies) => {
    const tag = typedArrayTag(value);
    if (tag !== undefined) {
      const buffer = clone(typedArrayBuffer(value), copies);
      return keep(new views[tag](buffer, typedArrayByteOffset(value), typedArrayLength(value)));
    }
    let length;
    try {
      length = bufferByteLength(value);
    } catch {}
    if (length !== undefined) return keep(bufferSlice(value, 0, length));
    let buffer;
    try {
      buffer = viewBuffer(value);
    } catch {
      return refuse("#<SharedArrayBuffer>");
    }
    return keep(new DataView(clone(buffer, copies), viewByteOffset(value), viewByteLength(value)));
  };

  const structuredClone = function structuredClone(value, options) {
    if (arguments.length === 0) throw new TypeError("The \"value\" argument must be specified");
    const copies = new Map();
    const transfer = options === undefined || options === null ? undefined : options.transfer;
    const moved = list();
    if (transfer !== undefined) {
      if (!isArray(transfer)) throw new TypeError("transfer must be an array");
      for (let i = 0; i < transfer.length; i++) {
        let length;
        try {
          length = bufferByteLength(transfer[i]);
        } catch {}
        if (length === undefined) refuse("Value at index " + i + " does not appear to be transferable and");
        moved[i] = transfer[i];
      }
    }
    for (let i = 0; i < moved.length; i++) mapSet(copies, moved[i], bufferTransfer(moved[i]));
    return clone(value, copies);
  };
  expose("structuredClone", structuredClone);
})
