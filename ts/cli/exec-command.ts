/** `code-mode exec`: one program against the servers of a file, run to its end. */
import { constants } from "node:fs";
import { access, readFile, writeFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { text as readAll } from "node:stream/consumers";
import type { CodeModeEvent, CodeModeOutput, CodeModeResult, CodeModeRun, RenderedTimeline } from "../../index.js";
import { CodeModeEngine } from "../engine.js";
import { renderTimeline } from "../timeline/index.js";
import { plain } from "../timeline/words.js";
import type { ExecCommand } from "./args.js";
import { CliError, EXIT, fileReason } from "./errors.js";
import type { Interrupt } from "./interrupt.js";
import { readMcpConfig } from "./mcp-config.js";
import { progressLine } from "./progress.js";
import { printLine, printOutput, printValue, say } from "./print.js";
import { startServers } from "./servers.js";

/** Runs the command. Resolves to the exit code. */
export async function execCommand(command: ExecCommand, interrupt: Interrupt): Promise<number> {
  await checkTimelinePath(command.timeline);
  const code = await readProgram(command.program);
  const configs = command.mcp === undefined ? [] : await readMcpConfig(command.mcp);
  const servers = await startServers(configs, { signal: interrupt.signal, log: say });
  const engine = new CodeModeEngine();
  try {
    const events: CodeModeEvent[] = [];
    const run = engine.openRun({
      config: { enabled: true, timeoutMs: command.timeoutMs, maxOutputBytes: command.maxOutputBytes },
      tools: servers.tools,
      onEvent: (event) => {
        events.push(event);
        const line = command.quiet ? undefined : progressLine(event);
        if (line !== undefined) {
          printLine(process.stderr, line);
        }
      },
    });
    const result = await runToTheEnd(run, code, command, interrupt.signal);
    run.close();
    // Events of calls that ended with the run are delivered after it.
    await new Promise(setImmediate);
    await writeTimeline(command, renderTimeline(events, { title: `code mode: ${command.program}` }));
    return report(command, result, interrupt);
  } finally {
    await engine.close();
    await servers.close();
  }
}

/** The last result, with the output of all legs, and whether the longest wait was over. */
interface Ended {
  result: CodeModeResult;
  output: CodeModeOutput[];
  gaveUp: boolean;
}

async function runToTheEnd(
  run: CodeModeRun,
  code: string,
  command: ExecCommand,
  interrupt: AbortSignal,
): Promise<Ended> {
  const tooLong = AbortSignal.timeout(command.maxWaitMs);
  const signal = AbortSignal.any([interrupt, tooLong]);
  const language = command.language ?? languageOf(command.program);
  const output: CodeModeOutput[] = [];
  let waits = 0;
  let result = await run.exec({ code, language }, { toolCallId: "call-1", signal });
  for (;;) {
    output.push(...result.output);
    if (!command.json) {
      printOutput(result.output);
    }
    if (result.status !== "waiting") {
      const gaveUp = tooLong.aborted && !interrupt.aborted && result.status === "failed" && result.code === "aborted";
      return { result, output, gaveUp };
    }
    waits += 1;
    result = await run.wait({ runId: result.runId }, { toolCallId: `call-${waits + 1}`, signal });
  }
}

function report(command: ExecCommand, { result, output, gaveUp }: Ended, interrupt: Interrupt): number {
  if (command.json) {
    printLine(process.stdout, JSON.stringify({ ...result, output }));
  } else if (result.status === "completed") {
    printValue(result.value);
  }
  if (interrupt.exitCode !== undefined) {
    say("interrupted.");
    return interrupt.exitCode;
  }
  if (gaveUp) {
    say(`the program was still waiting after ${command.maxWaitMs} ms (--max-wait) and was ended.`);
    return EXIT.failed;
  }
  if (result.status === "failed") {
    const { error, detailCode, location } = result;
    const name = command.program === "-" ? "stdin" : plain(command.program);
    const place = location ? `${name}:${location.line}:${location.column}` : name;
    say(`${place}: ${error.split("\n").map((line) => plain(line, 2000)).join("\n")} (${detailCode})`); // prettier-ignore
    return EXIT.failed;
  }
  return EXIT.ok;
}

async function writeTimeline(command: ExecCommand, timeline: RenderedTimeline): Promise<void> {
  if (!command.quiet) {
    printLine(process.stderr, timeline.text);
  }
  if (command.timeline !== undefined) {
    const drawn = extname(command.timeline) === ".svg" ? timeline.svg : timeline.html;
    await writeFile(command.timeline, drawn).catch((error: unknown) => {
      throw cannotWrite(command.timeline!, error);
    });
  }
}

/** Before anything runs, rather than after minutes of work. */
async function checkTimelinePath(path: string | undefined): Promise<void> {
  if (path !== undefined) {
    await access(dirname(path), constants.W_OK).catch((error: unknown) => {
      throw cannotWrite(path, error);
    });
  }
}

function cannotWrite(path: string, error: unknown): CliError {
  return new CliError(`cannot write ${path}: ${fileReason(error)}`, EXIT.usage);
}

async function readProgram(path: string): Promise<string> {
  if (path === "-") {
    return readAll(process.stdin);
  }
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new CliError(`cannot read ${path}: ${fileReason(error)}`, EXIT.usage);
  }
}

function languageOf(path: string): "javascript" | "typescript" {
  return /\.[cm]?ts$/u.test(path) ? "typescript" : "javascript";
}
