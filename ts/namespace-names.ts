/** Which names a namespace may take as its guest global. Pure. */

/** Names of the guest's own API. */
const GUEST_API = [
  "tools",
  "namespaces",
  "text",
  "json",
  "yield_control",
  "MCP",
  "API",
  "ALL_TOOLS",
  "agents",
  "phase",
  "log",
  "results",
  "console",
];

/** Standard globals of the language, and those of other hosts that a program would take a namespace for. */
const STANDARD_GLOBALS = `
  AbortController AbortSignal AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean Buffer
  DOMException DataView Date Error EvalError Event EventTarget FinalizationRegistry Float16Array Float32Array Float64Array
  Function Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError
  ReferenceError Reflect RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError TextDecoder TextEncoder
  TypeError URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet
  WebAssembly AsyncDisposableStack DisposableStack atob btoa clearInterval clearTimeout crypto decodeURI
  decodeURIComponent encodeURI encodeURIComponent escape exports fetch global globalThis isFinite isNaN module navigator
  parseFloat parseInt performance process queueMicrotask require self setInterval setTimeout structuredClone undefined
  unescape window`
  .split(/\s+/u)
  .filter(Boolean);

const RESERVED_WORDS = `
  arguments async await break case catch class const continue debugger default delete do else enum eval export extends
  false finally for function if implements import in instanceof interface let new null package private protected public
  return static super switch this throw true try typeof var void while with yield`
  .split(/\s+/u)
  .filter(Boolean);

const reservedNames = new Set([...GUEST_API, ...STANDARD_GLOBALS]);
const reservedWords = new Set(RESERVED_WORDS);

/** Prefix of names that belong to the runtime. */
const INTERNAL_PREFIX = /^__(?:openclaw|code_?mode)/iu;

/** Whether a text can stand as a binding name in a program. */
export function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name) && !reservedWords.has(name);
}

/** Whether an identifier is taken by the guest's API, the language or the runtime. */
export function isReservedGlobal(name: string): boolean {
  return reservedNames.has(name) || INTERNAL_PREFIX.test(name) || name === "__proto__" || name === "constructor";
}
