// Intrinsics captured before any guest code runs. Guest programs share this realm and may replace every
// global and prototype method; library code therefore calls only what is kept here.
// Rules the other files follow: no for-of, spread or array destructuring (they look up Symbol.iterator), no
// index writes on ordinary arrays (Array.prototype may carry setters), no regex method but RegExpExec.
(function (host, shared) {
  "use strict";
  const { bind, call } = Function.prototype;
  // uncurry(method)(self, ...args): immune to a replaced Function.prototype.call.
  const uncurry = bind.bind(call);
  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } = Object;
  const proto = {
    Array: Array.prototype, Date: Date.prototype, Map: Map.prototype, Set: Set.prototype,
    Number: Number.prototype, String: String.prototype, RegExp: RegExp.prototype, BigInt: BigInt.prototype,
    TypedArray: getPrototypeOf(Uint8Array.prototype), ArrayBuffer: ArrayBuffer.prototype,
  };
  const { toStringTag } = Symbol;
  const getter = (object, key) => uncurry(getOwnPropertyDescriptor(object, key).get);

  const p = {
    __proto__: null,
    uncurry, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf,
    keys: Object.keys, getOwnPropertySymbols: Object.getOwnPropertySymbols, freeze: Object.freeze,
    isArray: Array.isArray, apply: Reflect.apply, construct: Reflect.construct,
    stringify: JSON.stringify, String, Number, BigInt, Object, Array, Map, Set, WeakMap, Date, Error, TypeError, RangeError, RegExp,
    EvalError, ReferenceError, SyntaxError, URIError, AggregateError, Promise, DOMException, Symbol,
    Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array,
    Float16Array, Float32Array, Float64Array, ArrayBuffer, DataView, Math, NaN, undefined, globalThis,
    MathFloor: Math.floor, MathMin: Math.min, MathMax: Math.max, MathAbs: Math.abs, MathTrunc: Math.trunc,
    isInteger: Number.isInteger, fromCharCode: String.fromCharCode,
    fromCodePoint: String.fromCodePoint, parseInt, parseFloat, dateNow: Date.now,
    symbolIterator: Symbol.iterator, symbolToStringTag: toStringTag, isView: ArrayBuffer.isView,
    hasOwn: uncurry(Object.prototype.hasOwnProperty),
    propertyIsEnumerable: uncurry(Object.prototype.propertyIsEnumerable),
    functionToString: uncurry(Function.prototype.toString),
    arraySort: uncurry(proto.Array.sort),
    charCodeAt: uncurry(proto.String.charCodeAt), codePointAt: uncurry(proto.String.codePointAt),
    slice: uncurry(proto.String.slice), indexOf: uncurry(proto.String.indexOf), lastIndexOf: uncurry(proto.String.lastIndexOf),
    startsWith: uncurry(proto.String.startsWith), endsWith: uncurry(proto.String.endsWith), repeat: uncurry(proto.String.repeat),
    toLowerCase: uncurry(proto.String.toLowerCase), toUpperCase: uncurry(proto.String.toUpperCase),
    padStart: uncurry(proto.String.padStart), padEnd: uncurry(proto.String.padEnd), trim: uncurry(proto.String.trim),
    normalize: uncurry(proto.String.normalize), toWellFormed: uncurry(proto.String.toWellFormed),
    stringValueOf: uncurry(proto.String.valueOf),
    numberValueOf: uncurry(proto.Number.valueOf), numberToString: uncurry(proto.Number.toString), toFixed: uncurry(proto.Number.toFixed),
    toExponential: uncurry(proto.Number.toExponential),
    booleanValueOf: uncurry(Boolean.prototype.valueOf), bigintValueOf: uncurry(proto.BigInt.valueOf),
    symbolValueOf: uncurry(Symbol.prototype.valueOf),
    symbolToString: uncurry(Symbol.prototype.toString),
    dateGetTime: uncurry(proto.Date.getTime), dateToISOString: uncurry(proto.Date.toISOString),
    regExpExec: uncurry(proto.RegExp.exec), regExpSource: getter(proto.RegExp, "source"), regExpFlags: getter(proto.RegExp, "flags"),
    mapForEach: uncurry(proto.Map.forEach), mapSize: getter(proto.Map, "size"), mapGet: uncurry(proto.Map.get),
    mapSet: uncurry(proto.Map.set),
    setForEach: uncurry(proto.Set.forEach), setSize: getter(proto.Set, "size"),
    setAdd: uncurry(proto.Set.add),
    typedArrayTag: getter(proto.TypedArray, Symbol.toStringTag), typedArrayLength: getter(proto.TypedArray, "length"),
    typedArrayBuffer: getter(proto.TypedArray, "buffer"), typedArrayByteOffset: getter(proto.TypedArray, "byteOffset"),
    typedArrayByteLength: getter(proto.TypedArray, "byteLength"), subarray: uncurry(proto.TypedArray.subarray),
    typedArraySet: uncurry(proto.TypedArray.set),
    bufferByteLength: getter(proto.ArrayBuffer, "byteLength"), bufferSlice: uncurry(proto.ArrayBuffer.slice),
    viewBuffer: getter(DataView.prototype, "buffer"), viewByteOffset: getter(DataView.prototype, "byteOffset"),
    viewByteLength: getter(DataView.prototype, "byteLength"),
    errorStack: getter(Error.prototype, "stack"),
    bufferTransfer: uncurry(proto.ArrayBuffer.transfer),
    then: uncurry(Promise.prototype.then),
  };

  // A list whose index writes can never meet a setter: an array without a prototype.
  p.list = () => setPrototypeOf([], null);
  // An ordinary array for the guest, filled by defining elements.
  p.toArray = (list) => {
    const array = [];
    for (let i = 0; i < list.length; i++)
      defineProperty(array, i, { __proto__: null, value: list[i], writable: true, enumerable: true, configurable: true });
    return array;
  };
  // A property with the attributes standard built-ins have.
  p.define = (object, key, value) =>
    defineProperty(object, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  p.expose = (name, value) => p.define(globalThis, name, value);
  p.tag = (constructor, name) =>
    defineProperty(constructor.prototype, toStringTag, { __proto__: null, value: name, configurable: true });
  // `text` cut to at most `limit` UTF-16 units, never inside a surrogate pair.
  p.cut = (text, limit) => {
    if (text.length <= limit) return text;
    const last = p.charCodeAt(text, limit - 1);
    return p.slice(text, 0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
  };
  // A guest's prepareStackTrace would be handed the functions on the stack, those of the library too.
  delete Error.prepareStackTrace;
  shared.primordials = p;
})
