// What a guest threw, as data: never the object itself, and never an exception of its own.
(function (host, shared) {
  "use strict";
  const {
    stringify, list, getPrototypeOf, define, defineProperty, Error, getOwnPropertyDescriptor, errorStack, keys,
    isArray, toWellFormed, slice, indexOf, lastIndexOf, endsWith, startsWith, charCodeAt, cut, hasOwn,
  } = shared.primordials;
  const { classOf, fetch } = host;
  const MAX_TEXT = 8192;
  const MAX_MESSAGE = 6144;
  const MAX_FRAMES = 12;
  const MAX_CAUSES = 8;
  const MAX_ERRORS = 16;

  // JSON text { name, message, text, frames: [{ fn, line, column }], phase?, value?, fields?, cause?, errors? }.
  // `text` is for people: "Name: message", the user's own frames, then causes. `value` is there instead of
  // a useful name when something that is no Error was thrown.
  shared.describe = (error, phase) => {
    try {
      const seen = list();
      const record = describeAny(error, seen, 0);
      if (typeof phase === "string") record.phase = phase;
      return toJson(record);
    } catch {
      return '{"name":"Error","message":"the thrown value could not be described","text":"Error: the thrown value could not be described","frames":[]}';
    }
  };

  // Records are plain here; `raw` fields already are JSON text.
  const toJson = (record) => {
    let text = '{"name":' + stringify(record.name) + ',"message":' + stringify(record.message) +
      ',"text":' + stringify(limit(record.text, MAX_TEXT)) + ',"frames":[';
    for (let i = 0; i < record.frames.length; i++) {
      const { fn, line, column } = record.frames[i];
      text += (i === 0 ? "" : ",") + '{"fn":' + stringify(fn) + ',"line":' + line + ',"column":' + column + "}";
    }
    text += "]";
    if (record.phase !== undefined) text += ',"phase":' + stringify(record.phase);
    if (record.value !== undefined) text += ',"value":' + record.value;
    if (record.fields !== undefined) text += ',"fields":' + record.fields;
    if (record.cause !== undefined) text += ',"cause":' + toJson(record.cause);
    if (record.errors !== undefined) {
      text += ',"errors":[';
      for (let i = 0; i < record.errors.length; i++) text += (i === 0 ? "" : ",") + toJson(record.errors[i]);
      text += "]";
    }
    return text + "}";
  };

  // error.stack as V8 shows it: the first line names the error, and library frames are nobody's business.
  const shownStack = (error, found) => plain(textOf(read(error, "name")) || "Error", textOf(read(error, "message"))).text + framesText(found);
  const nativeStack = getOwnPropertyDescriptor(Error.prototype, "stack");
  defineProperty(Error.prototype, "stack", {
    __proto__: null, enumerable: false, configurable: true, set: nativeStack.set,
    get() {
      const stack = errorStack(this);
      if (typeof stack !== "string") return stack;
      return shownStack(this, frames(this));
    },
  });
  const nativeCapture = Error.captureStackTrace;
  define(Error, "captureStackTrace", { captureStackTrace(target, from) {
    nativeCapture(target, from);
    const own = getOwnPropertyDescriptor(target, "stack");
    if (own !== undefined && typeof own.value === "string") define(target, "stack", shownStack(target, framesIn(own.value)));
  } }.captureStackTrace);

  const describeAny = (error, seen, level) => {
    const isObject = (typeof error === "object" && error !== null) || typeof error === "function";
    if (!isObject || classOf(error) !== 7) return describeThrownValue(error, level);
    for (let i = 0; i < seen.length; i++) if (seen[i] === error) return circular();
    seen[seen.length] = error;
    const record = plain(textOf(read(error, "name")) || "Error", textOf(read(error, "message")));
    record.frames = frames(error);
    record.text += framesText(record.frames);
    record.fields = ownFields(error);
    if (level >= MAX_CAUSES) return record;
    const cause = owns(error, "cause") ? read(error, "cause") : undefined;
    if (cause !== undefined) {
      record.cause = describeAny(cause, seen, level + 1);
      record.text += "\ncaused by: " + record.cause.text;
    }
    const errors = owns(error, "errors") ? read(error, "errors") : undefined;
    if (isPlainArray(errors)) {
      record.errors = list();
      const length = read(errors, "length");
      for (let i = 0; i < length && i < MAX_ERRORS; i++) {
        const inner = describeAny(read(errors, i), seen, level + 1);
        record.errors[i] = inner;
        record.text += "\n  [" + i + "] " + inner.text;
      }
      if (length > MAX_ERRORS) record.text += "\n  ... " + (length - MAX_ERRORS) + " more";
    }
    return record;
  };

  const plain = (name, message) => {
    // The engine reads this as UTF-8, which holds no lone surrogates; a cut emoji must not lose the message.
    name = toWellFormed(limit(name, 256));
    message = toWellFormed(limit(message, MAX_MESSAGE));
    return { __proto__: null, name, message, text: message === "" ? name : name + ": " + message, frames: list() };
  };

  const circular = () => {
    const record = plain("Error", "[Circular]");
    record.text = "[Circular]";
    return record;
  };

  const describeThrownValue = (value, level) => {
    let json;
    let shown;
    if (typeof value === "undefined" || typeof value === "symbol") {
      json = "null";
      shown = typeof value === "symbol" ? shared.primordials.symbolToString(value) : "undefined";
    } else if (typeof value === "function") {
      json = "null";
      shown = "a function";
    } else {
      try {
        json = shared.encode(value, MAX_MESSAGE);
        shown = typeof value === "bigint" ? value + "n" : json;
      } catch {
        json = "null";
        shown = typeof value === "string" ? stringify(cut(value, MAX_MESSAGE) + "...") : "an object that JSON cannot hold";
        if (typeof value === "string") json = shown;
      }
    }
    const record = plain("Error", level === 0 ? "Uncaught " + shown : shown);
    record.text = record.message;
    record.value = json;
    return record;
  };

  const read = (object, key) => {
    try {
      return object[key];
    } catch {}
  };
  const owns = (object, key) => {
    try {
      return hasOwn(object, key);
    } catch {
      return false;
    }
  };
  const isPlainArray = (value) => {
    try {
      return isArray(value);
    } catch {
      return false; // a revoked proxy
    }
  };

  // A name or message as text, without running a toString.
  const textOf = (value) => {
    switch (typeof value) {
      case "string":
        return value;
      case "number":
      case "boolean":
      case "bigint":
        return "" + value;
      case "object":
        try {
          return value === null ? "" : shared.encode(value, MAX_MESSAGE);
        } catch {
          return "";
        }
      default:
        return "";
    }
  };

  const limit = (value, length) =>
    value.length <= length ? value : cut(value, length) + "... (" + (value.length - length) + " more characters)";

  // Own enumerable data such as `code` and `details`, as JSON text; undefined when there is none.
  const ownFields = (error) => {
    try {
      const names = keys(error);
      const fields = { __proto__: null };
      let any = false;
      for (let i = 0; i < names.length; i++) {
        const name = names[i];
        if (name === "name" || name === "message" || name === "stack" || name === "cause" || name === "errors") continue;
        fields[name] = error[name];
        any = true;
      }
      if (any) return shared.encode(fields, MAX_TEXT);
    } catch {}
  };

  // The frames inside the user's file. Library, native and host frames are nobody's business.
  const frames = (error) => {
    let stack;
    try {
      stack = errorStack(error);
    } catch {}
    if (stack === undefined || stack === null) {
      // DOMException keeps its stack as an own data property.
      const own = owns(error, "stack") ? getOwnPropertyDescriptor(error, "stack") : undefined;
      stack = own && own.value;
    }
    return typeof stack === "string" ? withoutConstructors(error, framesIn(stack)) : list();
  };
  const framesIn = (stack) => {
    const found = list();
    for (let start = 0; start < stack.length && found.length < MAX_FRAMES; ) {
      let end = indexOf(stack, "\n", start);
      if (end < 0) end = stack.length;
      const frame = end - start > 1000 ? undefined : parseFrame(slice(stack, start, end));
      if (frame !== undefined) found[found.length] = frame;
      start = end + 1;
    }
    return found;
  };

  // Where an error of the guest's own class was made is the place of its `new`, not a line of its constructor.
  const withoutConstructors = (error, found) => {
    let first = 0;
    const names = list();
    try {
      let object = getPrototypeOf(error);
      for (let i = 0; i < 8 && object !== null; i++) {
        const own = getOwnPropertyDescriptor(object, "constructor");
        const name = own && own.value && getOwnPropertyDescriptor(own.value, "name");
        if (name && typeof name.value === "string" && name.value !== "") names[names.length] = name.value;
        object = getPrototypeOf(object);
      }
      while (first < found.length - 1 && includes(names, found[first].fn)) first++;
    } catch {}
    if (first === 0) return found;
    const kept = list();
    for (let i = first; i < found.length; i++) kept[kept.length] = found[i];
    return kept;
  };

  // "    at fn (file:line:column)" or, for syntax errors, "    at file:line:column".
  const parseFrame = (line) => {
    const file = shared.userFile || "code-mode.js";
    if (!startsWith(line, "    at ")) return;
    const inParens = endsWith(line, ")");
    const open = inParens ? lastIndexOf(line, " (" + file + ":") : 7;
    if (open < 0 || (!inParens && !startsWith(line, file + ":", 7))) return;
    const at = open + (inParens ? 2 : 0) + file.length + 1;
    const colon = indexOf(line, ":", at);
    if (colon < 0) return;
    let lineNumber = digits(line, at, colon);
    let column = digits(line, colon + 1, inParens ? line.length - 1 : line.length);
    if (lineNumber < 1 || column < 0) return;
    // The host knows where that lies in the program as it was written; nowhere, if it is the wrapper.
    const place = fetch === undefined ? undefined : fetch(shared.fetchKind.position, lineNumber + ":" + column);
    if (place === "") return;
    if (place !== undefined) {
      const split = indexOf(place, ":", 0);
      lineNumber = digits(place, 0, split);
      column = digits(place, split + 1, place.length);
    }
    let fn = inParens ? slice(line, 7, open) : "";
    if (fn === "<anonymous>" || fn === "<eval>" || fn === shared.userFunction) fn = "";
    return { __proto__: null, fn: toWellFormed(cut(fn, 120)), line: lineNumber, column };
  };

  const digits = (line, from, to) => {
    if (to <= from || to - from > 9) return -1;
    let number = 0;
    for (let i = from; i < to; i++) {
      const digit = charCodeAt(line, i) - 48;
      if (digit < 0 || digit > 9) return -1;
      number = number * 10 + digit;
    }
    return number;
  };

  const includes = (items, item) => {
    for (let i = 0; i < items.length; i++) if (items[i] === item) return true;
    return false;
  };

  // Runs of the same frame (recursion) are one line.
  const framesText = (found) => {
    let text = "";
    for (let i = 0; i < found.length; ) {
      const line = frameText(found[i]);
      let end = i + 1;
      while (end < found.length && frameText(found[end]) === line) end++;
      text += "\n    at " + line + (end - i > 1 ? " (" + (end - i) + " times)" : "");
      i = end;
    }
    return text;
  };

  const frameText = ({ fn, line, column }) => {
    const place = (shared.userFile || "code-mode.js") + ":" + line + ":" + column;
    return fn === "" ? place : fn + " (" + place + ")";
  };
})
