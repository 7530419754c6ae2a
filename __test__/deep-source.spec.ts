/** Source with 100,000 of something, in both languages: an error or a value by the deadline, and the process lives. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeModeEngine, CodeModeRun } from "../index.js";
import { openRun, testEngine, valueOf } from "./helpers.js";

const TIMEOUT_MS = 1000;
const OVERSHOOT_MS = 100;
const N = 100_000;

const many = (text: string): string => text.repeat(N);
const numbered = (make: (n: number) => string, separator = ""): string =>
  Array.from({ length: N }, (_, n) => make(n)).join(separator);

const both: Record<string, string> = {
  parentheses: `return ${many("(")}1${many(")")}`,
  brackets: `return ${many("[")}${many("]")}`,
  blocks: many("{") + many("}"),
  "unclosed brackets": many("("),
  "closing brackets": many(")"),
  "!": `return ${many("!")}1`,
  "unary minus": `return ${many("- ")}1`,
  typeof: `return ${many("typeof ")}1`,
  await: `return ${many("await ")}1`,
  new: `return ${many("new ")}Object`,
  "ternaries to the left": `return ${many("1?")}1${many(":1")}`,
  "ternaries to the right": `return ${many("0?1:")}1`,
  "nested templates": `return ${many("`${")}1${many("}`")}`,
  "one long template": `return \`${many("${1}")}\`.length`,
  backticks: many("`"),
  "arrow chain": `return ${many("a=>")}1`,
  "arrow chain with parentheses": `return ${many("(a)=>")}1`,
  "async arrow chain": `return ${many("async a=>")}1`,
  "called arrows": `return ${many("(()=>")}1${many(")()")}`,
  "else if": `let x = 0; ${many("if (x) x = 1; else ")}x = 2; return x`,
  "a sum": `let a = 1; return a${many("+a")}`,
  "a conjunction": `let a = 1; return a${many("&&a")}`,
  powers: `return 1${many("**1")}`,
  comparisons: `return 1${many("<1")}`,
  "a comma list": `return (1${many(",1")})`,
  "optional chain": `let a = {}; return a${many("?.a")}`,
  "member chain": `let a = {}; return a${many(".a")}`,
  "call chain": `let f = () => f; return typeof f${many("()")}`,
  "index chain": `let a = []; return a${many("[0]")}`,
  assignments: `let a; a${many("=a")}`,
  "text like JSX": `return ${many("<a>")}x${many("</a>")}`,
  "nested functions": many("function f(){") + many("}"),
  "nested classes": many("class A{m(){") + many("}}"),
  "nested ifs": `${many("if(0)")};`,
  "nested loops": `${many("for(;0;)")};`,
  "do while": `${many("do ")};${many("while(0);")}`,
  "nested tries": many("try{") + many("}catch{}"),
  labels: `${numbered((n) => `l${n}:`)};`,
  "array patterns": `const ${many("[")}a${many("]")} = 1`,
  "object patterns": `const ${many("{a:")}b${many("}")} = {}`,
  comments: `${many("/*x*/")}return 1`,
  "line comments": `${many("// x\n")}return 1`,
  "unclosed comments": many("/*"),
  "groups of a regex": `return /${many("(")}${many(")")}/`,
  "classes of a regex": `return /${many("[a]")}/.source.length`,
  divisions: `return 1${many("/1")}`,
  statements: `let x = 0; ${many("x++;")} return x`,
  declarations: `${numbered((n) => `let v${n}=1;`)} return 1`,
  arguments: `return Math.max(${many("1,")}1)`,
  properties: `return Object.keys({${numbered((n) => `k${n}:1`, ",")}}).length`,
  cases: `switch (1) {${numbered((n) => `case ${n + 2}:`)}} return 1`,
  "a long name": `let ${many("a")} = 1; return ${many("a")}`,
  escapes: `let ${many("\\u0061")} = 1; return 1`,
  fences: many("```js\n"),
  zeros: many("\0"),
};

