/** The help texts. */
import type { CommandName } from "./args.js";

/** Help of one command, or of all. */
export function helpText(name: CommandName | undefined): string {
  return name === undefined ? GENERAL : COMMANDS[name];
}

const EXIT_CODES = `Exit codes: 0 done, 1 the program failed, 2 wrong usage or an unreadable file,
3 a server could not start, 130 interrupted.`;

const GENERAL = `code-mode runs small JavaScript or TypeScript programs against the tools of MCP servers.

Usage:
  code-mode exec <file | -> [options]   run a program
  code-mode serve --mcp <file>          offer exec and wait as an MCP server on stdio
  code-mode catalog --mcp <file>        print what a program can call
  code-mode <command> --help            more about a command
  code-mode --version

The --mcp file is the one MCP clients use:
  { "mcpServers": { "files": { "command": "npx", "args": ["-y", "…"], "env": {}, "cwd": "." },
                    "remote": { "url": "https://example.com/mcp", "headers": {} } } }

${EXIT_CODES}
`;

const COMMANDS: Record<CommandName, string> = {
  exec: `Usage: code-mode exec <file | -> [options]

Runs a program: the body of an async function. It calls MCP.<server>.<tool>({ … }) and prints with
text(value), json(value) or console. Its output and value go to standard output, progress and a
timeline to standard error. A program that is suspended is resumed until it ends.

Options:
  --mcp <file>          the servers of this mcp.json; without it the program has no tools
  --json                print one JSON document: status, value or error, output, telemetry
  --timeline <file>     write the timeline as a page, or as a picture when the name ends in .svg
  --language <name>     javascript or typescript; by default what the file's name says
  --timeout <ms>        longest time of one leg, 100 to 60000; default 10000
  --max-wait <ms>       longest time in all before a waiting program is given up; default 300000
  --max-output <bytes>  most output in all, 1024 to 10485760; default 65536
  -q, --quiet           no progress and no timeline on standard error
  -h, --help

${EXIT_CODES}
`,
  serve: `Usage: code-mode serve --mcp <file> [options]

Is an MCP server on standard input and output. It offers two tools, exec and wait, for all servers of
the file: programs call their tools as MCP.<server>.<tool>({ … }). Calls made by a program are reported
as progress; cancelling a request ends its program. Messages for people go to standard error.

Options:
  --mcp <file>          the servers of this mcp.json
  --timeout <ms>        longest time of one exec or wait, 100 to 60000; default 10000
  --max-output <bytes>  most output of one program, 1024 to 10485760; default 65536
  -h, --help

${EXIT_CODES}
`,
  catalog: `Usage: code-mode catalog --mcp <file> [options]

Prints what a model reads about exec, with the quick index, then the TypeScript declarations of every
server.

Options:
  --mcp <file>          the servers of this mcp.json
  --json                print one JSON document: description, catalog, declarations
  -h, --help

${EXIT_CODES}
`,
};
