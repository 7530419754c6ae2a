// `npm run lint`: every linter, formatter check and type check. All of them run, so that one pass shows everything.
import { cargoTarget, packageCommand, say, succeeds } from "./lib.mjs";
import { setup } from "./setup.mjs";

const node = (name, command, ...args) => [process.execPath, [packageCommand(name, command), ...args]];

setup();
const checks = [
  // In the profile of the tests, so that build scripts (QuickJS, zstd) are not compiled once more.
  [
    "clippy",
    "cargo",
    ["clippy", "--workspace", "--all-targets", "--profile", "tests", ...cargoTarget(), "--", "-D", "warnings"],
  ],
  ["rustfmt", "cargo", ["fmt", "--all", "--check"]],
  ["oxlint", ...node("oxlint", "oxlint", "-c", "oxlint.json", "--type-aware", "--deny-warnings")],
  ["prettier", ...node("prettier", "prettier", "--check", "--log-level", "warn", ".")],
  ["tsc", ...node("typescript", "tsc", "--noEmit")],
  ["generated files", process.execPath, ["scripts/check-generated.mjs"]],
  ["packages", process.execPath, ["scripts/check-packages.mjs"]],
];
const failed = checks.filter(([name, command, args]) => {
  say(`checking: ${name}`);
  return !succeeds(command, args);
});
if (failed.length > 0) {
  say(`not clean: ${failed.map(([name]) => name).join(", ")}`);
  process.exitCode = 1;
}
