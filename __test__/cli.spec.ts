/** The command `code-mode`: what it prints where, its exit codes, and that it leaves nothing behind. */
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeFolder, processesWith, run, serverEntry, start, until, type Folder } from "./cli-process.js";

let folder: Folder;
let mcp: string;
beforeAll(() => {
  folder = makeFolder();
  mkdirSync(join(folder.path, "files"));
  folder.write("files/a.txt", "hello\n");
  const files = serverEntry("filesystem", join(folder.path, "files"));
  mcp = folder.mcp({ everything: serverEntry("everything"), files, off: { disabled: true } });
});
afterAll(() => folder.remove());

const program = (code: string, name = "program.js") => folder.write(name, code);

describe("exec", () => {
  it("runs a program over two servers, waits by itself, and shows what happens", async () => {
    const path = program(`
      const [sum, list] = await Promise.all([
        MCP.everything.getSum({ a: 1, b: 2 }),
        MCP.files.listDirectory({ path: ${JSON.stringify(join(folder.path, "files"))} }),
      ]);
      text(list.content[0].text);
      await yield_control("a look");
      try { await MCP.files.readTextFile({ path: "/etc/passwd" }) } catch { json({ denied: true }) }
      return { sum: sum.content[0].text };
    `);
    const timeline = join(folder.path, "timeline.html");
    const { code, stdout, stderr } = await run(["exec", path, "--mcp", mcp, "--timeline", timeline]);
    expect(stdout).toBe('[FILE] a.txt\n{"denied":true}\n{\n  "sum": "The sum of 1 and 2 is 3."\n}\n');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^ {2}call {3}mcp:everything:get-sum$/mu);
    expect(stderr).toMatch(/^ {2}ok {5}mcp:everything:get-sum (?:<1|\d+) ms$/mu);
    expect(stderr).toMatch(/^ {2}error {2}mcp:files:read_text_file \d+ ms: Access denied/mu);
    expect(stderr).toMatch(/^ {2}wait {3}the program yielded$/mu);
    expect(stderr).toMatch(/^exec call-1 · completed · .* · 3 calls of 3 tools · 1 failed · suspended once/mu);
    expect(readFileSync(timeline, "utf8")).toMatch(/^<!doctype html>[\s\S]*mcp:files:list_directory/u);
  });

  it("waits for a call that outlasts its legs", async () => {
    const path = program(
      "(await MCP.everything.triggerLongRunningOperation({ duration: 1, steps: 2 })).content[0].text",
    );
    const { code, stdout, stderr } = await run(["exec", path, "--mcp", mcp, "--timeout", "300"]);
    expect(stderr).toMatch(/^ {2}wait {3}1 call$/mu);
    expect(stdout).toContain("Long running operation completed.");
    expect(code).toBe(0);
  });

  it("gives up after --max-wait", async () => {
    const path = program("await MCP.everything.triggerLongRunningOperation({ duration: 30, steps: 1 })");
    const { code, stderr } = await run(["exec", path, "--mcp", mcp, "--timeout", "200", "--max-wait", "700", "-q"]);
    expect(stderr).toBe("code-mode: the program was still waiting after 700 ms (--max-wait) and was ended.\n");
    expect(code).toBe(1);
  });

  it("prints one JSON document with --json", async () => {
    const path = program('text("one"); await yield_control(); json({ two: 2 }); return [3]');
    const { code, stdout } = await run(["exec", path, "--json"]);
    const result = JSON.parse(stdout) as Record<string, unknown>;
    expect(result).toMatchObject({
      status: "completed",
      value: [3],
      output: [
        { type: "text", text: "one" },
        { type: "json", value: { two: 2 } },
      ],
      telemetry: { execCount: 1, waitCount: 1 },
    });
    expect(code).toBe(0);
  });

  it("reads standard input, and TypeScript by name or by option", async () => {
    expect(await run(["exec", "-", "-q"], { input: "return 1 + 1" })).toEqual({ code: 0, stdout: "2\n", stderr: "" });
    const typed = "const a: number = 4; enum E { B = a } return E.B";
    expect(await run(["exec", "-", "-q", "--language", "typescript"], { input: typed })).toMatchObject({
      stdout: "4\n",
    });
    expect(await run(["exec", program(typed, "program.ts"), "-q"])).toMatchObject({ code: 0, stdout: "4\n" });
  });

  it("draws a picture when the timeline's name ends in .svg", async () => {
    const timeline = join(folder.path, "timeline.svg");
    await run(["exec", "-", "--timeline", timeline], { input: "return 1" });
    expect(readFileSync(timeline, "utf8")).toMatch(/^<svg xmlns=/u);
  });

  it.each([
    ["throw new RangeError('no such row')", /^code-mode: stdin:1:\d+: RangeError: no such row/u],
    ["return (", /^code-mode: stdin:1:9: Unexpected end of code\n1 \| return \(\n.*\^ \(invalid_input\)\n$/u],
    ["for (;;);", /^code-mode: stdin: code mode timeout exceeded \(timeout\)\n$/u],
    ["text('x'.repeat(1e5))", /^code-mode: stdin: code mode output limit exceeded \(output_limit_exceeded\)\n$/u],
    ["import fs from 'fs'", /code mode module access is disabled\. \(module_access_denied\)\n$/u],
  ])("fails with code 1 and says why: %s", async (code, line) => {
    const { stderr, ...ended } = await run(["exec", "-", "-q", "--timeout", "500"], { input: code });
    expect(stderr).toMatch(line);
    expect(ended).toEqual({ code: 1, stdout: "" });
  });

  it("keeps what was printed before a failure", async () => {
    const ended = await run(["exec", "-", "-q"], { input: "text('kept'); await null; throw 1" });
    expect(ended).toMatchObject({ code: 1, stdout: "kept\n" });
  });

  it("lets no server or program steer the terminal", async () => {
    const path = program('throw new Error("\\u001B[2J\\u202Eevil")');
    const { stderr } = await run(["exec", path]);
    // oxlint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/[\u001B\u202E]/u);
  });

  it("ends in order at Ctrl-C: 130, and no server is left", async () => {
    const path = program("await MCP.everything.triggerLongRunningOperation({ duration: 30, steps: 1 })");
    const running = start(["exec", path, "--mcp", mcp]);
    await running.said("call   mcp:everything:trigger-long-running-operation");
    running.process.kill("SIGINT");
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/code-mode: interrupted\.\n$/u);
    await until(() => processesWith(join(folder.path, "files")).length === 0);
    expect(processesWith(join(folder.path, "files"))).toEqual([]);
  });

  it("ends at Ctrl-C while servers start", async () => {
    const silent = { command: process.execPath, args: ["-e", "console.error('up'); setInterval(() => {}, 1000)"] };
    const running = start(["exec", "-", "--mcp", folder.mcp({ silent }, "silent.json")], { input: "return 1" });
    await until(() => processesWith("console.error('up')").length > 0);
    running.process.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 130, stdout: "" });
  });
});

