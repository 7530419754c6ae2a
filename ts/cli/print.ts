/** Lines on standard output and standard error. What a program or a server says cannot steer a terminal. */
import type { CodeModeOutput } from "../../index.js";

/** A line of the command itself. */
export function say(line: string): void {
  printLine(process.stderr, `code-mode: ${line}`);
}

/** One line on a stream. */
export function printLine(stream: NodeJS.WriteStream, line: string): void {
  stream.write(`${line}\n`);
}

/** Output of a program, each item on a line of its own. */
export function printOutput(items: readonly CodeModeOutput[]): void {
  for (const item of items) {
    printLine(process.stdout, item.type === "text" ? shown(item.text) : JSON.stringify(item.value));
  }
}

/** The value of a program: a string as it is, anything else as JSON, and nothing for no value. */
export function printValue(value: unknown): void {
  if (value !== null && value !== undefined) {
    printLine(process.stdout, typeof value === "string" ? shown(value) : JSON.stringify(value, null, 2));
  }
}

/** Into a file or a pipe everything goes as it is; on a terminal without control characters but tab and newline. */
function shown(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return process.stdout.isTTY ? text.replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/gu, "\uFFFD") : text;
}
