/** The command line: what was asked for, or a usage error in one line. Pure. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import type { CodeModeLanguage } from "../../index.js";
import { CliError, EXIT } from "./errors.js";

/** `code-mode exec`. Times are in milliseconds. */
export interface ExecCommand {
  name: "exec";
  /** Path of the program; "-" is standard input. */
  program: string;
  mcp: string | undefined;
  json: boolean;
  quiet: boolean;
  timeline: string | undefined;
  language: CodeModeLanguage | undefined;
  timeoutMs: number | undefined;
  maxWaitMs: number;
  maxOutputBytes: number | undefined;
}

/** `code-mode serve`. */
export interface ServeCommand {
  name: "serve";
  mcp: string;
  timeoutMs: number | undefined;
  maxOutputBytes: number | undefined;
}

/** `code-mode catalog`. */
export interface CatalogCommand {
  name: "catalog";
  mcp: string;
  json: boolean;
}

/** What was asked for. */
export type Command =
  ExecCommand | ServeCommand | CatalogCommand | { name: "version" } | { name: "help"; of: CommandName | undefined };

/** Names of the commands that do something. */
export type CommandName = "exec" | "serve" | "catalog";

const DEFAULT_MAX_WAIT_MS = 300_000;
const HELP = { help: { type: "boolean", short: "h" }, version: { type: "boolean" } } as const;
const OPTIONS = {
  exec: {
    mcp: { type: "string" },
    json: { type: "boolean" },
    quiet: { type: "boolean", short: "q" },
    timeline: { type: "string" },
    language: { type: "string" },
    timeout: { type: "string" },
    "max-wait": { type: "string" },
    "max-output": { type: "string" },
  },
  serve: { mcp: { type: "string" }, timeout: { type: "string" }, "max-output": { type: "string" } },
  catalog: { mcp: { type: "string" }, json: { type: "boolean" } },
} as const satisfies Record<CommandName, ParseArgsConfig["options"]>;

/** Reads the arguments after the command's own name. @throws CliError with the usage exit code. */
export function readArguments(args: readonly string[]): Command {
  const [first, ...rest] = args;
  if (first === undefined) {
    throw usage("a command is missing: exec, serve or catalog.");
  }
  if (first === "--version") {
    return { name: "version" };
  }
  if (first === "help" || first === "--help" || first === "-h") {
    const [of] = rest;
    return { name: "help", of: of === undefined ? undefined : commandName(of) };
  }
  const name = commandName(first);
  const { values, positionals } = parse(name, rest);
  if (values.help === true) {
    return { name: "help", of: name };
  }
  if (values.version === true) {
    return { name: "version" };
  }
  return build(name, values, positionals);
}

function build(name: CommandName, values: Values, positionals: readonly string[]): Command {
  const [program, ...extra] = positionals;
  const unexpected = name === "exec" ? extra[0] : program;
  if (unexpected !== undefined) {
    throw usage(`unexpected argument: ${unexpected}`, name);
  }
  const mcp = text(values.mcp);
  if (name === "exec") {
    if (program === undefined) {
      throw usage('exec needs a program: a file, or "-" for standard input.', name);
    }
    return {
      name,
      program,
      mcp,
      json: values.json === true,
      quiet: values.quiet === true,
      timeline: text(values.timeline),
      language: language(text(values.language)),
      timeoutMs: timeout(values),
      maxWaitMs: integer(values, "max-wait", 0, 86_400_000) ?? DEFAULT_MAX_WAIT_MS,
      maxOutputBytes: maxOutput(values),
    };
  }
  if (mcp === undefined) {
    throw usage(`${name} needs --mcp <file>.`, name);
  }
  return name === "serve"
    ? { name, mcp, timeoutMs: timeout(values), maxOutputBytes: maxOutput(values) }
    : { name, mcp, json: values.json === true };
}

type Values = Record<string, unknown>;

function parse(name: CommandName, args: readonly string[]): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args: [...args], options: { ...OPTIONS[name], ...HELP }, allowPositionals: true });
  } catch (error) {
    // The first sentence says what is wrong; the rest explains Node's own syntax.
    const [sentence] = (error as Error).message.split(/(?<=\.) /u);
    throw usage(sentence ?? "the arguments cannot be read.", name);
  }
}

function commandName(word: string): CommandName {
  if (word === "exec" || word === "serve" || word === "catalog") {
    return word;
  }
  throw usage(`unknown command: ${word}. There are exec, serve and catalog.`);
}

function language(word: string | undefined): CodeModeLanguage | undefined {
  if (word === undefined || word === "javascript" || word === "typescript") {
    return word;
  }
  throw usage(`--language must be javascript or typescript, not ${word}.`, "exec");
}

// The ranges of the configuration, where a number outside would be moved inside without a word.
function timeout(values: Values): number | undefined {
  return integer(values, "timeout", 100, 60_000);
}

function maxOutput(values: Values): number | undefined {
  return integer(values, "max-output", 1024, 10 * 1024 * 1024);
}

function integer(values: Values, name: string, least: number, most: number): number | undefined {
  const word = text(values[name]);
  if (word === undefined) {
    return undefined;
  }
  const number = /^\d{1,12}$/u.test(word) ? Number(word) : Number.NaN;
  if (!(number >= least && number <= most)) {
    throw usage(`--${name} must be an integer from ${least} to ${most}, not ${word}.`);
  }
  return number;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function usage(problem: string, name?: CommandName): CliError {
  const hint = `code-mode ${name === undefined ? "" : `${name} `}--help`;
  return new CliError(`${problem} See: ${hint}`, EXIT.usage);
}
