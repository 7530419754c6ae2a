/** The `mcp.json` that MCP clients use: read, and checked so that every mistake names its place. */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { CliError, EXIT, fileReason, reasonOf } from "./errors.js";
import { jsonErrorPosition } from "./json-position.js";

/** One server to start or to connect to. */
export type ServerConfig =
  | {
      kind: "stdio";
      name: string;
      command: string;
      args: string[];
      env: Record<string, string>;
      cwd: string | undefined;
    }
  | { kind: "http"; name: string; url: URL; headers: Record<string, string> };

/** Reads the servers of a file, without those that are `disabled`. @throws CliError naming the file and the place. */
export async function readMcpConfig(path: string, variables: Variables = process.env): Promise<ServerConfig[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new CliError(`cannot read ${path}: ${fileReason(error)}`, EXIT.usage);
  }
  // Some editors begin a file with a byte order mark.
  return parseMcpConfig(text.replace(/^\uFEFF/u, ""), path, variables);
}

/** Environment variables, for `${NAME}` and `${NAME:-default}` in the texts of a server. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The same from text. A relative `cwd` is meant from the file's own folder. */
export function parseMcpConfig(text: string, path: string, variables: Variables): ServerConfig[] {
  const fail = (problem: string): never => {
    throw new CliError(`${path}: ${problem}`, EXIT.usage);
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const place = jsonErrorPosition(text);
    const where = place ? `${path}:${place.line}:${place.column}` : path;
    throw new CliError(`${where}: not valid JSON: ${jsonReason(text, place, error)}`, EXIT.usage);
  }
  if (!isRecord(json) || !isRecord(json.mcpServers)) {
    return fail('needs an object "mcpServers" of servers by name.');
  }
  return Object.entries(json.mcpServers)
    .filter(([, entry]) => !(isRecord(entry) && entry.disabled === true))
    .map(([name, entry]) => server(name, expanded(entry, `mcpServers.${name}`, variables, fail), path, fail));
}

type Fail = (problem: string) => never;

function server(name: string, entry: unknown, path: string, fail: Fail): ServerConfig {
  const at = `mcpServers.${name}`;
  if (name.trim() === "") {
    fail("a server has an empty name.");
  }
  if (!isRecord(entry)) {
    return fail(`${at} must be an object.`);
  }
  const { command, args = [], env = {}, cwd, url, headers = {}, type } = entry;
  if (url !== undefined) {
    if (command !== undefined) {
      fail(`${at} has both "command" and "url"; it must have one of them.`);
    }
    if (type === "sse") {
      fail(`${at} uses the old "sse" transport, which is not supported; use the server's streamable HTTP address.`);
    }
    return { kind: "http", name, url: webAddress(url, at, fail), headers: strings(headers, `${at}.headers`, fail) };
  }
  if (typeof command !== "string" || command.trim() === "") {
    return fail(`${at} needs "command" (a non-empty string) or "url".`);
  }
  if (!Array.isArray(args) || args.some((arg) => typeof arg !== "string")) {
    fail(`${at}.args must be an array of strings.`);
  }
  if (cwd !== undefined && typeof cwd !== "string") {
    fail(`${at}.cwd must be a string.`);
  }
  return {
    kind: "stdio",
    name,
    command,
    args: args as string[],
    env: strings(env, `${at}.env`, fail),
    cwd: typeof cwd === "string" ? resolve(dirname(path), cwd) : undefined,
  };
}

/** A copy with the variables in every text filled in, so that secrets need not stand in the file. */
function expanded(value: unknown, at: string, variables: Variables, fail: Fail): unknown {
  if (typeof value === "string") {
    return value.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/gu, (_text, name: string, otherwise: string | undefined) => {
      return variables[name] ?? otherwise ?? fail(`${at} uses \${${name}}, which is not set.`);
    });
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => expanded(item, `${at}[${index}]`, variables, fail));
  }
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expanded(item, `${at}.${key}`, variables, fail)])) // prettier-ignore
    : value;
}

function webAddress(url: unknown, at: string, fail: Fail): URL {
  const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
  return parsed && /^https?:$/u.test(parsed.protocol)
    ? parsed
    : fail(`${at}.url must be an address that starts with http:// or https://.`);
}

function strings(value: unknown, at: string, fail: Fail): Record<string, string> {
  if (!isRecord(value) || Object.values(value).some((item) => typeof item !== "string")) {
    fail(`${at} must be an object of strings.`);
  }
  return value as Record<string, string>;
}

function jsonReason(text: string, place: { line: number; column: number } | undefined, error: unknown): string {
  if (!place) {
    return reasonOf(error);
  }
  const character = text.split("\n")[place.line - 1]?.[place.column - 1];
  return character === undefined ? "the text ends too early." : `unexpected ${JSON.stringify(character)}.`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
