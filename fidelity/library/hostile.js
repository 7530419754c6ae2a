//# values leave intact when every usual intrinsic is replaced
//= {"s":"é\"","n":[1,2.5,null],"m":{"k":["1"]},"e":{"name":"TypeError","message":"m","code":7},"d":"1970-01-01T00:00:00.000Z","c":"[Circular]"}
const value = { s: "é\"", n: [1, 2.5, NaN], m: new Map([["k", new Set([1n])]]), e: Object.assign(new TypeError("m"), { code: 7 }), d: new Date(0) };
value.c = value;
const { getOwnPropertyDescriptor, defineProperty } = Object;
const { ownKeys } = Reflect;
const bad = () => { throw new Error("hostile"); };
const targets = [Array.prototype, String.prototype, Map.prototype, Set.prototype, Function.prototype, JSON, Number.prototype, BigInt.prototype, RegExp.prototype, Promise, Promise.prototype, Error.prototype, Object, Reflect];
for (let i = 0; i < targets.length; i++) {
  const keys = ownKeys(targets[i]);
  for (let j = 0; j < keys.length; j++) {
    const found = getOwnPropertyDescriptor(targets[i], keys[j]);
    // An await inside the guest's own wrapper looks up constructor and then.
    if (typeof found.value !== "function" || !found.configurable || keys[j] === "constructor" || keys[j] === "toJSON") continue;
    found.value = bad;
    defineProperty(targets[i], keys[j], found);
  }
}
return value;
//# index setters on Array.prototype and Object.prototype see nothing
//= [{"a":[1,2]},0]
let seen = 0;
const keys = ["0", "1", "2", "value", "get", "set", "writable", "enumerable", "configurable", "name", "type", "a", ""];
for (const target of [Array.prototype, Object.prototype])
  for (const key of keys)
    Object.defineProperty(target, key, { __proto__: null, set() { seen++; }, get() { seen++; }, configurable: true });
