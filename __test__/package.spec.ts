/** The package as a consumer meets it: what it exports, and that its documents say what is true. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as mcp from "code-mode/mcp";
import * as main from "../index.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");

describe("exports", () => {
  it("are exactly the contract's values", () => {
    const declared = [...read("index.d.ts").matchAll(/^export (?:class|function|const) (\w+)/gmu)].map(
      ([, name]) => name!,
    );
    expect(Object.keys(main).toSorted()).toEqual(declared.toSorted());
  });

  it("of code-mode/mcp", () => {
    expect(Object.keys(mcp).toSorted()).toEqual(["toolsFromMcpClient", "watchMcpTools"]);
  });
});

describe("README", () => {
  const readme = read("README.md");

  it("has an example that runs and prints what it says", () => {
    const [, example] = /```js\n(?<example>[\s\S]*?)```/u.exec(readme) ?? [];
    const said = /console\.log\(.*\); \/\/ (?<said>.*)/u.exec(example!)?.groups?.said;
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", example!], {
      cwd: root,
      encoding: "utf8",
      timeout: 20_000,
    });
    expect(printed.trim()).toBe(said);
  });

  it("lists every limit with its default", () => {
    const defaults = main.resolveCodeModeConfig(true);
    const rows = new Map(
      [...readme.matchAll(/^\| `(?<field>\w+)`\s*\| (?<value>[^|]+?)\s*\|/gmu)].map(({ groups }) => [
        groups!.field!,
        groups!.value!,
      ]),
    );
    const shown: Record<string, string> = {
      timeoutMs: "10,000",
      memoryLimitBytes: "64 MiB",
      maxOutputBytes: "65,536",
      maxSnapshotBytes: "10 MiB",
      maxPendingToolCalls: "16",
      snapshotTtlSeconds: "900",
      maxSearchLimit: "50",
      searchDefaultLimit: "8",
      implicitReturn: "true",
      outputOverflow: '`"fail"`',
    };
    for (const [field, text] of Object.entries(shown)) {
      expect(rows.get(field)).toBe(text);
      const bytes = text.endsWith(" MiB") ? String(Number(text.slice(0, -4)) * 1024 * 1024) : text;
      const plain = bytes.replaceAll(/[,`"]/gu, "");
      expect(String(defaults[field as keyof typeof defaults])).toBe(plain);
    }
  });
});
