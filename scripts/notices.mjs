// Writes THIRD-PARTY-NOTICES: the crates that are compiled into the addon, with their licences and authors.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, root } from "./lib.mjs";

const HEAD = `The addon of code-mode contains the software listed here, each under its own licence. The full texts are in the
source packages of that name and version. QuickJS-ng is contained in rquickjs-sys, Zstandard in zstd-sys.
`;

const { status, stdout, stderr } = spawnSync("cargo", ["metadata", "--format-version=1", "--locked"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 256 * 1024 * 1024,
});
if (status !== 0) {
  fail(`cargo metadata failed: ${stderr}`);
}
const { packages, resolve } = JSON.parse(stdout);
const lines = shipped(resolve)
  .map((id) => packages.find((item) => item.id === id))
  .filter(({ source }) => source !== null)
  .map(({ name, version, license, authors }) => `${name} ${version} (${license ?? "see its source"})${by(authors)}`)
  .toSorted();
writeFileSync(join(root, "THIRD-PARTY-NOTICES"), `${HEAD}\n${[...new Set(lines)].join("\n")}\n`);

/** Ids of what is linked into the addon: normal dependencies of the root package, and theirs. */
function shipped({ root: start, nodes }) {
  const seen = new Set([start]);
  for (const id of seen) {
    const { deps } = nodes.find((node) => node.id === id);
    for (const { pkg, dep_kinds: kinds } of deps) {
      if (kinds.some(({ kind }) => kind === null)) {
        seen.add(pkg);
      }
    }
  }
  return [...seen];
}

/** Names without addresses. */
function by(authors) {
  const names = authors.map((author) => author.replace(/\s*<[^>]*>/u, "")).filter(Boolean);
  return names.length > 0 ? `, by ${names.join(", ")}` : "";
}
