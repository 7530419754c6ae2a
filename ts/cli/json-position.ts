/** Where a text stops being JSON. `JSON.parse` does not say so for every text and on every version of Node. Pure. */

/** Line and column, both from 1, of the first character that cannot be; undefined for JSON. */
export function jsonErrorPosition(text: string): { line: number; column: number } | undefined {
  const offset = errorOffset(text);
  if (offset === undefined) {
    return undefined;
  }
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

const SPACE = /[ \t\r\n]*/uy;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;
// oxlint-disable-next-line no-control-regex
const STRING = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;

/** What may come next: `first` is "value or the end of this container", after its opening bracket. */
type Expected = "value" | "first" | "key" | "first key" | "colon" | "comma" | "end";

/** One pass with a stack of open containers, so that depth costs no calls. */
function errorOffset(text: string): number | undefined {
  const open: ("[" | "{")[] = [];
  let at = 0;
  let expected: Expected = "value";
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    at += found?.[0].length ?? 0;
    return found !== null;
  };
  const after = (): Expected => (open.length === 0 ? "end" : "comma");
  for (;;) {
    take(SPACE);
    if (at >= text.length) {
      return expected === "end" ? undefined : at;
    }
    const character = text[at]!;
    const inObject = open.at(-1) === "{";
    if (closes(character, expected, inObject)) {
      open.pop();
      at += 1;
      expected = after();
    } else if ((expected === "value" || expected === "first") && (character === "[" || character === "{")) {
      open.push(character);
      at += 1;
      expected = character === "[" ? "first" : "first key";
    } else if ((expected === "value" || expected === "first") && (take(STRING) || take(SCALAR))) {
      expected = after();
    } else if ((expected === "key" || expected === "first key") && take(STRING)) {
      expected = "colon";
    } else if (expected === "colon" && character === ":") {
      at += 1;
      expected = "value";
    } else if (expected === "comma" && character === ",") {
      at += 1;
      expected = inObject ? "key" : "value";
    } else {
      return at;
    }
  }
}

function closes(character: string, expected: Expected, inObject: boolean): boolean {
  return inObject
    ? character === "}" && (expected === "comma" || expected === "first key")
    : character === "]" && (expected === "comma" || expected === "first");
}
