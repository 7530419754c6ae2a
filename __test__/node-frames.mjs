// Runs program bodies in Node and prints the frames of the error each one ends with: the reference of source positions.
// Input: a JSON array of bodies on stdin. Output: a JSON array of [line, column][] in the body, innermost first.
import { text } from "node:stream/consumers";
import vm from "node:vm";

const PREFIX = "(async function (text) {";
const FRAME = /^ {4}at (?!async ).*?\(?code-mode\.js:(\d+):(\d+)\)?$/gm;

// A body as a function whose positions are those of the body itself.
function compile(body) {
  const script = new vm.Script(`${PREFIX}${body}\n})`, { filename: "code-mode.js", columnOffset: -PREFIX.length });
  return script.runInThisContext();
}

// The error a body ends with, or one it leaves behind in a timer or microtask.
async function failureOf(body) {
  const stray = new Promise((resolve) => process.once("uncaughtException", resolve));
  try {
    return await Promise.race([
      stray,
      compile(body)(() => {}).then(
        () => undefined,
        (error) => error,
      ),
    ]);
  } finally {
    process.removeAllListeners("uncaughtException");
  }
}

const found = [];
for (const body of JSON.parse(await text(process.stdin))) {
  const stack = (await failureOf(body))?.stack ?? "";
  found.push([...stack.matchAll(FRAME)].map(([, line, column]) => [Number(line), Number(column)]));
}
process.stdout.write(JSON.stringify(found));
