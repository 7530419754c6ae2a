/**
 * Errors name the user's own lines and columns, whatever was done to the source before it ran.
 *
 * The programs lie in `cases/positions-*.txt`. Each starts at `//# name`; ① ② ③ … mark where its frames must point,
 * innermost first, and are taken out before it runs. Below the name there may be
 *   //! the first line of the error text
 *   //+ a further line behind the frames
 *   //: names of the functions of the frames, `-` without one (a blank in a name is `_`); `none`: no frames, a location
 *   //= column      V8 and QuickJS mean the same column of the location
 *   //~ location: … V8 has the location on another line, and why; `callers: …` the same for the other frames
 *   //- guest only  the program uses what Node does not have
 *   //x             known to be wrong
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeModeEngine, CodeModeResult, CodeModeRun } from "../index.js";
import { answering, openRun, testEngine, valueOf } from "./helpers.js";

type Place = [line: number, column: number];

interface Program {
  name: string;
  code: string;
  error: string;
  location: Place;
  frames: Place[];
  sameColumn: boolean;
  differs: string | undefined;
  guestOnly: boolean;
  wrong: boolean;
}

const MARKS = "①②③④⑤⑥";

function load(language: string): Program[] {
  const text = readFileSync(new URL(`cases/positions-${language}.txt`, import.meta.url), "utf8");
  return text
    .split(/^\/\/# /mu)
    .slice(1)
    .map(parse);
}

function parse(section: string): Program {
  const [name = "", ...lines] = section.trimEnd().split("\n");
  const directives = new Map<string, string[]>();
  while (/^\/\/[!+:=~x-]/u.test(lines[0] ?? "")) {
    const line = lines.shift() ?? "";
    directives.set(line[2]!, [...(directives.get(line[2]!) ?? []), line.slice(3).trimStart()]);
  }
  const marks = new Map<number, Place>();
  const code = lines.map((line, index) => {
    let plain = "";
    for (const character of line) {
      const mark = MARKS.indexOf(character);
      if (mark < 0) {
        plain += character;
      } else {
        marks.set(mark, [index + 1, plain.length + 1]);
      }
    }
    return plain;
  });
  const places = [...marks].toSorted(([a], [b]) => a - b).map(([, place]) => place);
  const names = directives.get(":")?.[0]?.split(" ") ?? [];
  const frames = names[0] === "none" ? [] : places;
  const shown = frames.map(([line, column], index) => {
    const place = `code-mode.js:${line}:${column}`;
    const fn = (names[index] ?? "-").replace("_", " ");
    return fn === "-" ? `    at ${place}` : `    at ${fn} (${place})`;
  });
  // The blank behind a marker was taken off with the directive's; a further line may begin with blanks.
  const rest = (directives.get("+") ?? []).map((line) => line.replace(/^at /u, "    at "));
  return {
    name,
    code: code.join("\n"),
    error: [...(directives.get("!") ?? []), ...shown, ...rest].join("\n"),
    location: places[0]!,
    frames,
    sameColumn: directives.has("="),
    differs: directives.get("~")?.[0],
    guestOnly: directives.has("-"),
    wrong: directives.has("x"),
  };
}

/** Where Node has the frames of the errors of these bodies. */
function inNode(bodies: string[]): Place[][] {
  const script = fileURLToPath(new URL("node-frames.mjs", import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [script], { input: JSON.stringify(bodies), encoding: "utf8" }));
}

let engine: CodeModeEngine;
let run: CodeModeRun;
beforeAll(() => {
  engine = testEngine();
  const fail = answering("fail", () => Promise.reject(new Error("tool no")));
  run = openRun(engine, {}, { tools: [fail] });
});
afterAll(() => engine.close());

async function toTheEnd(code: string, language: "javascript" | "typescript"): Promise<CodeModeResult> {
  let result = await run.exec({ code, language });
  while (result.status === "waiting") {
    result = await run.wait({ runId: result.runId });
  }
  return result;
}

const javascript = load("javascript");
const typescript = load("typescript");

describe.each([
  ["javascript", javascript],
  ["typescript", typescript],
] as const)("%s", (language, programs) => {
  it("has programs enough", () => expect(programs.length).toBeGreaterThanOrEqual(30));

  for (const { name, code, error, location, wrong } of programs) {
    (wrong ? it.fails : it)(name, async () => {
      const [line, column] = location;
      expect(await toTheEnd(code, language)).toMatchObject({ status: "failed", error, location: { line, column } });
    });
  }

  it.each([
    ["in place", "const make = () => new Error('x');\nconst a = 1;\nreturn make().stack;", "3:8"],
    ["with a value put in", "const make = () => new Error('x');\nconst a = 1;\nmake().stack;", "3:1"],
  ])("shows the program the same frames in `error.stack`, %s", async (_, code, place) => {
    const frames = `Error: x\n    at make (code-mode.js:1:24)\n    at code-mode.js:${place}`;
    expect(valueOf(await run.exec({ code, language }))).toBe(frames);
  });

  it("leaves nothing of the wrapper, the library or the engine in any frame of any function", async () => {
    const code = `
      const stacks = [];
      const see = (value) => (stacks.push(new Error("here").stack), value);
      await yield_control();
      await new Promise((resolve) => setTimeout(() => resolve(see()), 1));
      await Promise.all([tools.fail().catch((error) => stacks.push(error.stack)), Promise.resolve().then(see)]);
      [2, 1].sort(() => see(0)); JSON.stringify({ toJSON: see }); structuredClone({ get a() { return see(); } });
      new URLSearchParams({ get a() { return see("x"); } }); json({ toJSON: see }); console.log({ get a() { return see(); } });
      new Proxy({}, { get: see }).x; queueMicrotask(see); await null;
      eval("see()"); new Function("see", "see()")(see); see\`\`; new AbortController().signal.addEventListener("abort", see);
      const controller = new AbortController(); controller.signal.onabort = see; controller.abort();
      return stacks;`;
    const stacks = valueOf(await toTheEnd(code, language)) as string[];
    expect(stacks.length).toBeGreaterThan(10);
    for (const stack of stacks) {
      const [, ...frames] = stack.split("\n");
      for (const frame of frames) {
        expect(frame).toMatch(/^ {4}at (?:[\w. ]+ \()?code-mode\.js:(?:[2-9]|1\d):\d+\)?(?: \(\d+ times\))?$/u);
      }
    }
  });
});