describe("servers that do not start", () => {
  const node = (script: string) => ({ command: process.execPath, args: ["-e", script] });

  it.each([
    [
      "a missing command",
      () => ({ nope: { command: "no-such-command-here" } }),
      'server "nope" could not start: command not found: no-such-command-here',
    ],
    [
      "a missing folder",
      () => ({ x: { command: "node", cwd: "nowhere" } }),
      'server "x" could not start: its folder does not exist: <folder>/nowhere',
    ],
    [
      "one that dies",
      () => ({ x: node("console.error('Error: no token'); process.exit(1)") }),
      'server "x" could not start: Connection closed. It said: Error: no token',
    ],
    [
      "an address nobody listens at",
      () => ({ x: { url: "http://127.0.0.1:1/mcp" } }),
      /^code-mode: server "x" could not start: fetch failed: .*\(http:\/\/127\.0\.0\.1:1\)\n$/u,
    ],
  ] as const)("%s: code 3, one line", async (_what, servers, line) => {
    const both = { everything: serverEntry("everything"), ...servers() };
    const { code, stdout, stderr } = await run(["exec", "-", "--mcp", folder.mcp(both, "bad-server.json")], {
      input: "1",
    });
    expect(code).toBe(3);
    expect(stdout).toBe("");
    if (typeof line === "string") {
      expect(stderr).toBe(`code-mode: ${line.replace("<folder>", folder.path)}\n`);
    } else {
      expect(stderr).toMatch(line);
    }
  });

  it("the SDK is not installed: one line", async () => {
    const bare = join(folder.path, "bare");
    cpSync(fileURLToPath(new URL("../dist", import.meta.url)), join(bare, "dist"), { recursive: true });
    for (const file of ["package.json", "native.js", "index.js"]) {
      cpSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), join(bare, file));
    }
    for (const args of [["exec", "-"], ["serve"], ["catalog"]]) {
      const ended = await run([...args, "--mcp", mcp], { input: "", main: join(bare, "dist/cli/main.js") });
      const stderr =
        "code-mode: MCP servers need the package @modelcontextprotocol/sdk: npm install @modelcontextprotocol/sdk\n";
      expect(ended, args[0]).toEqual({ code: 3, stdout: "", stderr });
    }
  });
});

