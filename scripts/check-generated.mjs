// Fails when a committed file that builds write (the loader, its types, the Rust lockfile) is not what a build makes.
import { spawnSync } from "node:child_process";
import { fail, root } from "./lib.mjs";
import { setup } from "./setup.mjs";

const GENERATED = ["native.js", "native.d.ts", "Cargo.lock"];

setup();
const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" });
for (const file of GENERATED) {
  if (git("ls-files", "--error-unmatch", file).status !== 0) {
    fail(`${file} is generated and must be committed.`);
  }
  const { status, stdout } = git("diff", "--exit-code", "HEAD", "--", file);
  if (status !== 0) {
    process.stdout.write(stdout);
    fail(`${file} is not what the build makes of the sources: commit it as built.`);
  }
}
