import { describe, expect, it } from "vitest";
import { createMarker, serializeScope, type ScopeNode } from "../ts/namespace-scope.js";

/** The plain value of a node; calls become "call:<path>". */
function plain(node: ScopeNode): unknown {
  switch (node.kind) {
    case "value":
      return node.value;
    case "call":
      return `call:${node.path.replaceAll("\u001f", "/")}`;
    case "array":
      return node.items.map(plain);
    default:
      return Object.fromEntries(node.entries.map(([key, member]) => [key, plain(member)]));
  }
}

const serialized = (scope: unknown) => plain(serializeScope(scope, "S").root);
const member = (what: string) => new TypeError(`code mode namespace scope member ${what}.`);

describe("what crosses", () => {
  it("keeps JSON data and records calls by path", () => {
    const list = createMarker("list");
    const result = serializeScope({ a: 1, deep: { b: [true, null, "x", { list }] }, list }, "S");
    expect(plain(result.root)).toEqual({
      a: 1,
      deep: { b: [true, null, "x", { list: "call:deep/b/3/list" }] },
      list: "call:list",
    });
    expect([...result.callables.keys()]).toEqual(["deep\u001fb\u001f3\u001flist", "list"]);
    expect(result.callables.get("list")).toEqual({ toolName: "list", inputMapper: undefined });
  });

  it("cannot be fooled by data that looks like a call", () => {
    const fake = { kind: "call", path: "list" };
    const result = serializeScope({ fake }, "S");
    expect(plain(result.root)).toEqual({ fake });
    expect(result.callables.size).toBe(0);
  });

  it("writes shared objects out at each place", () => {
    const shared = { v: 1 };
    expect(serialized({ x: shared, y: [shared, shared] })).toEqual({ x: { v: 1 }, y: [{ v: 1 }, { v: 1 }] });
  });

  it("gives values that JSON cannot hold their safe form", () => {
    const error = Object.assign(new Error("no"), { code: "E1" });
    const value = {
      undefined,
      symbol: Symbol("s"),
      nan: NaN,
      infinite: -Infinity,
      big: 10n ** 20n,
      date: new Date(0),
      badDate: new Date(NaN),
      map: new Map([["a", { b: 2n }]]),
      pairs: new Map([[1, 2]]),
      set: new Set(["x"]),
      error,
      bytes: new Uint8Array(3),
      regex: /a+/u,
      url: new URL("https://example.com/x"),
      json: { toJSON: () => ({ z: 1 }) },
      list: [undefined, Symbol("s"), NaN],
      // oxlint-disable-next-line no-sparse-arrays
      holes: [1, , 2],
    };
    expect(serialized(value)).toEqual({
      nan: null,
      infinite: null,
      big: "100000000000000000000",
      date: "1970-01-01T00:00:00.000Z",
      badDate: null,
      map: { a: { b: "2" } },
      pairs: [[1, 2]],
      set: ["x"],
      error: { name: "Error", message: "no", code: "E1" },
      bytes: "[binary value, 3 bytes]",
      regex: "/a+/u",
      url: "https://example.com/x",
      json: { z: 1 },
      list: [null, null, null],
      holes: [1, null, 2],
    });
  });

  it("reads each getter once", () => {
    let reads = 0;
    const scope = {
      get n() {
        reads += 1;
        return reads;
      },
    };
    expect(serialized(scope)).toEqual({ n: 1 });
  });
});

describe("what is refused, with its path", () => {
  it.each([undefined, null, 1, "x", [], () => 1, createMarker("a")])("a scope that is no object: %s", (scope) => {
    expect(() => serializeScope(scope, "S")).toThrow(new TypeError("code mode namespace scope must be an object: S"));
  });

  it("raw functions, at any depth and behind toJSON", () => {
    const raw = "is a raw function; use createCodeModeNamespaceTool";
    expect(() => serialized({ a: { b: [1, () => 1] } })).toThrow(member(`S.a.b.1 ${raw}`));
    expect(() => serialized({ a: Error })).toThrow(member(`S.a ${raw}`));
    expect(() => serialized({ a: new Map([["f", () => 1]]) })).toThrow(member(`S.a.f ${raw}`));
    expect(() => serialized({ a: { toJSON: () => () => 1 } })).toThrow(member(`S.a ${raw}`));
  });

  it("cycles: objects, arrays, maps, the scope itself, toJSON", () => {
    const scope: Record<string, unknown> = {};
    scope.self = { up: scope };
    expect(() => serialized(scope)).toThrow(member("S.self.up is part of a cycle"));
    const array: unknown[] = [];
    array.push(array);
    expect(() => serialized({ array })).toThrow(member("S.array.0 is part of a cycle"));
    const map = new Map<string, unknown>();
    map.set("m", map);
    expect(() => serialized({ map })).toThrow(member("S.map.m is part of a cycle"));
    const own = { toJSON: () => own };
    expect(() => serialized({ own })).toThrow(member("S.own is part of a cycle"));
  });

  it.each([
    ["__proto__", "S.a.__proto__"],
    ["constructor", "S.a.constructor"],
    ["prototype", "S.a.prototype"],
    ["", 'S.a.""'],
    ["x\u001fy", "S.a.x\\u001fy"],
  ])("the key %j", (key, shown) => {
    expect(() => serialized({ a: JSON.parse(`{${JSON.stringify(key)}: 1}`) })).toThrow(
      member(`${shown} has a key that is not allowed`),
    );
    expect(() => serialized({ a: new Map([[key, 1]]) })).toThrow(member(`${shown} has a key that is not allowed`));
  });

  it("getters, toJSON and proxies that throw, promises", () => {
    const thrower = {
      get x(): never {
        throw new Error("boom");
      },
    };
    expect(() => serialized({ a: thrower })).toThrow(member("S.a.x could not be read: boom"));
    expect(() => serialized({ a: { toJSON: () => thrower.x } })).toThrow(member("S.a could not be read: boom"));
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    expect(() => serialized({ proxy })).toThrow(/^code mode namespace scope member S\.proxy could not be read: /u);
    expect(() => serialized(proxy)).toThrow(/^code mode namespace scope member S could not be read: /u);
    expect(() => serialized({ a: Promise.resolve(1) })).toThrow(
      member("S.a could not be read: it is a promise; await it in createScope"),
    );
    const odd = {
      get x(): never {
        // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error
        throw Object.create(null);
      },
    };
    expect(() => serialized(odd)).toThrow(member("S.x could not be read: unknown error"));
  });

  it("depth and size without end", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 1e5; level += 1) {
      deep = { d: deep };
    }
    expect(() => serialized({ deep })).toThrow(/is nested deeper than 64 levels\.$/u);
    const grow = { get more() { return grow; } }; // prettier-ignore
    expect(() => serialized({ grow: { toJSON: () => ({ ...grow }) } })).toThrow(/cycle|deeper/u);
    let doubled: unknown = [1];
    for (let level = 0; level < 40; level += 1) {
      doubled = [doubled, doubled];
    }
    expect(() => serialized({ doubled })).toThrow(/makes the scope larger than 20000 values\.$/u);
    expect(() => serialized({ sparse: Object.assign([1], { length: 4e9 }) })).toThrow(
      member("S.sparse makes the scope larger than 20000 values"),
    );
  });
});
