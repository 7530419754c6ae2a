//# deep copies share nothing
const source = { a: [1, { b: 2 }], d: new Date(5), m: new Map([["k", { v: 1 }]]), s: new Set([1, [2]]), r: /x+/gi, n: null, u: undefined };
const copy = structuredClone(source);
copy.a[1].b = 3;
copy.m.get("k").v = 4;
return [source.a[1].b, source.m.get("k").v, copy.d.getTime(), copy.d instanceof Date, copy.r.source, copy.r.flags, [...copy.s][1] !== [...source.s][1], "u" in copy, copy.s instanceof Set];
//# cycles and shared references survive
const a = { name: "a" };
a.self = a;
a.list = [a, { a }];
const shared = { x: 1 };
const b = structuredClone({ a, one: shared, two: shared, map: new Map([[shared, a]]) });
return [b.a.self === b.a, b.a.list[0] === b.a, b.a.list[1].a === b.a, b.one === b.two, b.map.get(b.one) === b.a];
//# binary data
const buffer = new Uint8Array([1, 2, 3, 4]).buffer;
const copy = structuredClone({ whole: new Uint8Array(buffer), part: new Uint16Array(buffer, 2, 1), view: new DataView(buffer, 1, 2), buffer });
copy.whole[0] = 9;
return [[...copy.whole], [...copy.part], copy.part.constructor.name, copy.view.byteOffset, copy.view.getUint8(0), new Uint8Array(buffer)[0], copy.whole.buffer === copy.buffer];
//# transfer detaches the source
const buffer = new ArrayBuffer(8);
const copy = structuredClone({ buffer }, { transfer: [buffer] });
return [buffer.byteLength, copy.buffer.byteLength];
//# errors keep name, message and cause
const source = new RangeError("r", { cause: { why: 1 } });
source.extra = 1;
const copy = structuredClone(source);
const custom = structuredClone(Object.assign(new Error("m"), { name: "Mine" }));
return [copy instanceof RangeError, copy.name, copy.message, copy.cause, "extra" in copy, typeof copy.stack, custom.name, custom.message];
//# class instances become plain, getters are read
class Point { constructor() { this.x = 1; } get y() { return 2; } }
const copy = structuredClone({ p: new Point(), get g() { return 7; }, [Symbol("s")]: 1 });
return [copy.p.constructor === Object, copy.p, copy.g, Object.getOwnPropertySymbols(copy).length];
//# boxed primitives, sparse arrays and odd arrays
const list = [1, , 3];
list.name = "n";
const copy = structuredClone({ list, n: new Number(3), s: new String("s"), b: new Boolean(false), big: 10n ** 20n, nan: NaN, zero: -0 });
return [copy.list.length, 1 in copy.list, copy.list.name, typeof copy.n, copy.n.valueOf(), `${copy.s}`, copy.b.valueOf(), String(copy.big), Number.isNaN(copy.nan), Object.is(copy.zero, -0)];
//# what cannot be cloned
return [() => 1, Symbol("x"), Promise.resolve(), new WeakMap(), { nested: [() => 2] }, class A {}].map((value) => {
  try {
    structuredClone(value);
    return "cloned";
  } catch (error) {
    return [error.name, error.code, error instanceof DOMException];
  }
});
//# primitives pass through
return [structuredClone(1), structuredClone("x"), structuredClone(null), structuredClone(undefined) === undefined, structuredClone(true)];
