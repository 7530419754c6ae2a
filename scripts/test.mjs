// `npm test`: sets up, then runs the Rust tests and the tests of the built package. `-- rust` or `-- js` runs one half.
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cargoTarget, packageCommand, say, succeeds } from "./lib.mjs";
import { setup } from "./setup.mjs";

const [half, ...rest] = process.argv.slice(2);
setup();
// Both halves run even when the first fails: one report of everything that is broken.
const rust = half === "js" || rustTests();
const js = half === "rust" || jsTests();
process.exitCode = rust && js ? 0 : 1;

/** At the speed that ships, since limits are tested. */
function rustTests() {
  say("running the Rust tests");
  return succeeds("cargo", [
    "test",
    "--workspace",
    "--profile",
    "tests",
    "--no-fail-fast",
    "--quiet",
    ...cargoTarget(),
  ]);
}

function jsTests() {
  say("running the tests of the package");
  const report = join(tmpdir(), `code-mode-vitest-${process.pid}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const ok = succeeds(process.execPath, [packageCommand("vitest"), "run", ...reporters, ...rest]);
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8"));
    process.stdout.write(`vitest: ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`);
  } catch {
    process.stdout.write("vitest: 0 passed, 1 failed\n");
  }
  rmSync(report, { force: true });
  return ok;
}