console.log("x", new Map([[1, 2]]), new Set([1]), [3]);
const url = new URL("/b?c=d", "http://h/a");
const copy = structuredClone([1, { b: 2 }]);
const count = seen;
const result = new Map([["a", new Set([1, 2])]]);
for (const target of [Array.prototype, Object.prototype]) for (const key of keys) delete target[key];
return [result, count];
//# console survives replaced globals and a missing iterator
//> "text { a: [ 1, 'q' ] } Map(1) { 'k' => 1 }"
//= 1
const map = new Map([["k", 1]]);
delete Array.prototype[Symbol.iterator];
globalThis.String = globalThis.Map = globalThis.Symbol = globalThis.Object = globalThis.Number = undefined;
console.log("text", { a: [1, "q"] }, map);
return 1;
//# console output does not depend on replaced methods
//> "text { a: [ 1, 'q' ] }"
//= 1
Array.prototype.push = Array.prototype.join = String.prototype.slice = String.prototype.indexOf = Object.keys = () => { throw new Error("no"); };
console.log("text", { a: [1, "q"] });
return 1;
//# hostile toString, names and tags in console arguments
//= "survived"
const proxy = new Proxy({}, { get() { throw new Error("get"); }, ownKeys() { throw new Error("keys"); }, getPrototypeOf() { throw new Error("proto"); }, getOwnPropertyDescriptor() { throw new Error("gopd"); } });
const { proxy: revoked, revoke } = Proxy.revocable([], {});
revoke();
class Odd { get [Symbol.toStringTag]() { throw new Error("tag"); } }
const error = new Error("x");
Object.defineProperty(error, "message", { get() { throw new Error("message"); } });
console.log(proxy, revoked, new Odd(), error, Object.create(null), Object.create(Map.prototype), Symbol("s"));
console.log("%s %d %i %f %j %o %O %c %%", proxy, revoked, error, 1);
console.table(proxy);
return "survived";
//# console output is bounded
//= true
const big = "x".repeat(1e6);
console.log(big, [big, big], Array.from({ length: 1e5 }, (_, i) => i));
const deep = {};
let at = deep;
for (let i = 0; i < 1000; i++) at = at.next = {};
console.log(deep);
const wide = {};
for (let i = 0; i < 20000; i++) wide["key" + i] = i;
console.log(wide);
const sparse = [];
sparse[4294967294 - 1] = 1;
console.log(sparse);
console.log(new Array(1e9));
return true;
//# toJSON of every kind is honoured, also on Map, Date and BigInt
//= [{"z":1},"date","big",{"k":"key"},[1],null]
Date.prototype.toJSON = () => "date";
BigInt.prototype.toJSON = () => "big";
return [{ toJSON: () => ({ z: 1 }) }, new Date(0), 5n, { toJSON: (k) => ({ k: k === "3" ? "key" : typeof k }) }, Object.assign(new Map(), { toJSON: () => [1] }), { toJSON: () => undefined }];
//# URL works when RegExp and String methods are gone
//= ["http://h/b?x=1", "a=1&b=2"]
RegExp.prototype.exec = String.prototype.split = String.prototype.replace = Array.prototype.push = Array.prototype.join = () => { throw new Error("no"); };
return [new URL("/a/../b?x=1", "http://h").href, new URLSearchParams({ a: 1, b: 2 }).toString()];
//# the library leaks nothing of the host
//= []
const leaks = [];
for (const name of Object.getOwnPropertyNames(globalThis)) if (/^(host|shared|primordial|kinds?)|__/.test(name)) leaks.push(name);
return leaks;
//# prototypes are not polluted by keys
//= [{"__proto__":{"p":1},"constructor":2,"prototype":3},null]
const value = JSON.parse('{"__proto__": {"p": 1}, "constructor": 2, "prototype": 3}');
return [value, {}.p];
//# own __proto__ keys of a Map stay keys
//= [{"__proto__":1,"k":2},null]
return [new Map([["__proto__", 1], ["k", 2]]), {}.polluted];
//# a replaced global stays replaced
//= ["mock","a=1","function"]
globalThis.URL = function Mock() { this.href = "mock"; };
const params = new URLSearchParams({ a: 1 });
return [new URL("http://h").href, params.toString(), typeof URLSearchParams];
//# locale methods work without the Intl object
//= ["1,234.5","Jan 1, 1970",-1]
delete globalThis.Intl;
return [(1234.5).toLocaleString(), new Date(0).toLocaleDateString("en-US", { dateStyle: "medium" }), "a".localeCompare("b")];
//# library globals are ordinary data properties once used
//= [{"writable":true,"enumerable":false,"configurable":true},"URL",true]
URL.canParse("x");
const { value, ...attributes } = Object.getOwnPropertyDescriptor(globalThis, "URL");
return [attributes, value.name, value === URL];
//# the library loads after every intrinsic it could use was replaced
//= ["http://h/","ü","{\"a\":1}","1,000","abort"]
const { defineProperty, getOwnPropertyDescriptor } = Object;
const { ownKeys } = Reflect;
const { stringify } = JSON;
const bad = () => { throw new Error("hostile"); };
const targets = [Array.prototype, String.prototype, Map.prototype, Set.prototype, Function.prototype, Number.prototype, RegExp.prototype, Object, Reflect, Symbol];
for (let i = 0; i < targets.length; i++) {
  const keys = ownKeys(targets[i]);
  for (let j = 0; j < keys.length; j++) {
    const found = getOwnPropertyDescriptor(targets[i], keys[j]);
    if (typeof found.value !== "function" || !found.configurable || keys[j] === "constructor" || keys[j] === "toLocaleString") continue;
    found.value = bad;
    defineProperty(targets[i], keys[j], found);
  }
}
const names = ["Symbol", "Object", "Array", "Map", "Uint8Array", "TypeError", "Date", "Number", "String"];
for (let i = 0; i < names.length; i++) globalThis[names[i]] = undefined;
const controller = new AbortController();
let seen = "";
controller.signal.onabort = (event) => { seen = event.type; };
controller.abort();
return [new URL("http://h").href, new TextDecoder().decode(new TextEncoder().encode("ü")), stringify(structuredClone({ a: 1 })), (1000).toLocaleString(), seen];
//# a toJSON may emit output of its own
//> "from toJSON"
//= {"a":{"b":[1]},"c":2}
return { a: { toJSON() { console.log("from toJSON"); return { b: [1] }; } }, c: 2 };
