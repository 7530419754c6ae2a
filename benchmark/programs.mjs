// Guest programs that more than one row uses.

/** Ordinary guest work, a bit of each kind. The value proves that it was done. */
export const CPU_MIX = `
  const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));
  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const numbers = Array.from({ length: 20000 }, random).sort((a, b) => a - b);
  const items = Array.from({ length: 2000 }, (_, id) => ({ id, name: "item " + id, tags: ["a", "b", String(id % 7)] }));
  const copy = JSON.parse(JSON.stringify(items)).filter((item) => item.tags.includes("3"));
  const words = ("lorem ipsum 12 dolor 345 sit amet " + "x".repeat(20) + " ").repeat(400);
  const found = words.match(/[a-z]+ (\\d+)/g).length;
  const value = [fib(22), numbers.length, copy.length, found].join();
`;

const FIELDS = Array.from({ length: 20 }, (_, index) => index);

/** The same program of about 50 lines in both languages. */
export const TYPESCRIPT = [
  "interface Item { id: number; name: string; tags?: readonly string[] }",
  ...FIELDS.map((n) => `const make${n} = (id: number, name: string = "n"): Item => ({ id, name, tags: ["t${n}"] });`),
  "const items: Item[] = [];",
  ...FIELDS.map((n) => `items.push(make${n}(${n} as number, "item ${n}") satisfies Item);`),
  "const total: number = items.reduce((sum: number, item: Item) => sum + item.id, 0);",
  "return total!;",
].join("\n");

/** See {@link TYPESCRIPT}. */
export const JAVASCRIPT = [
  "// one line less of types",
  ...FIELDS.map((n) => `const make${n} = (id, name = "n") => ({ id, name, tags: ["t${n}"] });`),
  "const items = [];",
  ...FIELDS.map((n) => `items.push(make${n}(${n}, "item ${n}"));`),
  "const total = items.reduce((sum, item) => sum + item.id, 0);",
  "return total;",
].join("\n");

/** Programs that never end, with and without the interrupt being polled. */
export const ENDLESS = [
  "for (;;);",
  "return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
  "return /(x+x+)+y/.test('x'.repeat(40))",
  "return (new Array(1e9) + '').length",
];
