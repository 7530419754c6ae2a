//# levels are prefixed
//> "log"
//> "info"
//> "[warn] careful"
//> "[error] broken"
//> "[debug] detail"
//= null
console.log("log");
console.info("info");
console.warn("careful");
console.error("broken");
console.debug("detail");
//# format specifiers
//> "a x 5 { b: 1 } {\"c\":2} 3 %"
//> "100% done 1"
//> "%d"
//> "x NaN 12 1.5 extra { y: 1 }"
//= null
console.log("a %s %d %o %j %i %%", "x", 5, { b: 1 }, { c: 2 }, 3.9);
console.log("100% done", 1);
console.log("%d");
console.log("%s %d %i %f", "x", "abc", "12px", "1.5", "extra", { y: 1 });
//# everyday values
//> "1 -0 5n true null undefined Symbol(s) text"
//> "[ 1, 'two', [ 3 ] ] { a: 1, 'b-c': 'd' } []  {}"
//> "Map(1) { 'k' => { v: 1 } } Set(2) { 1, 'x' }"
//> "1970-01-01T00:00:00.000Z /x/gi [Function: f] [class A] [Function (anonymous)]"
//= null
console.log(1, -0, 5n, true, null, undefined, Symbol("s"), "text");
console.log([1, "two", [3]], { a: 1, "b-c": "d" }, [], "", {});
console.log(new Map([["k", { v: 1 }]]), new Set([1, "x"]));
console.log(new Date(0), /x/gi, function f() {}, class A {}, () => 1);
//# classes, errors, accessors and cycles
//> "Point { x: 1 } [Object: null prototype] { a: 1 }"
//> "Error: no { code: 'E' } { e: [TypeError: t] }"
//> "{ g: [Getter], s: [Setter], self: [Circular *1] }"
//> "[ <2 empty items>, 1 ] Uint8Array(2) [ 1, 2 ] Promise { not awaited } [Number: 3] [String: 's']"
//= null
class Point { constructor() { this.x = 1; } }
console.log(new Point(), Object.assign(Object.create(null), { a: 1 }));
console.log(Object.assign(new Error("no"), { code: "E" }), { e: new TypeError("t") });
const o = { get g() { return 1; }, set s(v) {} };
o.self = o;
console.log(o);
console.log([, , 1], new Uint8Array([1, 2]), Promise.resolve(), new Number(3), new String("s"));
//# quotes as Node chooses them
//> "[ 'plain', \"it's\", 'say \"hi\"', `both ' and \"`, 'new\\nline', 'é' ]"
//= null
console.log(["plain", "it's", 'say "hi"', "both ' and \"", "new\nline", "é"]);
//# groups, counts and assertions
//> "outer"
//> "  inner"
//> "done"
//> "c: 1"
//> "c: 2"
//> "[error] Assertion failed: no 1"
//= null
console.group("outer");
console.log("inner");
console.groupEnd();
console.log("done");
console.count("c");
console.count("c");
console.assert(true, "never");
console.assert(false, "no", 1);
//# tables
//> "| (index) | a | b |\n|---|---|---|\n| 0 | 1 | x |\n| 1 | 2 |  |"
//> "| (index) | Values |\n|---|---|\n| k | v |"
//= null
console.table([{ a: 1, b: "x" }, { a: 2 }]);
console.table({ k: "v" });
//# depth is bounded
//> "{ a: { b: { c: { d: { e: { f: [Object] } } } } } }"
//= null
console.log({ a: { b: { c: { d: { e: { f: { g: 1 } } } } } } });
