// Makes a clone ready: packages, addon, compiled TypeScript. Does only what is not up to date; `--force` builds anyway.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, has, hashOf, packageCommand, readJson, root, run, say } from "./lib.mjs";

/** Sources that the addon is built from. Tests and benches are not among them. */
const ADDON_SOURCES = ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "build.rs", "src", "crates"];
const notAddonSource = (name) => /^crates\/[^/]+\/(?:tests|benches|fuzz)\//u.test(name);
const ADDON_STAMP = "target/addon-stamp.json";
const DIST_SOURCES = ["ts", "index.d.ts", "tsconfig.json", "tsconfig.build.json", "package-lock.json"];
const DIST_STAMP = "dist/.stamp.json";

/** Brings everything up to date. */
export function setup({ force = false } = {}) {
  checkNode();
  installPackages();
  buildAddon(force);
  buildTypeScript(force);
}

function checkNode() {
  if (Number(process.versions.node.split(".")[0]) < 20) {
    fail(`Node.js 20 or newer is needed, this is ${process.version}.`);
  }
}

function installPackages() {
  if (!packagesAreCurrent()) {
    say("installing npm packages");
    run("npm", ["ci", "--no-audit", "--no-fund"]);
  }
}

/** Whether what npm installed is what the lockfile asks for. Optional packages of other platforms may be missing. */
function packagesAreCurrent() {
  const wanted = readJson("package-lock.json")?.packages;
  const installed = readJson("node_modules/.package-lock.json")?.packages;
  if (!wanted || !installed) {
    return false;
  }
  return Object.entries(wanted).every(
    ([path, { version, optional, integrity }]) =>
      path === "" ||
      (installed[path]?.version === version && installed[path]?.integrity === integrity) ||
      (optional && !installed[path]),
  );
}

function buildAddon(force) {
  const hash = hashOf(ADDON_SOURCES, notAddonSource);
  const stamp = readJson(ADDON_STAMP);
  if (!force && stamp?.hash === hash && stamp.files.length > 0 && sameFiles(stamp.files)) {
    return;
  }
  if (!has("cargo")) {
    fail(
      "Rust is needed to build the addon: install rustup (its cargo reads rust-toolchain.toml), then run this again.",
    );
  }
  if (process.platform !== "win32" && !has(process.env.CC ?? "cc")) {
    fail("A C compiler is needed to build QuickJS: install gcc or clang, then run this again.");
  }
  say("building the addon (the first time takes several minutes)");
  const napi = packageCommand("@napi-rs/cli", "napi");
  run(process.execPath, [
    napi,
    "build",
    "--platform",
    "--release",
    "--esm",
    "--js",
    "native.js",
    "--dts",
    "native.d.ts",
  ]);
  writeStamp(ADDON_STAMP, { hash, files: addonFiles() });
}

/** The addons in the root, with what tells one build from another. */
function addonFiles() {
  return readdirSync(root)
    .filter((name) => name.endsWith(".node"))
    .map((name) => ({ name, bytes: statSync(join(root, name)).size, changedMs: statSync(join(root, name)).mtimeMs }));
}

function sameFiles(files) {
  return JSON.stringify(addonFiles()) === JSON.stringify(files);
}

function buildTypeScript(force) {
  const hash = hashOf(DIST_SOURCES);
  if (!force && readJson(DIST_STAMP)?.hash === hash && existsSync(join(root, "dist/index.js"))) {
    return;
  }
  say("compiling TypeScript");
  rmSync(join(root, "dist"), { recursive: true, force: true });
  run(process.execPath, [packageCommand("typescript", "tsc"), "-p", "tsconfig.build.json"]);
  // npm does it at install; in the repository nobody else does.
  chmodSync(join(root, "dist/cli/main.js"), 0o755);
  writeStamp(DIST_STAMP, { hash });
}

function writeStamp(path, value) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `${JSON.stringify(value)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  setup({ force: process.argv.includes("--force") });
}
