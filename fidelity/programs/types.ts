//# interfaces and typed variables
interface User { id: number; name: string; email?: string; readonly tags: string[] }
const u: User = { id: 1, name: "Ada", tags: ["x"] };
const names: string[] = [u].map((x: User): string => x.name);
return { names, has: "email" in u };
//# type aliases and unions
type Shape = { kind: "circle"; r: number } | { kind: "rect"; w: number; h: number };
const area = (s: Shape): number => {
  switch (s.kind) {
    case "circle": return Math.round(Math.PI * s.r ** 2);
    case "rect": return s.w * s.h;
  }
};
return [area({ kind: "circle", r: 2 }), area({ kind: "rect", w: 2, h: 5 })];
//# generics
function groupBy<T, K extends string | number>(items: readonly T[], key: (item: T) => K): Record<K, T[]> {
  return items.reduce((acc, item) => { (acc[key(item)] ??= []).push(item); return acc; }, {} as Record<K, T[]>);
}
return groupBy([1, 2, 3, 4], (n) => (n % 2 ? "odd" : "even"));
//# satisfies and as const
const routes = { home: "/", user: "/u/:id" } as const satisfies Record<string, `/${string}`>;
type Route = keyof typeof routes;
const pick = (r: Route) => routes[r];
return [pick("home"), Object.keys(routes)];
//# numeric enums
enum Level { Low, Mid = 5, High }
return [Level.Low, Level.High, Level[5], Object.keys(Level).length];
//# string enums and switches
enum Color { Red = "red", Blue = "blue" }
const hex: Record<Color, string> = { [Color.Red]: "#f00", [Color.Blue]: "#00f" };
return [Color.Red, hex[Color.Blue], Object.values(Color)];
//# computed enum members
enum Flags { None = 0, A = 1 << 0, B = 1 << 1, AB = A | B, Len = "abc".length }
return [Flags.AB, Flags.Len, (Flags.A | Flags.B) === Flags.AB, Flags[3]];
//# const enums
const enum Dir { Up = 1, Down }
return [Dir.Up, Dir.Down];
//# namespaces
namespace Geo {
  export const R = 6371;
  export function half(): number { return R / 2; }
  export namespace Inner { export const x = 1; }
}
return [Geo.half(), Geo.Inner.x];
//# parameter properties
class Point { constructor(public x: number, private readonly y: number = 2, protected z?: number) {} sum(): number { return this.x + this.y + (this.z ?? 0); } }
return [new Point(1).sum(), Object.keys(new Point(1, 2, 3))];
//# access modifiers and abstract classes
abstract class Animal { protected abstract sound(): string; constructor(readonly name: string) {} public speak(): string { return `${this.name} ${this.sound()}`; } }
class Dog extends Animal { protected override sound(): string { return "woof"; } static create(this: new (n: string) => Dog, n: string): Dog { return new this(n); } }
return Dog.create("Rex").speak();
//# implements and index signatures
interface Store<T> { get(k: string): T | undefined; set(k: string, v: T): this }
class Mem<T> implements Store<T> { [extra: `x${string}`]: unknown; private data: { [k: string]: T } = {}; get(k: string) { return this.data[k]; } set(k: string, v: T): this { this.data[k] = v; return this; } }
return new Mem<number>().set("a", 1).set("b", 2).get("b");
//# non-null and definite assignment
let later!: string;
later = "set";
const m = new Map<string, { v: number }>([["k", { v: 3 }]]);
return [later, m.get("k")!.v, m.get("k")!["v"]!.toFixed(1)];
//# casts
const raw: unknown = { a: [1, 2] };
const a = (raw as { a: number[] }).a;
const b = <string>("x" as unknown);
return [a, b, ("5" as any) * 2];
//# overloads
function parse(x: string): number;
function parse(x: number): string;
function parse(x: string | number): string | number { return typeof x === "string" ? Number(x) : String(x); }
return [parse("5"), parse(5)];
//# type guards and assertion functions
const isStr = (x: unknown): x is string => typeof x === "string";
function assertNum(x: unknown): asserts x is number { if (typeof x !== "number") throw new TypeError("not a number"); }
const out: string[] = ([1, "a", null, "b"] as unknown[]).filter(isStr);
try { assertNum("x"); } catch (e: unknown) { out.push((e as Error).message); }
return out;
//# mapped and conditional types
type Nullable<T> = { [K in keyof T]: T[K] | null };
type Elem<T> = T extends readonly (infer U)[] ? U : never;
const n: Nullable<{ a: number; b: string }> = { a: null, b: "x" };
const e: Elem<number[]> = 5;
return [n, e];
//# template literal types
type Event = `on${Capitalize<"click" | "hover">}`;
const handlers: Partial<Record<Event, () => string>> = { onClick: () => "clicked" };
return handlers.onClick?.() ?? "none";
//# utility types
interface Full { id: number; name: string; age: number }
const patch = (f: Full, p: Partial<Omit<Full, "id">>): Full => ({ ...f, ...p });
const view: Pick<Full, "name"> & Readonly<{ age: number }> = patch({ id: 1, name: "a", age: 2 }, { age: 3 });
return view;
//# tuples and rest elements
type Row = [id: number, name: string, ...flags: boolean[]];
const rows: Row[] = [[1, "a"], [2, "b", true, false]];
return rows.map(([id, name, ...flags]: Row) => `${id}${name}${flags.length}`);
//# generic class with constraints
class Repo<T extends { id: string }> { #items = new Map<string, T>(); add(...ts: T[]): this { for (const t of ts) this.#items.set(t.id, t); return this; } where<K extends keyof T>(k: K, v: T[K]): T[] { return [...this.#items.values()].filter((t) => t[k] === v); } }
return new Repo<{ id: string; n: number }>().add({ id: "a", n: 1 }, { id: "b", n: 2 }).where("n", 2);
//# async with types
interface Weather { city: string; tempC: number }
const fetchAll = async <T extends string>(cities: readonly T[]): Promise<Record<T, number>> => Object.fromEntries(await Promise.all(cities.map(async (city) => { const w = (await tools.get_weather({ city })) as Weather; return [w.city, w.tempC] as const; }))) as Record<T, number>;
return await fetchAll(["Oslo", "Lund"] as const);
//# typed paging loop
type Page<T> = { items: T[]; nextCursor: string | null };
const all: Array<{ number: number }> = [];
let cursor: string | undefined = undefined;
do { const p: Page<{ number: number }> = await tools.search_issues({ query: "chore", cursor }); all.push(...p.items); cursor = p.nextCursor ?? undefined; } while (cursor);
return all.map((i) => i.number);
//# typed errors
class ApiError extends Error { constructor(readonly status: number, message: string) { super(message); this.name = "ApiError"; } }
const call = async (id: string): Promise<string> => { try { return (await tools.get_customer({ id })).name as string; } catch (e) { throw new ApiError(404, (e as Error).message); } };
return await call("none").catch((e: ApiError) => [e.name, e.status, e.message]);
//# optional chaining with types
interface Deep { a?: { b?: { c?: number[] } | null } }
const d: Deep[] = [{}, { a: {} }, { a: { b: null } }, { a: { b: { c: [7] } } }];
return d.map((x: Deep): number => x?.a?.b?.c?.[0] ?? -1);
//# keyof and indexed access
const get = <T, K extends keyof T>(o: T, k: K): T[K] => o[k];
type O = { a: number; b: string };
const v: O["b"] = get<O, "b">({ a: 1, b: "two" }, "b");
return v;
//# discriminated results
type Result<T, E = string> = { ok: true; value: T } | { ok: false; error: E };
const div = (a: number, b: number): Result<number> => (b === 0 ? { ok: false, error: "division by zero" } : { ok: true, value: a / b });
return [div(6, 3), div(1, 0)].map((r) => (r.ok ? r.value : r.error));
//# exhaustive checks with never
type Op = "add" | "sub";
const run = (op: Op, a: number, b: number): number => { switch (op) { case "add": return a + b; case "sub": return a - b; default: { const never: never = op; throw new Error(`bad ${never}`); } } };
const out: unknown[] = [run("add", 1, 2), run("sub", 1, 2)];
try { run("mul" as Op, 1, 2); } catch (e) { out.push((e as Error).message); }
return out;
//# abstract generics and static members
abstract class Base<T> { static count = 0; constructor(protected readonly value: T) { Base.count++; } abstract map<U>(f: (t: T) => U): Base<U>; }
class Just<T> extends Base<T> { map<U>(f: (t: T) => U): Just<U> { return new Just(f(this.value)); } get(): T { return this.value; } }
return [new Just(2).map((x) => x * 3).map(String).get(), Base.count];
//# function types and this parameters
type Fn<A extends unknown[], R> = (...args: A) => R;
const compose = <A extends unknown[], B, C>(f: Fn<A, B>, g: Fn<[B], C>): Fn<A, C> => (...a) => g(f(...a));
function who(this: { name: string }, punct: string): string { return this.name + punct; }
return [compose((a: number, b: number) => a + b, (n) => `=${n}`)(1, 2), who.call({ name: "x" }, "!")];
//# symbols, unique and bigint literals
const tag: unique symbol = Symbol("t");
const o: { [tag]: bigint; n: 10n } = { [tag]: 5n, n: 10n };
return [String(o[tag] * o.n), typeof o.n];
//# declare and type-only constructs vanish
declare const somewhere: { x: number };
declare function elsewhere(a: string): void;
type Unused = typeof somewhere extends object ? 1 : 2;
interface Empty {}
return typeof somewhere;
//# comments and blanks keep working
const a /* number */ : number /* after */ = 1; // trailing : string
const b = (x /* arg */ : number /* t */): number /* ret */ => /* body */ x + a;
return b(2);
//# arrow generics and comparisons are told apart
const id = <T,>(x: T): T => x;
const lt = (a: number, b: number) => a < b && b > (a);
const f = (x: number) => x < 3 || x > 5;
return [id<string>("s"), lt(1, 2), [2, 4, 6].map(f), id<Array<number>>([1]).length];
//# type assertions in expressions
const xs = ([3, 1, 2] as number[]).sort((a, b) => a - b) as readonly number[];
const o = { k: "v" } as Record<string, string>;
return [xs, o["k"]! + (o["z"] as string | undefined ?? "?"), (<const>["a"])[0]];
//# optional parameters, defaults and rest
const f = (a: number, b?: number, c: number = 3, ...d: number[]): number[] => [a, b ?? 0, c, ...d];
return [f(1), f(1, 2, undefined, 4, 5)];
//# typed destructuring
const { a, b: { c = 5 } = {} as { c?: number }, ...rest }: { a: number; b?: { c?: number }; d?: string; e?: string } = { a: 1, d: "d" };
const [x, , ...ys]: [number, number, ...string[]] = [1, 2, "p", "q"];
return { a, c, rest, x, ys };
//# getters, setters and definite fields
class T { private _v = 0; declare phantom: string; count!: number; readonly k = "k" as const; get v(): number { return this._v; } set v(n: number) { this._v = Math.max(0, n); } }
const t = new T();
t.v = -5;
return [t.v, t.k, "phantom" in t];
//# iterators with types
function* take<T>(it: Iterable<T>, n: number): Generator<T, void, undefined> { let i = 0; for (const x of it) { if (i++ >= n) return; yield x; } }
const nat = { *[Symbol.iterator](): IterableIterator<number> { for (let i = 0; ; i++) yield i; } };
return [...take(nat, 4)];
//# async generators with types
async function* count(to: number): AsyncGenerator<number> { for (let i = 1; i <= to; i++) yield i; }
let sum: number = 0;
for await (const n of count(4)) sum += n;
return sum;
//# records and lookups
type Status = "open" | "paid" | "shipped" | "cancelled";
const zero: Record<Status, number> = { open: 0, paid: 0, shipped: 0, cancelled: 0 };
const { items } = (await tools.list_orders({ pageSize: 47 })) as { items: { status: Status }[] };
for (const { status } of items) zero[status]++;
return zero;
//# generic event emitter
type Events = { add: [n: number]; done: [] };
class Emitter<E extends Record<string, unknown[]>> { private h: { [K in keyof E]?: ((...a: E[K]) => void)[] } = {}; on<K extends keyof E>(k: K, f: (...a: E[K]) => void): void { (this.h[k] ??= []).push(f); } emit<K extends keyof E>(k: K, ...a: E[K]): void { this.h[k]?.forEach((f) => f(...a)); } }
const e = new Emitter<Events>();
const log: unknown[] = [];
e.on("add", (n) => log.push(n * 2));
e.on("done", () => log.push("done"));
e.emit("add", 4); e.emit("done");
return log;
//# recursive types
type Json = string | number | boolean | null | Json[] | { [k: string]: Json };
const depth = (j: Json): number => (j && typeof j === "object" ? 1 + Math.max(0, ...Object.values(j).map(depth)) : 0);
return depth({ a: [1, { b: [] }] });
//# decorators are not needed for metadata
const meta = new WeakMap<object, string>();
class A { constructor() { meta.set(this, "made"); } }
return meta.get(new A());
//# private names and types together
class Account { #balance: number = 0; static readonly #min: number = 0; deposit(n: number): this { this.#balance += n; return this; } withdraw(n: number): boolean { if (this.#balance - n < Account.#min) return false; this.#balance -= n; return true; } get balance(): number { return this.#balance; } }
const a = new Account().deposit(10);
return [a.withdraw(3), a.withdraw(30), a.balance];
//# enum in conditions and maps
enum Role { Admin = "ADMIN", User = "USER" }
const perms = new Map<Role, ReadonlySet<string>>([[Role.Admin, new Set(["read", "write"])], [Role.User, new Set(["read"])]]);
const can = (r: Role, p: string): boolean => perms.get(r)?.has(p) ?? false;
return [can(Role.Admin, "write"), can(Role.User, "write"), Role.Admin === ("ADMIN" as Role)];
//# merged namespaces and functions
function version(): string { return version.value; }
namespace version { export const value = "1.2.3"; }
return version();
//# import type free program with satisfies in a call
const cfg = Object.freeze({ retries: 3, hosts: ["a"] } satisfies { retries: number; hosts: string[] });
return [cfg.retries, Object.isFrozen(cfg)];
//# union narrowing
const show = (x: string | number | Date | null | string[]): string => x === null ? "null" : typeof x === "string" ? x.toUpperCase() : typeof x === "number" ? x.toFixed(1) : Array.isArray(x) ? x.join("+") : x.toISOString().slice(0, 4);
return [show(null), show("a"), show(1), show(["p", "q"]), show(new Date(0))];
//# abstract pipeline with inference
const pipe = <T>(x: T) => ({ map: <U>(f: (t: T) => U) => pipe(f(x)), value: x });
return pipe("3").map(Number).map((n) => n + 1).map((n) => ({ n })).value;
//# long typed program
type Line = { sku: string; quantity: number; price: number };
type Order = { id: string; customerId: string; lines: Line[]; createdAt: string };
const fetchOrders = async (): Promise<Order[]> => { const out: Order[] = []; for (let page = 1, pages = 1; page <= pages; page++) { const r: { items: Order[]; totalPages: number } = await tools.list_orders({ page, pageSize: 25 }); pages = r.totalPages; out.push(...r.items); } return out; };
const money = (n: number): string => n.toLocaleString("en-US", { style: "currency", currency: "USD" });
const value = ({ lines }: Pick<Order, "lines">): number => lines.reduce((s, { quantity, price }) => s + quantity * price, 0);
const totals = (await fetchOrders()).reduce<Map<string, number>>((m, o) => m.set(o.customerId, (m.get(o.customerId) ?? 0) + value(o)), new Map());
return [...totals.entries()].sort(([, a], [, b]) => b - a).map(([id, n]) => `${id}: ${money(n)}`);
//# optional call with generics
const o: { f?: <T>(x: T) => T } = { f: (x) => x };
return [o.f?.<number>(5) ?? 0, o["f"]!("s")];
//# type parameters with defaults and const
const tuple = <const T extends readonly unknown[]>(...xs: T): T => xs;
const make = <T = string>(x?: T): T | undefined => x;
return [tuple(1, "a", true), make<number>(3) ?? null, make() ?? null];
//# instanceof and in narrowing
class Cat { meow = () => "meow"; }
class Fish { swim = () => "swim"; }
const act = (p: Cat | Fish | { fly(): string }): string => (p instanceof Cat ? p.meow() : "swim" in p ? p.swim() : p.fly());
return [act(new Cat()), act(new Fish()), act({ fly: () => "fly" })];
//# dates and numbers with types
const parseDate = (s: string): Date | undefined => { const t = Date.parse(s); return Number.isNaN(t) ? undefined : new Date(t); };
return ["2024-01-02", "bad"].map(parseDate).map((d?: Date) => d?.getUTCDate() ?? null);
//# using with types
//= ["in","out"]
const log: string[] = [];
class Res implements Disposable { constructor(private name: string) {} [Symbol.dispose](): void { log.push(this.name); } }
{ using r: Res = new Res("out"); log.push("in"); }
return log;
//# asserting shapes of tool results
interface Customer { id: string; name: string; address: { city: string } | null }
const isCustomer = (x: unknown): x is Customer => typeof x === "object" && x !== null && "id" in x && "name" in x;
const c: unknown = await tools.get_customer({ id: "c5" });
if (!isCustomer(c)) throw new TypeError("unexpected shape");
return c.address?.city ?? "no address";
//# accessors in object literals with types
const o = { _n: 1, get n(): number { return this._n; }, set n(v: number) { this._n = v * 2; }, async m<T>(this: { _n: number }, x: T): Promise<[number, T]> { return [this._n, x]; } };
o.n = 5;
return [o.n, await o.m("x")];
//# labelled loops with types
const grid: number[][] = [[1, 2], [3, -1], [5, 6]];
let at: [number, number] | null = null;
outer: for (const [i, row] of grid.entries()) for (const [j, v] of row.entries()) if (v < 0) { at = [i, j]; break outer; }
return at;
//# readonly arrays and spreads
const base: readonly string[] = Object.freeze(["a", "b"]);
const more: ReadonlyArray<string> = [...base, "c"];
const set: ReadonlySet<string> = new Set(more);
return [more, set.has("c"), base.concat(more).length];
