// Fails when the package would not publish as meant: missing files, versions that differ, targets without a package.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, readJson, root } from "./lib.mjs";

/** npm's names of the targets in package.json. */
const TRIPLES = {
  "x86_64-unknown-linux-gnu": "linux-x64-gnu",
  "aarch64-unknown-linux-gnu": "linux-arm64-gnu",
  "x86_64-unknown-linux-musl": "linux-x64-musl",
  "aarch64-apple-darwin": "darwin-arm64",
  "x86_64-pc-windows-msvc": "win32-x64-msvc",
};

const main = readJson("package.json");
for (const file of main.files) {
  if (!existsSync(join(root, file))) {
    fail(`package.json lists a file that does not exist: ${file}`);
  }
}
const crateVersion = /^version = "(.+)"$/mu.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))?.[1];
if (crateVersion !== main.version) {
  fail(`versions differ: package.json ${main.version}, Cargo.toml ${crateVersion}`);
}
const triples = main.napi.targets.map((target) => TRIPLES[target] ?? fail(`no npm name known for target ${target}`));
if (readdirSync(join(root, "npm")).toSorted().join() !== triples.toSorted().join()) {
  fail(`npm/ must hold one folder for each target: ${triples.join(", ")}`);
}
for (const triple of triples) {
  const platform = readJson(`npm/${triple}/package.json`);
  if (platform?.name !== `code-mode-${triple}` || platform.version !== main.version) {
    fail(`npm/${triple}/package.json must be code-mode-${triple} ${main.version}`);
  }
  if (platform.main !== `code-mode.${triple}.node` || !platform.files.includes(platform.main)) {
    fail(`npm/${triple}/package.json must ship code-mode.${triple}.node`);
  }
}