describe("against Node", () => {
  const programs = javascript.filter(({ guestOnly, wrong }) => !guestOnly && !wrong);
  const reference = inNode(programs.map(({ code }) => code));

  it("hardly any program differs in a line, and most mean the same column", () => {
    expect(programs.filter(({ differs }) => differs !== undefined).length).toBeLessThanOrEqual(6);
    expect(programs.filter(({ sameColumn }) => sameColumn).length).toBeGreaterThanOrEqual(35);
  });

  it.each(programs.map((program, index) => [program.name, program, reference[index]!] as const))(
    "%s",
    (_, program, node) => {
      const { code, location, frames, sameColumn, differs } = program;
      expect(node.length).toBeGreaterThan(0);
      const [line, column] = node[0]!;
      if (differs?.startsWith("location") !== true) {
        expect(location[0]).toBe(line);
        // Node leaves out frames that it calls itself, and adds none.
        const same = frames.slice(1, node.length).map(([at]) => at);
        if (differs === undefined) {
          expect(same).toEqual(node.slice(1, frames.length).map(([at]) => at));
        }
      }
      if (sameColumn) {
        // V8 points at `new`, QuickJS at what is made.
        const isNew = code.split("\n")[line - 1]!.startsWith("new ", column - 1);
        expect(location[1]).toBe(isNew ? column + "new ".length : column);
      }
    },
  );
});

describe("errors in the source itself", () => {
  const both = ["javascript", "typescript"] as const;
  const cases: [languages: readonly ("javascript" | "typescript")[], code: string, error: string, place: Place][] = [
    [both, "const a = ;", "Expression expected\n1 | const a = ;\n  |           ^", [1, 11]],
    [both, "const a = 1;\nreturn 1 +;", "Expression expected\n2 | return 1 +;\n  |           ^", [2, 11]],
    [both, "for (const x of [1, 2] {\n}", "Expected `)`, got `{`\n1 | for (const x of [1, 2] {\n  |                        ^", [1, 24]],
    [both, "if (true) {\n  text('a');", "Unexpected end of code\n2 |   text('a');\n  |             ^", [2, 13]],
    [both, "text('a');\n}", "Unexpected `}`\n2 | }\n  | ^", [2, 1]],
    [both, "const s = 'open;", "Unterminated string constant\n1 | const s = 'open;\n  |           ^", [1, 11]],
    [both, "break;", "A 'break' statement can only be used within an enclosing iteration or switch statement\n1 | break;\n  | ^", [1, 1]],
    [both, "const a = 1;\nlet let = 5;", "Unexpected `let`\n2 | let let = 5;\n  |     ^", [2, 5]],
    [both, "```js\nconst a = ;\n```", "Expression expected\n2 | const a = ;\n  |           ^", [2, 11]],
    [both, "text('😀'); const a = ;", "Expression expected\n1 | text('😀'); const a = ;\n  |                      ^", [1, 23]],
    [both, "import fs from 'fs';", "code mode module access is disabled.", [1, 1]],
    [both, "const a = 1;\nreturn `x ${require('fs')}`", "code mode module access is disabled.", [2, 13]],
    [["javascript"], "const a = 1;\nconst n: number = 5;", "'const' declarations must be initialized; this is TypeScript: set language to \"typescript\"\n2 | const n: number = 5;\n  |       ^", [2, 7]],
    [["typescript"], "const a: number = ;", "Expression expected\n1 | const a: number = ;\n  |                   ^", [1, 19]],
    [["typescript"], "interface A { x: number\nconst a = 1;", "Expected `;`, got a name\n2 | const a = 1;\n  |       ^", [2, 7]],
    [["typescript"], "function f(a: number {\n}", "Expected `,`, got `{`\n1 | function f(a: number {\n  |                      ^", [1, 22]],
    [["typescript"], "let a: = 5;", "Unexpected `=`\n1 | let a: = 5;\n  |        ^", [1, 8]],
    [["typescript"], "class A {\n  @log method() {}\n}", "Decorators are not supported; write the code without them\n2 |   @log method() {}\n  |   ^", [2, 3]],
    [["typescript"], "class A {\n  accessor x = 1;\n}", "`accessor` fields are not supported; write the code without them\n2 |   accessor x = 1;\n  |   ^", [2, 3]],
    [["typescript"], "enum E { A = 1,, B }", "Expected ident\n1 | enum E { A = 1,, B }\n  |                ^", [1, 16]],
  ]; // prettier-ignore
  it.each(cases.flatMap(([languages, ...rest]) => languages.map((language) => [language, ...rest] as const)))(
    "%s: %j",
    async (language, code, error, [line, column]) => {
      const denied = error.startsWith("code mode module");
      expect(await run.exec({ code, language })).toMatchObject({
        status: "failed",
        code: "invalid_input",
        detailCode: denied
          ? "module_access_denied"
          : language === "typescript"
            ? "typescript_transform_failed"
            : "invalid_input",
        error,
        location: { line, column },
        output: [],
      });
    },
  );
});
