#!/usr/bin/env node
/** The `code-mode` command. */
import { readArguments, type Command } from "./args.js";
import { CliError, EXIT, reasonOf } from "./errors.js";
import { helpText } from "./help.js";
import { listenForInterrupt, type Interrupt } from "./interrupt.js";
import { printLine, say } from "./print.js";
import { VERSION } from "./version.js";

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) =>
  process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failed),
);

const interrupt = listenForInterrupt();
try {
  process.exitCode = await runCommand(readArguments(process.argv.slice(2)), interrupt);
} catch (error) {
  // A server that dies of the same Ctrl-C is not what went wrong.
  if (interrupt.exitCode === undefined || !(error instanceof CliError)) {
    say(reasonOf(error));
  }
  process.exitCode = interrupt.exitCode ?? (error instanceof CliError ? error.exitCode : EXIT.failed);
} finally {
  interrupt.dispose();
  // Open input must not hold a process that is done.
  process.stdin.unref?.();
}

/** Each command is loaded when it is asked for: help needs no engine. */
async function runCommand(command: Command, on: Interrupt): Promise<number> {
  switch (command.name) {
    case "help":
      process.stdout.write(helpText(command.of));
      return EXIT.ok;
    case "version":
      printLine(process.stdout, VERSION);
      return EXIT.ok;
    case "exec":
      return (await import("./exec-command.js")).execCommand(command, on);
    case "serve":
      return (await import("./serve-command.js")).serveCommand(command, on);
    default:
      return (await import("./catalog-command.js")).catalogCommand(command, on);
  }
}
