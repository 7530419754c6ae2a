// What the scripts share. Node built-ins only: these run in a fresh clone, before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root; every path below is relative to it. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Ends the process with one clear line. */
export function fail(line) {
  process.stderr.write(`code-mode: ${line}\n`);
  process.exit(1);
}

/** Says what happens next, so that a long step is not taken for a hang. */
export function say(line) {
  process.stdout.write(`code-mode: ${line}\n`);
}

/** Runs a command in the root with its output passed through. Returns whether it succeeded. */
export function succeeds(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
    // npm is a shell script on Windows.
    shell: process.platform === "win32" && command === "npm",
  });
  if (error) {
    process.stderr.write(`code-mode: ${command} could not be started: ${error.message}\n`);
  }
  return status === 0;
}

/** Runs a command that must succeed. */
export function run(command, args, env) {
  if (!succeeds(command, args, env)) {
    fail(`this step failed: ${[command, ...args].join(" ")}`);
  }
}

/** Arguments that start an installed package's own command with this Node. */
export function packageCommand(name, command = name) {
  const require = createRequire(join(root, "package.json"));
  const manifest = join(root, "node_modules", name, "package.json");
  const { bin } = require(manifest);
  return join(dirname(manifest), typeof bin === "string" ? bin : bin[command]);
}

/** Whether a command can be started at all. */
export function has(command) {
  return spawnSync(command, ["--version"], { cwd: root, stdio: "ignore" }).status === 0;
}

/**
 * `--target` with this machine's own triple, as `napi build` gives it to cargo: artefacts of other cargo commands are
 * shared with the addon's build only if they name it too.
 */
export function cargoTarget() {
  const { stdout } = spawnSync("rustc", ["-vV"], { cwd: root, encoding: "utf8" });
  const triple = /^host: (.+)$/mu.exec(stdout ?? "")?.[1];
  return triple === undefined ? [] : ["--target", triple];
}

/** One hash over the names and bytes of files and folders, for telling whether something has to be built again. */
export function hashOf(paths, skip = () => false) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap((start) => filesUnder(join(root, start)))) {
    const name = relative(root, path).replaceAll("\\", "/");
    if (!skip(name)) {
      hash.update(`${name}\0`).update(readFileSync(path)).update("\0");
    }
  }
  return hash.digest("hex");
}

/** The JSON in a file, or undefined when there is none. */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), "utf8"));
  } catch {
    return undefined;
  }
}

function filesUnder(path) {
  if (!existsSync(path)) {
    return [];
  }
  try {
    return readdirSync(path, { withFileTypes: true })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((item) => (item.isDirectory() ? filesUnder(join(path, item.name)) : [join(path, item.name)]));
  } catch {
    return [path];
  }
}
