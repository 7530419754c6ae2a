/** `code-mode catalog`: what a model reads about `exec`, and the declarations a program can read. */
import type { CodeModeRun } from "../../index.js";
import { CodeModeEngine } from "../engine.js";
import type { CatalogCommand } from "./args.js";
import { CliError, EXIT } from "./errors.js";
import type { Interrupt } from "./interrupt.js";
import { readMcpConfig } from "./mcp-config.js";
import { printLine, say } from "./print.js";
import { startServers } from "./servers.js";

/** Runs the command. Resolves to the exit code. */
export async function catalogCommand(command: CatalogCommand, interrupt: Interrupt): Promise<number> {
  const servers = await startServers(await readMcpConfig(command.mcp), { signal: interrupt.signal, log: say });
  const engine = new CodeModeEngine();
  try {
    const open = (config: object): CodeModeRun =>
      engine.openRun({ config: { enabled: true, ...config }, tools: servers.tools, signal: interrupt.signal });
    // The description as `serve` gives it; the declarations of many servers take more than a program may put out.
    const description = open({}).execDescription;
    const run = open({ timeoutMs: 60_000, maxOutputBytes: 10 * 1024 * 1024 });
    const declarations = await readDeclarations(run);
    if (command.json) {
      printLine(process.stdout, JSON.stringify({ description, catalog: run.catalog, declarations }));
    } else {
      printLine(process.stdout, description);
      for (const [path, content] of Object.entries(declarations)) {
        printLine(process.stdout, `\n// ---- ${path}\n${content}`);
      }
    }
    return interrupt.exitCode ?? EXIT.ok;
  } finally {
    await engine.close();
    await servers.close();
  }
}

/** The declaration files by path, read the way a program does, one at a time so that each has the whole output limit. */
async function readDeclarations(run: CodeModeRun): Promise<Record<string, string>> {
  const paths = (await valueOf(run, "(await API.list()).files.map((file) => file.path)")) as string[];
  const contents: Record<string, string> = {};
  for (const path of paths) {
    contents[path] = (await valueOf(run, `(await API.read(${JSON.stringify(path)})).content`)) as string;
  }
  return contents;
}

async function valueOf(run: CodeModeRun, expression: string): Promise<unknown> {
  const result = await run.exec({ code: `return ${expression}` });
  if (result.status !== "completed") {
    throw new CliError(result.status === "failed" ? result.error : "the catalog could not be read.", EXIT.failed);
  }
  return result.value;
}
