// Programs that nobody would write: mutations of valid ones, and soups of tokens.
import { readFileSync, readdirSync } from "node:fs";

const TOKENS = (
  "( ) [ ] { } < > => ... ?. ? : ; , . ! ~ + - * / % ** & | ^ && || ?? = += ??= == === != < <= << >>> ++ -- @ # ` ${ } ' \" \\ " +
  "/x/g // /* */ <!-- --> 0 1 1n 0x 1e9 .5 '' \"a\" `t` a b await async yield function class extends super this new.target " +
  "if else for while do switch case default break continue return throw try catch finally var let const of in instanceof " +
  "typeof void delete null true undefined static get set #p import export require enum namespace declare abstract type " +
  "interface as satisfies keyof infer is asserts readonly private public override accessor using any string never unique " +
  "a?:b <T> <T,> (a:b) a! as-const Promise Symbol Array Object JSON Reflect Proxy tools text json yield_control eval Function"
).split(" ");
const ODD = [
  "\0",
  "\u2028",
  "\ufeff",
  "\u200d",
  "\ud800",
  "😀",
  "\r",
  "\t",
  "\v",
  "\u00a0",
  "é",
  "\\u0061",
  "\\u{110000}",
  "```",
  "#!",
  "\n\n",
];
const WRAPPERS = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["`${", "}`"],
  ["(() => ", ")()"],
  ["async () => {", "}"],
  ["function* f() {", "}"],
  ["class A { static {", "} }"],
  ["try {", "} catch {}"],
  ["if (1) {", "} else {}"],
  ["a ? ", " : b"],
  ["!", ""],
  ["a < b > (", ")"],
  ["<T,>(x: T) => ", ""],
  ["x as ", ""],
  ["```js\n", "\n```"],
  ["for (;;) { ", " break }"],
  ["namespace N {", "}"],
  ["type T = ", ""],
];

/** Valid programs to start from: those of the fidelity tests, `{ code, language }`. */
export function seedPrograms() {
  const folder = new URL("../fidelity/programs/", import.meta.url);
  return readdirSync(folder).flatMap((file) =>
    readFileSync(new URL(file, folder), "utf8")
      .split(/^\/\/# .*\n/m)
      .slice(1)
      .map((code) => ({ code, language: file.endsWith(".ts") ? "typescript" : "javascript" })),
  );
}

/** Makes one program: `{ code, language, kind }`. */
export function sourceProgram(random, seeds) {
  if (random.chance(0.35)) {
    return { code: soup(random), language: random.pick(["javascript", "typescript"]), kind: "soup" };
  }
  const seed = random.pick(seeds);
  let code = seed.code;
  // Most keep their grammar, so that what runs is odd too.
  const keep = random.chance(0.6);
  for (let left = 1 + random.below(4); left > 0; left--)
    code = keep ? swap(random, code, seeds) : mutate(random, code, seeds);
  // A program of the other language is a mutation too.
  const language = random.chance(0.8) ? seed.language : random.pick(["javascript", "typescript"]);
  return { code: code.trim() === "" ? ";" : code, language, kind: "mutation" };
}

function soup(random) {
  let code = "";
  for (let left = 1 + random.below(random.chance(0.1) ? 400 : 40); left > 0; left--) {
    const token = random.chance(0.03) ? random.pick(ODD) : random.pick(TOKENS);
    // Now and then many of one kind, for what recurses or backtracks.
    const times = random.chance(0.01) ? 1 + random.below(300) : 1;
    code += (token + random.pick(["", " ", " ", "\n"])).repeat(times);
  }
  return code.trim() === "" ? ";" : code;
}

const WORDS = /[A-Za-z_$][\w$]*|\d+|[-+*/%<>=!&|?.]+/g;
const KINDS = [/^[A-Za-z_$]/, /^\d/, /^[^\w$]/];
const NUMBERS = [
  "0",
  "-1",
  "1e21",
  "NaN",
  "2 ** 31",
  "2 ** 53",
  "1n",
  "0.1",
  "1e6",
  "null",
  "undefined",
  "Infinity",
  "'x'",
];

/** Puts another word of the same kind in the place of one. */
function swap(random, code, seeds) {
  const words = [...code.matchAll(WORDS)];
  if (words.length === 0) return mutate(random, code, seeds);
  const { 0: word, index } = random.pick(words);
  const kind = KINDS.find((each) => each.test(word));
  const others = random.chance(0.8) ? words : [...random.pick(seeds).code.matchAll(WORDS)];
  const same = others.map(([other]) => other).filter((other) => kind.test(other));
  const replacement =
    kind === KINDS[1] && random.chance(0.6) ? random.pick(NUMBERS) : random.pick(same.length > 0 ? same : [word]);
  return code.slice(0, index) + replacement + code.slice(index + word.length);
}

function mutate(random, code, seeds) {
  const at = random.below(code.length + 1);
  const to = Math.min(code.length, at + 1 + random.below(random.chance(0.2) ? 200 : 12));
  const piece = code.slice(at, to);
  const replaced = (text) => code.slice(0, at) + text + code.slice(to);
  switch (random.below(10)) {
    case 0:
      return replaced("");
    case 1:
      return replaced(piece + piece);
    case 2:
      return replaced(piece.repeat(2 + random.below(60)));
    case 3:
      return code.slice(0, at) + random.pick(TOKENS) + code.slice(at);
    case 4:
      return code.slice(0, at) + random.pick(ODD) + code.slice(at);
    case 5:
      return replaced(random.pick(TOKENS));
    case 6: {
      const other = random.pick(seeds).code;
      const from = random.below(other.length);
      return code.slice(0, at) + other.slice(from, from + random.below(120)) + code.slice(at);
    }
    case 7: {
      const [open, close] = random.pick(WRAPPERS);
      const depth = random.chance(0.1) ? 1 + random.below(600) : 1;
      return code.slice(0, at) + open.repeat(depth) + piece + close.repeat(depth) + code.slice(to);
    }
    case 8:
      return code.slice(0, at);
    default: {
      const lines = code.split("\n");
      const a = random.below(lines.length);
      const b = random.below(lines.length);
      [lines[a], lines[b]] = [lines[b], lines[a]];
      return lines.join("\n");
    }
  }
}