describe("variables in an mcp.json", () => {
  it("are filled in from the environment, or by their default", async () => {
    process.env.CODE_MODE_TEST_SECRET = "s3cret";
    const script = "console.error('Error: ' + process.env.A + ' ' + process.argv[1]); process.exit(1)";
    const env = { A: "is ${CODE_MODE_TEST_SECRET}" };
    const x = { command: process.execPath, args: ["-e", script, "${CODE_MODE_TEST_UNSET:-or this}"], env };
    const { stderr } = await run(["catalog", "--mcp", folder.mcp({ x }, "variables.json")]);
    expect(stderr).toContain("It said: Error: is s3cret or this\n");
  });

  it("that are not set are an error with their place", async () => {
    const file = folder.mcp({ x: { command: "x", env: { A: "${CODE_MODE_TEST_UNSET}" } } }, "variables.json");
    const stderr = `code-mode: ${file}: mcpServers.x.env.A uses \${CODE_MODE_TEST_UNSET}, which is not set.\n`;
    expect(await run(["catalog", "--mcp", file])).toEqual({ code: 2, stdout: "", stderr });
  });
});

describe("a server at an address", () => {
  it("is reached over streamable HTTP, with the headers given", async () => {
    const seen = new Set<string | undefined>();
    const http = createServer((request, response) => {
      seen.add(request.headers.authorization);
      const server = new McpServer({ name: "remote", version: "1.0.0" });
      server.registerTool("ping", { description: "Answers" }, () => ({ content: [{ type: "text", text: "pong" }] }));
      const transport = new StreamableHTTPServerTransport();
      void server
        .connect(transport as Parameters<typeof server.connect>[0])
        .then(() => transport.handleRequest(request, response));
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
    const file = folder.mcp({ remote: { url, headers: { Authorization: "Bearer t" } } }, "http.json");
    const ended = await run(["exec", "-", "-q", "--mcp", file], {
      input: "(await MCP.remote.ping({})).content[0].text",
    });
    expect(ended).toEqual({ code: 0, stdout: "pong\n", stderr: "" });
    expect([...seen]).toEqual(["Bearer t"]);
    http.closeAllConnections();
    http.close();
  });
});

describe("catalog", () => {
  it("prints what a model reads and the declarations", async () => {
    const { code, stdout } = await run(["catalog", "--mcp", mcp]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Run a JavaScript or TypeScript program/u);
    expect(stdout).toContain("// ---- mcp/everything.d.ts\n");
    expect(stdout).toMatch(/function readTextFile\(/u);
  });

  it("prints JSON", async () => {
    const { stdout } = await run(["catalog", "--mcp", mcp, "--json"]);
    const printed = JSON.parse(stdout) as { declarations: object; catalog: { id: string }[] };
    expect(Object.keys(printed.declarations)).toContain("mcp/files.d.ts");
    expect(printed.catalog.map(({ id }) => id)).toContain("mcp:files:read_text_file");
  });
});

describe("wrong usage: code 2, one line", () => {
  it.each([
    [[], "a command is missing: exec, serve or catalog. See: code-mode --help"],
    [["frob"], "unknown command: frob. There are exec, serve and catalog. See: code-mode --help"],
    [["exec"], 'exec needs a program: a file, or "-" for standard input. See: code-mode exec --help'],
    [["exec", "a", "b"], "unexpected argument: b See: code-mode exec --help"],
    [["exec", "a", "--frob"], "Unknown option '--frob'. See: code-mode exec --help"],
    [["exec", "a", "--timeout", "5"], "--timeout must be an integer from 100 to 60000, not 5. See: code-mode --help"],
    [
      ["exec", "a", "--max-wait", "soon"],
      "--max-wait must be an integer from 0 to 86400000, not soon. See: code-mode --help",
    ],
    [
      ["exec", "a", "--language", "python"],
      "--language must be javascript or typescript, not python. See: code-mode exec --help",
    ],
    [["exec", "/nowhere/a.js"], "cannot read /nowhere/a.js: no such file or directory"],
    [["exec", "/"], "cannot read /: it is a directory"],
    [["exec", "-", "--timeline", "/nowhere/t.html"], "cannot write /nowhere/t.html: no such file or directory"],
    [["serve"], "serve needs --mcp <file>. See: code-mode serve --help"],
    [["serve", "--mcp", "/nowhere/mcp.json"], "cannot read /nowhere/mcp.json: no such file or directory"],
  ])("%j", async (args, line) => {
    expect(await run(args)).toEqual({ code: 2, stdout: "", stderr: `code-mode: ${line}\n` });
  });

  it.each([
    ['{"mcpServers": {"a": }}', ':1:22: not valid JSON: unexpected "}".'],
    ['{\n  "mcpServers": {}\n', ":3:1: not valid JSON: the text ends too early."],
    ['{"mcpServers": {},}', ':1:19: not valid JSON: unexpected "}".'],
    ["{'mcpServers': {}}", ':1:2: not valid JSON: unexpected "\'".'],
    ["[]", ': needs an object "mcpServers" of servers by name.'],
    ['{"mcpServers": {"a": {}}}', ': mcpServers.a needs "command" (a non-empty string) or "url".'],
    ['{"mcpServers": {"a": {"command": "x", "args": [1]}}}', ": mcpServers.a.args must be an array of strings."],
    ['{"mcpServers": {"a": {"command": "x", "env": {"A": 1}}}}', ": mcpServers.a.env must be an object of strings."],
    [
      '{"mcpServers": {"a": {"url": "ftp://x"}}}',
      ": mcpServers.a.url must be an address that starts with http:// or https://.",
    ],
    [
      '{"mcpServers": {"a": {"command": "x", "url": "http://x"}}}',
      ': mcpServers.a has both "command" and "url"; it must have one of them.',
    ],
    [
      '{"mcpServers": {"a": {"type": "sse", "url": "http://x"}}}',
      ': mcpServers.a uses the old "sse" transport, which is not supported; use the server\'s streamable HTTP address.',
    ],
  ])("mcp.json %j", async (content, line) => {
    const file = folder.write("wrong.json", content);
    expect(await run(["catalog", "--mcp", file])).toEqual({
      code: 2,
      stdout: "",
      stderr: `code-mode: ${file}${line}\n`,
    });
  });
});

describe("help and version", () => {
  it("are printed on standard output", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
      version: string;
    };
    expect(await run(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    for (const args of [["--help"], ["exec", "--help"], ["serve", "-h"], ["help", "catalog"]]) {
      const { code, stdout, stderr } = await run(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("Exit codes: 0 done, 1 the program failed");
      expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(110);
    }
  });

  it("name every option there is", async () => {
    const { stdout } = await run(["exec", "--help"]);
    for (const option of ["mcp", "json", "timeline", "language", "timeout", "max-wait", "max-output", "quiet"]) {
      expect(stdout).toContain(`--${option}`);
    }
  });

  it("the bin entry exists", () => {
    const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { bin: Record<string, string> }; // prettier-ignore
    expect(existsSync(new URL(`../${manifest.bin["code-mode"]}`, import.meta.url))).toBe(true);
  });
});
