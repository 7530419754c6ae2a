/** Programs of the kind models write, run in the guest and in Node, with equal results; and the guest's library against Node's. */
import { transpileModule, ModuleKind, ScriptTarget } from "typescript";
import { afterAll, describe, expect, test } from "vitest";
import { openRun, testEngine } from "./helpers.js";

interface Program {
  file: string;
  name: string;
  language: "javascript" | "typescript";
  body: string;
  failure?: string;
  output?: string[];
}

interface Fidelity {
  loadPrograms(folder: string): Program[];
  gatewayTools(): never[];
  reference(program: Program, transpile: (body: string) => string): Promise<unknown>;
}

const loader = "../fidelity/load.mjs";
const { loadPrograms, gatewayTools, reference } = (await import(loader)) as Fidelity;
const engine = testEngine();

afterAll(() => engine.close());

/** Types removed as `tsc` does it; the body is wrapped, since it has top-level `return` and `await`. */
function transpile(body: string): string {
  const options = { target: ScriptTarget.ES2022, module: ModuleKind.ESNext };
  const { outputText } = transpileModule(`async function program() {\n${body}\n}`, { compilerOptions: options });
  return `${outputText}\nreturn program();`;
}

/** Without the test runner's hook into stacks, which writes them differently. */
async function inPlainNode<T>(run: () => Promise<T>): Promise<T> {
  const hook = Error.prepareStackTrace;
  delete (Error as { prepareStackTrace?: unknown }).prepareStackTrace;
  try {
    return await run();
  } finally {
    if (hook) {
      Error.prepareStackTrace = hook;
    }
  }
}

for (const folder of ["programs", "library"]) {
  describe(folder, () => {
    const programs = loadPrograms(folder);

    test("are as many as the report says", () => {
      expect(programs.length).toBeGreaterThanOrEqual(folder === "programs" ? 400 : 100);
    });

    test.each(programs.map((program) => [`${program.file}: ${program.name}`, program] as const))(
      "%s",
      async (_, program) => {
        const run = openRun(engine, {}, { tools: gatewayTools() });
        try {
          const result = await run.exec({ code: program.body, language: program.language });
          if (program.failure !== undefined) {
            expect(result).toMatchObject({ status: "failed", error: program.failure });
          } else {
            expect(result).toMatchObject({ status: "completed" });
            expect((result as { value: unknown }).value).toEqual(
              await inPlainNode(() => reference(program, transpile)),
            );
          }
          if (program.output !== undefined) {
            expect(result.output).toEqual(program.output.map((text) => ({ type: "text", text })));
          }
        } finally {
          run.close();
        }
      },
    );
  });
}
