//# nothing at the top is null
//= null
return undefined;
//# a function at the top is null
//= null
return () => 1;
//# a symbol at the top is null
//= null
return Symbol("a");
//# BigInt is decimal text
//= ["100000000000000000000", "-5"]
return [10n ** 20n, -5n];
//# members that JSON lacks are dropped, items are null
//= [{"c":2},[null,null,null,null]]
return [{ a: undefined, b: () => 1, c: 2, [Symbol("d")]: 3 }, [undefined, () => 1, NaN, Symbol("x")]];
//# dates, valid and not
//= ["1970-01-01T00:00:00.000Z", {"d": null}]
return [new Date(0), { d: new Date(NaN) }];
//# maps
//= [{"a":1,"b":{"c":"2"}},[[1,2]],{},[[{"k":1},null]],{"x":1}]
return [new Map([["a", 1], ["b", { c: 2n }]]), new Map([[1, 2]]), new Map(), new Map([[{ k: 1 }, undefined]]), new Map([["x", 1], ["y", undefined]])];
//# sets
//= [[1,"x",[2]],[]]
return [new Set([1, "x", new Set([2])]), new Set()];
//# errors carry name, message, fields and causes
//= [{"name":"Error","message":"no","code":"E1"},{"name":"TypeError","message":"t","cause":{"name":"Error","message":"c"}},{"name":"AggregateError","message":"all","errors":[{"name":"Error","message":"1"},2]},{"name":"Mine","message":"m"}]
class Mine extends Error { name = "Mine"; }
return [Object.assign(new Error("no"), { code: "E1" }), new TypeError("t", { cause: new Error("c") }), new AggregateError([new Error("1"), 2], "all"), new Mine("m")];
//# cycles and shared references
//= [{"n":1,"self":"[Circular]"},{"x":{"v":1},"y":{"v":1}},["[Circular]",1],{"m":"[Circular]"}]
const a = { n: 1 };
a.self = a;
const s = { v: 1 };
const l = [];
l.push(l, 1);
const m = new Map();
m.set("m", m);
return [a, { x: s, y: s }, l, m];
//# a promise that nobody awaited says so
//= {"p":"[Promise: not awaited; use await to get its value]"}
return { p: Promise.resolve(1) };
//# boxed primitives, regexes, class instances and getters
//= [1,"s",false,"5",{},{"a":1},{"g":2}]
class A { a = 1; get hidden() { return 2; } }
return [new Number(1), new String("s"), new Boolean(false), Object(5n), /x/g, new A(), { get g() { return 2; } }];
//# proxies are read through
//= [{"a":1},[1,2],[null]]
return [new Proxy({ a: 1 }, {}), new Proxy([1, 2], {}), [new Proxy(() => 1, {})]];
//# strings of every kind
//= ["\u0000\u001f\"\\/","\u2028","😀"]
return ["\0\x1f\"\\/", "\u2028", "\u{1f600}"];
//# 512 levels fit
//= 512
let a = [];
for (let i = 1; i < 512; i++) a = [a];
return JSON.stringify(a).length / 2;
//# URL, search params and typed results
//= ["http://h/",{}]
return [new URL("http://h"), new URLSearchParams("a=1")];
