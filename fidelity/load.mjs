// Reads the fidelity programs and runs them in Node, the reference the guest is compared with.
//
// A file in programs/ or library/ holds many small programs. Each starts at a line `//# name` and is the body of an
// async function that returns a JSON value. Directly below the name there may be
//   //= <JSON>   the expected value, where Node 20 is no reference (it lacks the feature, or differs on purpose)
//   //! <JSON>   the program fails, with exactly this error text
//   //> <JSON>   one expected text output, in order; the program must print exactly these
import { readFileSync, readdirSync } from "node:fs";
import { createTools } from "./tools.mjs";

// The guest's local time is always UTC.
process.env.TZ = "UTC";

const AsyncFunction = (async () => {}).constructor;

// [{ file, name, language, body, expected?, failure?, output? }] of one folder, in file order.
export function loadPrograms(folder) {
  const base = new URL(`./${folder}/`, import.meta.url);
  return readdirSync(base)
    .filter((file) => /\.(js|ts)$/.test(file))
    .toSorted()
    .flatMap((file) => parse(file, readFileSync(new URL(file, base), "utf8")));
}

function parse(file, text) {
  const [, ...sections] = text.split(/^\/\/# /m);
  return sections.map((section) => {
    const [name, ...lines] = section.split("\n");
    const program = { file, name: name.trim(), language: file.endsWith(".ts") ? "typescript" : "javascript", body: "" };
    let first = 0;
    for (; /^\/\/[=!>]/.test(lines[first] ?? ""); first++) {
      const value = JSON.parse(lines[first].slice(3));
      if (lines[first][2] === "=") program.expected = { value };
      else if (lines[first][2] === "!") program.failure = value;
      else (program.output ??= []).push(value);
    }
    program.body = lines.slice(first).join("\n").trimEnd();
    return program;
  });
}

// The tools of the programs as a gateway would offer them.
export function gatewayTools() {
  return Object.entries(createTools()).map(([name, run]) => ({
    name,
    description: `Stub: ${name}`,
    parameters: { type: "object", properties: {}, additionalProperties: true },
    async execute(_toolCallId, input) {
      const details = run(input ?? {});
      return { content: [{ type: "text", text: JSON.stringify(details) ?? "null" }], details };
    },
  }));
}

// What the program must give: its expected value, or what Node says. `transpile` turns TypeScript into JavaScript.
export async function reference(program, transpile) {
  if (program.expected) return program.expected.value;
  const body = program.language === "typescript" ? transpile(program.body) : program.body;
  const tools = Object.fromEntries(
    Object.entries(createTools()).map(([name, run]) => [name, async (input) => structuredClone(run(input ?? {}))]),
  );
  const silent = Object.fromEntries(Object.keys(console).map((name) => [name, () => {}]));
  // AbortSignal.timeout alone does not keep Node running.
  const alive = setInterval(() => {}, 1000);
  try {
    const value = await new AsyncFunction("tools", "text", "json", "console", `return (async () => {\n${body}\n})();`)(
      tools,
      () => {},
      () => {},
      silent,
    );
    return JSON.parse(JSON.stringify(value ?? null));
  } finally {
    clearInterval(alive);
  }
}
