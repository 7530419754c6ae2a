// Packs the package as it would be published, installs it in an empty project, and uses it there, types included.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { fail, packageCommand, root, say } from "./lib.mjs";
import { setup } from "./setup.mjs";

/** What an installed addon and its JavaScript may weigh. */
const MAX_INSTALLED_BYTES = 16e6;

const CONSUMER = `
import { CodeModeEngine, type CodeModeTool } from "code-mode";

const double: CodeModeTool = {
  name: "double",
  description: "Doubles a number",
  parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  execute: async (_id, { n }: { n: number }) => ({ content: [], details: n * 2 }),
};
await using engine = new CodeModeEngine({ workerThreads: 1 });
const run = engine.openRun({ config: true, tools: [double] });
const result = await run.exec({ code: "return await tools.double({ n: 21 })" });
if (result.status !== "completed" || result.value !== 42) {
  throw new Error(JSON.stringify(result));
}
`;

setup();
const folder = mkdtempSync(join(tmpdir(), "code-mode-smoke-"));
try {
  say("packing the package and using it in an empty project");
  const packed = JSON.parse(output("npm", ["pack", "--json", "--pack-destination", folder], root));
  const consumer = join(folder, "consumer");
  mkdirSync(consumer);
  writeFileSync(join(consumer, "package.json"), '{ "name": "consumer", "private": true, "type": "module" }\n');
  writeFileSync(join(consumer, "use.mts"), CONSUMER);
  const tarball = join(folder, (Array.isArray(packed) ? packed[0] : Object.values(packed)[0]).filename);
  output("npm", ["install", "--no-audit", "--no-fund", "--omit=optional", tarball], consumer);
  installAddon(join(consumer, "node_modules/code-mode"));
  compileConsumer(consumer);
  output(process.execPath, ["use.mjs"], consumer);
  checkSize(join(consumer, "node_modules/code-mode"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Puts the addon of this machine where the loader looks first; published, it comes as a package of its own. */
function installAddon(target) {
  for (const name of readdirSync(root).filter((file) => file.endsWith(".node"))) {
    cpSync(join(root, name), join(target, name));
  }
}

function compileConsumer(consumer) {
  const options = ["--module", "nodenext", "--target", "es2022", "--lib", "es2023,esnext.disposable", "--strict"];
  const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")];
  output(process.execPath, [packageCommand("typescript", "tsc"), ...options, ...types, "use.mts"], consumer);
}

function checkSize(target) {
  const bytes = readdirSync(target, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .reduce((sum, item) => sum + statSync(join(item.parentPath ?? item.path, item.name)).size, 0);
  say(`installed size: ${(bytes / 1e6).toFixed(1)} MB`);
  if (bytes > MAX_INSTALLED_BYTES) {
    fail(`installed size is over ${MAX_INSTALLED_BYTES / 1e6} MB`);
  }
}

function output(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    shell: process.platform === "win32" && command === "npm",
  });
  if (status !== 0) {
    process.stderr.write(`${stdout ?? ""}${stderr ?? ""}${error ?? ""}\n`);
    fail(`smoke test: ${[command, ...args].join(" ")} failed`);
  }
  return stdout;
}