const typescriptOnly: Record<string, string> = {
  "type arguments": `let a: ${many("Array<")}number${many(">")}; return 1`,
  unions: `let a: 1${many("|1")}; return 1`,
  "array types": `let a: number${many("[]")}; return 1`,
  "types in parentheses": `let a: ${many("(")}1${many(")")}; return 1`,
  "function types": `let a: ${many("()=>")}1; return 1`,
  "conditional types": `type A = ${many("1 extends 1 ? 1 : ")}1; return 1`,
  "object types": `type A = ${many("{a:")}1${many("}")}; return 1`,
  "template types": `type A = ${many("`${")}1${many("}`")}; return 1`,
  keyof: `type A = ${many("keyof ")}1; return 1`,
  as: `return 1${many(" as any")}`,
  satisfies: `return 1${many(" satisfies any")}`,
  "non-null": `let a: any = 1; return a${many("!")}`,
  "angle brackets": `return ${many("<any>")}1`,
  "calls or comparisons": `f${many("<f")}`,
  "nested namespaces": many("namespace A{") + many("}"),
  "dotted namespaces": `namespace A${many(".A")}{ export const x = 1 }`,
  "an enum's value": `enum E{a=${many("(")}1${many(")")}}`,
  decorators: `${many("@a")} class A{}`,
  modifiers: `${many("abstract ")}class A{}`,
  overloads: `${many("function f(a:1):1;")}function f(a: any): any {} return 1`,
};

describe("deep and long source", () => {
  let engine: CodeModeEngine;
  let run: CodeModeRun;
  beforeAll(() => {
    engine = testEngine();
    run = openRun(engine, { timeoutMs: TIMEOUT_MS });
  });
  afterAll(() => engine.close());

  const cases = [
    ...Object.entries(both).flatMap(([name, code]) => [
      ["javascript", name, code] as const,
      ["typescript", name, code] as const,
    ]),
    ...Object.entries(typescriptOnly).map(([name, code]) => ["typescript", name, code] as const),
  ];
  // A busy machine may cost the first attempt.
  it.each(cases)("%s: %s", { retry: 2 }, async (language, _, code) => {
    const started = performance.now();
    const result = await run.exec({ code, language });
    expect(performance.now() - started).toBeLessThan(TIMEOUT_MS + OVERSHOOT_MS);
    if (result.status === "failed") {
      expect(result.code).toBeOneOf(["invalid_input", "internal_error", "timeout"]);
      expect(result.error).toBeTruthy();
    } else {
      expect(result.status).toBe("completed");
    }
    expect(valueOf(await run.exec({ code: "return 6 * 7", language }))).toBe(42);
  });

  it("crashed nothing", () => expect(engine.stats().crashes).toBe(0));
});

describe("the TypeScript transform", () => {
  it("is not loaded in a process that runs JavaScript only, and once in one that runs TypeScript", () => {
    const script = `
      import { CodeModeEngine } from ${JSON.stringify(new URL("../index.js", import.meta.url).href)};
      const engine = new CodeModeEngine({ workerThreads: 2 });
      const run = engine.openRun({ tools: [], config: true });
      const loaded = [];
      const programs = ["return 1", "const a: number = 1", "syntax error", "import 'fs'", "\`\`\`ts\\nreturn 1\\n\`\`\`", "eval('1')"];
      for (const code of programs) await run.exec({ code });
      await run.exec({ code: "return 1", language: "javascript" });
      loaded.push(engine.stats().typescriptInitialisations);
      await Promise.all(Array.from({ length: 20 }, () => run.exec({ code: "enum E { A } return E.A as number", language: "typescript" })));
      loaded.push(engine.stats().typescriptInitialisations);
      await engine.close();
      process.stdout.write(JSON.stringify(loaded));`;
    const cwd = fileURLToPath(new URL("..", import.meta.url));
    const out = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd, encoding: "utf8" });
    expect(JSON.parse(out)).toEqual([0, 1]);
  });
});
