/** The built command as a process, and files for it, for tests. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

/** Path of the built command. */
export const command = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/** How a process ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running command. */
export interface Running {
  process: ChildProcess;
  /** Resolves once standard error holds the text. */
  said(text: string): Promise<void>;
  ended: Promise<Ended>;
}

/** Starts the command with these arguments. With `open`, its input goes on after the given one. */
export function start(
  args: readonly string[],
  { input = "", open = false, cwd = tmpdir(), main = command } = {},
): Running {
  const child = spawn(process.execPath, [main, ...args], { cwd, stdio: "pipe" });
  const written = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (written.stderr += chunk.toString()));
  child.stdin.write(input);
  if (!open) {
    child.stdin.end();
  }
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) => resolve({ code, ...written }));
  });
  const said = async (text: string): Promise<void> => {
    await until(() => written.stderr.includes(text) || child.exitCode !== null);
    if (!written.stderr.includes(text)) {
      throw new Error(`the command ended without saying ${JSON.stringify(text)}: ${written.stderr}`);
    }
  };
  return { process: child, said, ended };
}

/** Runs the command to its end. */
export async function run(args: readonly string[], options: Parameters<typeof start>[1] = {}): Promise<Ended> {
  return start(args, options).ended;
}

/** Waits until something is so, at most ten seconds. */
export async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !holds() && Date.now() < end;) {
    await sleep(20);
  }
}

/** A folder for one spec. */
export interface Folder {
  path: string;
  /** Writes a file; its path. */
  write(name: string, content: string): string;
  /** Writes an mcp.json of these servers; its path. */
  mcp(servers: Record<string, unknown>, name?: string): string;
  remove(): void;
}

/** Makes a folder. */
export function makeFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "code-mode-cli-"));
  const write = (name: string, content: string): string => {
    writeFileSync(join(path, name), content);
    return join(path, name);
  };
  return {
    path,
    write,
    mcp: (servers, name = "mcp.json") => write(name, JSON.stringify({ mcpServers: servers })),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** The entry of a server package in an mcp.json. */
export function serverEntry(name: "everything" | "filesystem" | "memory", ...args: string[]): object {
  return {
    command: process.execPath,
    args: [require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
  };
}

/** Processes that have a text among their arguments; Linux only, elsewhere none. */
export function processesWith(text: string): number[] {
  if (process.platform !== "linux") {
    return [];
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}
