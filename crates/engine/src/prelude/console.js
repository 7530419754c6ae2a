// console: bounded text into the cell's output. Formats like Node's util.format and util.inspect on one line.
(function (host, shared) {
  "use strict";
  const {
    list, keys, isArray, stringify, hasOwn, getOwnPropertyDescriptor, getPrototypeOf, getOwnPropertySymbols,
    propertyIsEnumerable, symbolToString, dateGetTime, dateToISOString, mapForEach, mapSize, setForEach, setSize,
    mapGet, mapSet, Map, regExpExec, regExpSource, regExpFlags, typedArrayTag, typedArrayLength, bufferByteLength,
    slice, indexOf, charCodeAt, cut, expose, parseInt, parseFloat, symbolToStringTag, Number,
  } = shared.primordials;
  const { classOf, emit } = host;
  const MAX_CALL = 16384;
  const MAX_DEPTH = 5;
  const MAX_ITEMS = 100;
  const MAX_STRING = 10000;
  const identifier = /^[A-Za-z_$][A-Za-z_$0-9]*$/;

  // ---- inspection. `room` is what may still be written; it makes every walk finite.
  let room = 0;
  let seen = list();

  const inspectValue = (value, depth, nested) => {
    switch (typeof value) {
      case "string":
        return spend(nested ? quote(value) : value);
      case "number":
        return spend(value === 0 && 1 / value < 0 ? "-0" : "" + value);
      case "bigint":
        return spend(value + "n");
      case "symbol":
        return spend(symbolToString(value));
      case "undefined":
      case "boolean":
        return spend("" + value);
      default:
        if (value === null) return spend("null");
        if (room <= 0) return "...";
        try {
          return inspectObject(value, depth);
        } catch (error) {
          if (error === shared.outputTooLarge) throw error;
          return "[object that cannot be inspected]";
        }
    }
  };

  const spend = (text) => {
    room -= text.length;
    return text;
  };

  // Single quotes as Node prefers them.
  const quote = (text) => {
    const shown = text.length > MAX_STRING ? cut(text, MAX_STRING) : text;
    const json = stringify(shown);
    const inner = slice(json, 1, json.length - 1);
    const more = shown.length < text.length ? "... " + (text.length - shown.length) + " more characters" : "";
    if (indexOf(shown, "'") < 0) return "'" + replaceAll(inner, '\\"', '"') + "'" + more;
    if (indexOf(shown, '"') < 0) return '"' + inner + '"' + more;
    if (indexOf(shown, "`") < 0 && indexOf(shown, "${") < 0) return "`" + replaceAll(inner, '\\"', '"') + "`" + more;
    return "'" + replaceAll(replaceAll(inner, '\\"', '"'), "'", "\\'") + "'" + more;
  };

  const replaceAll = (text, from, to) => {
    let result = "";
    let start = 0;
    for (let at; (at = indexOf(text, from, start)) >= 0; start = at + from.length) result += slice(text, start, at) + to;
    return result + slice(text, start);
  };

  const inspectObject = (value, depth) => {
    const kind = classOf(value);
    if (kind === 3) return withMembers(functionText(value), value, depth);
    if (kind === 4) return spend(dateGetTime(value) === dateGetTime(value) ? dateToISOString(value) : "Invalid Date");
    if (kind === 10) return spend("/" + regExpSource(value) + "/" + regExpFlags(value));
    if (kind === 12) {
      const primitive = shared.unbox(value);
      const type = typeof primitive;
      const name = type === "bigint" ? "BigInt" : shared.primordials.toUpperCase(type[0]) + slice(type, 1);
      return spend("[" + name + ": " + inspectValue(primitive, depth, true) + "]");
    }
    for (let i = 0; i < seen.length; i++) if (seen[i] === value) return spend("[Circular *1]");
    const name = className(value);
    if (depth > MAX_DEPTH) return spend(kind === 2 ? "[Array]" : "[" + (name || "Object") + "]");
    seen[seen.length] = value;
    let text;
    if (kind === 2 || (kind === 11 && isArray(value))) text = arrayText(value, name, depth);
    else if (kind === 5) text = mapText(value, name, depth);
    else if (kind === 6) text = setText(value, name, depth);
    else if (kind === 7) text = errorText(value, depth);
    else if (kind === 8) text = spend("Promise { not awaited }");
    else if (kind === 9) text = binaryText(value, depth);
    else if (kind === 13) text = spend((name || "WeakMap") + " { <items unknown> }");
    else text = objectText(value, name, depth);
    seen.length--;
    return text;
  };

  // The constructor's name by data properties only, "" for a null prototype.
  const className = (value) => {
    let object = value;
    for (let i = 0; i < 50 && object !== null; i++) {
      const found = getOwnPropertyDescriptor(object, "constructor");
      if (found !== undefined && typeof found.value === "function") {
        const name = getOwnPropertyDescriptor(found.value, "name");
        if (name !== undefined && typeof name.value === "string" && name.value !== "") return name.value;
      }
      object = getPrototypeOf(object);
    }
    return "";
  };

  const functionText = (value) => {
    const found = getOwnPropertyDescriptor(value, "name");
    const name = found !== undefined && typeof found.value === "string" ? found.value : "";
    const source = slice(shared.primordials.functionToString(value), 0, 6);
    if (source === "class " || source === "class{") {
      const base = getPrototypeOf(value);
      const parent = typeof base === "function" ? getOwnPropertyDescriptor(base, "name") : undefined;
      const suffix = parent !== undefined && typeof parent.value === "string" && parent.value !== "" ? " extends " + parent.value : "";
      return spend("[class " + (name || "(anonymous)") + suffix + "]");
    }
    const kind = source === "async " || source === "async(" ? "AsyncFunction" : "Function";
    return spend("[" + kind + (name === "" ? " (anonymous)]" : ": " + name + "]"));
  };

  const keyText = (key) =>
    typeof key === "symbol" ? "[" + symbolToString(key) + "]" : regExpExec(identifier, key) !== null ? key : quote(key);

  // The own enumerable members from `names[from]` on, as texts.
  const memberTexts = (value, texts, names, depth) => {
    for (let i = 0; i < names.length; i++) {
      if (room <= 0 || texts.length >= MAX_ITEMS * 2) {
        texts[texts.length] = "... " + (names.length - i) + " more";
        break;
      }
      const found = getOwnPropertyDescriptor(value, names[i]);
      if (found === undefined) continue;
      let shown;
      if (hasOwn(found, "value")) shown = inspectValue(found.value, depth + 1, true);
      else shown = found.get === undefined ? "[Setter]" : found.set === undefined ? "[Getter]" : "[Getter/Setter]";
      texts[texts.length] = spend(keyText(names[i]) + ": ") + shown;
    }
    return texts;
  };

  const memberNames = (value) => {
    const names = list();
    const own = keys(value);
    for (let i = 0; i < own.length; i++) names[i] = own[i];
    const symbols = getOwnPropertySymbols(value);
    for (let i = 0; i < symbols.length; i++) if (propertyIsEnumerable(value, symbols[i])) names[names.length] = symbols[i];
    return names;
  };

  const withMembers = (head, value, depth) => {
    const names = memberNames(value);
    if (names.length === 0 || depth > MAX_DEPTH) return head;
    return head + " " + braces("", memberTexts(value, list(), names, depth));
  };

  const braces = (prefix, texts) => {
    let text = prefix === "" ? "{" : prefix + " {";
    for (let i = 0; i < texts.length; i++) text += (i === 0 ? " " : ", ") + texts[i];
    spend("{ }");
    return texts.length === 0 ? text + "}" : text + " }";
  };

  const objectText = (value, name, depth) => {
    const url = shared.urlText === undefined ? undefined : shared.urlText(value);
    if (url !== undefined) return spend("URL { href: " + quote(url) + " }");
    let prefix = name === "Object" ? "" : name === "" ? "[Object: null prototype]" : name;
    const tag = value[symbolToStringTag];
    if (typeof tag === "string" && tag !== "" && tag !== name) prefix = (prefix || "Object") + " [" + cut(tag, 100) + "]";
    return braces(spend(prefix), memberTexts(value, list(), memberNames(value), depth));
  };

  const arrayText = (value, name, depth) => {
    const texts = list();
    const length = value.length;
    let holes = 0;
    let index = 0;
    const flush = () => {
      if (holes > 0) texts[texts.length] = spend("<" + holes + " empty item" + (holes > 1 ? "s" : "") + ">");
      holes = 0;
    };
    for (; index < length && texts.length < MAX_ITEMS && room > 0; index++) {
      if (!hasOwn(value, index)) {
        holes++;
        // A very long run of holes is reported at once: nobody waits for 2^32 steps.
        if (holes > 100000) {
          holes = length - index + holes - 1;
          index = length;
        }
        continue;
      }
      flush();
      texts[texts.length] = inspectValue(value[index], depth + 1, true);
    }
    flush();
    if (index < length) texts[texts.length] = "... " + (length - index) + " more item" + (length - index > 1 ? "s" : "");
    const names = list();
    const all = memberNames(value);
    if (all.length !== length)
      for (let i = 0; i < all.length; i++) {
        const key = all[i];
        if (typeof key === "symbol" || !isIndex(key)) names[names.length] = key;
      }
    memberTexts(value, texts, names, depth);
    let text = name === "Array" ? "[" : name + "(" + length + ") [";
    for (let i = 0; i < texts.length; i++) text += (i === 0 ? " " : ", ") + texts[i];
    spend("[ ]");
    return text + (texts.length === 0 ? "]" : " ]");
  };

  const isIndex = (key) => {
    const code = charCodeAt(key, 0);
    return code >= 48 && code <= 57 && "" + Number(key) === key;
  };

  const mapText = (value, name, depth) => {
    const texts = list();
    mapForEach(value, (item, key) => {
      if (texts.length < MAX_ITEMS && room > 0)
        texts[texts.length] = inspectValue(key, depth + 1, true) + spend(" => ") + inspectValue(item, depth + 1, true);
    });
    if (mapSize(value) > texts.length) texts[texts.length] = "... " + (mapSize(value) - texts.length) + " more items";
    return braces(spend((name || "Map") + "(" + mapSize(value) + ")"), memberTexts(value, texts, memberNames(value), depth));
  };

  const setText = (value, name, depth) => {
    const texts = list();
    setForEach(value, (item) => {
      if (texts.length < MAX_ITEMS && room > 0) texts[texts.length] = inspectValue(item, depth + 1, true);
    });
    if (setSize(value) > texts.length) texts[texts.length] = "... " + (setSize(value) - texts.length) + " more items";
    return braces(spend((name || "Set") + "(" + setSize(value) + ")"), memberTexts(value, texts, memberNames(value), depth));
  };

  // One line: name, message, then own fields. Stacks stay out of the output.
  const errorText = (value, depth) => {
    const name = typeof value.name === "string" ? value.name : "Error";
    const message = typeof value.message === "string" ? value.message : "";
    let text = name + (message === "" ? "" : ": " + cut(message, MAX_STRING));
    if (depth > 0) text = "[" + text + "]";
    const names = list();
    const all = memberNames(value);
    for (let i = 0; i < all.length; i++)
      if (all[i] !== "stack" && all[i] !== "message" && all[i] !== "name") names[names.length] = all[i];
    const texts = memberTexts(value, list(), names, depth);
    for (let i = 0; i < 2; i++) {
      const key = i === 0 ? "cause" : "errors";
      if (hasOwn(value, key) && !propertyIsEnumerable(value, key))
        texts[texts.length] = "[" + key + "]: " + inspectValue(value[key], depth + 1, true);
    }
    return spend(text) + (texts.length === 0 ? "" : " " + braces("", texts));
  };

  const binaryText = (value, depth) => {
    const tag = typedArrayTag(value);
    if (tag === undefined) {
      let size = "";
      try {
        size = "byteLength: " + bufferByteLength(value);
      } catch {}
      return spend((className(value) || "ArrayBuffer") + " { " + size + " }");
    }
    const length = typedArrayLength(value);
    let text = tag + "(" + length + ") [";
    for (let i = 0; i < length && i < MAX_ITEMS; i++) text += (i === 0 ? " " : ", ") + inspectValue(value[i], depth + 1, true);
    if (length > MAX_ITEMS) text += ", ... " + (length - MAX_ITEMS) + " more items";
    return spend(text) + (length === 0 ? "]" : " ]");
  };

  // ---- util.format
  const format = (values) => {
    room = MAX_CALL;
    seen = list();
    let text = "";
    let next = 0;
    if (typeof values[0] === "string") {
      next = 1;
      const pattern = values[0];
      if (values.length === 1) return pattern;
      let start = 0;
      for (let at; (at = indexOf(pattern, "%", start)) >= 0 && at + 1 < pattern.length; ) {
        const letter = pattern[at + 1];
        text += slice(pattern, start, at);
        start = at + 2;
        if (letter === "%") text += "%";
        else if (next < values.length && indexOf("sdifjoOc", letter) >= 0) text += conversion(letter, values[next++]);
        else text += "%" + letter;
      }
      text += slice(pattern, start);
    }
    for (; next < values.length; next++) text += (next === 0 ? "" : " ") + inspectValue(values[next], 0, false);
    return text;
  };

  const conversion = (letter, value) => {
    const type = typeof value;
    switch (letter) {
      case "c":
        return "";
      case "s":
        return type === "string" ? value : inspectValue(value, type === "object" ? MAX_DEPTH : 0, false);
      case "j":
        try {
          return shared.encode(value, MAX_CALL);
        } catch {
          return "[Circular]";
        }
      case "d":
      case "i":
      case "f":
        if (type === "bigint") return letter === "f" ? "" + Number(value) : value + "n";
        if (type === "symbol" || (type === "object" && value !== null) || type === "function") return "NaN";
        if (letter === "d") return inspectValue(Number(value), 0, false);
        return "" + (letter === "i" ? parseInt(value) : parseFloat(value));
      default:
        return inspectValue(value, 0, true);
    }
  };

  // ---- the console object
  let indent = "";
  const counts = new Map();
  const timers = new Map();

  const write = (prefix, text) => {
    if (text.length > MAX_CALL) text = cut(text, MAX_CALL) + "... (" + (text.length - MAX_CALL) + " more characters)";
    if (indent !== "") text = indent + replaceAll(text, "\n", "\n" + indent);
    emit(shared.kind.text, prefix + text);
  };
  shared.formatValues = format;

  const label = (value) => (value === undefined ? "default" : typeof value === "string" ? cut(value, 200) : inspectTop(value));
  const inspectTop = (value) => {
    room = MAX_CALL;
    seen = list();
    return inspectValue(value, 0, false);
  };

  const table = (data) => {
    if (typeof data !== "object" || data === null) return write("", inspectTop(data));
    const rows = list();
    const columns = list();
    const known = { __proto__: null };
    room = MAX_CALL;
    seen = list();
    const names = keys(data);
    for (let i = 0; i < names.length && i < MAX_ITEMS && room > 0; i++) {
      const row = data[names[i]];
      const cells = { __proto__: null };
      if (typeof row === "object" && row !== null) {
        const fields = keys(row);
        for (let j = 0; j < fields.length && j < 30; j++) cell(cells, known, columns, fields[j], row[fields[j]]);
      } else cell(cells, known, columns, "Values", row);
      rows[i] = cells;
    }
    let text = "| (index) |";
    let rule = "|---|";
    for (let i = 0; i < columns.length; i++) {
      text += " " + columns[i] + " |";
      rule += "---|";
    }
    text += "\n" + rule;
    for (let i = 0; i < rows.length; i++) {
      text += "\n| " + names[i] + " |";
      for (let j = 0; j < columns.length; j++) text += " " + (rows[i][columns[j]] || "") + " |";
    }
    if (names.length > rows.length) text += "\n... " + (names.length - rows.length) + " more rows";
    write("", text);
  };
  const cell = (cells, known, columns, name, value) => {
    if (!known[name]) {
      known[name] = true;
      columns[columns.length] = name;
    }
    cells[name] = inspectValue(value, MAX_DEPTH, false);
  };

  const openGroup = (values) => {
    if (values.length > 0) write("", format(values));
    if (indent.length < 40) indent += "  ";
  };

  const console = {
    log(...values) { write("", format(values)); },
    info(...values) { write("", format(values)); },
    debug(...values) { write("[debug] ", format(values)); },
    warn(...values) { write("[warn] ", format(values)); },
    error(...values) { write("[error] ", format(values)); },
    trace(...values) { write("[trace] ", format(values)); },
    dir(value) { write("", inspectTop(value)); },
    dirxml(...values) { write("", format(values)); },
    table(data) {
      try {
        table(data);
      } catch {
        write("", inspectTop(data));
      }
    },
    assert(condition, ...values) {
      if (!condition) write("[error] ", values.length === 0 ? "Assertion failed" : "Assertion failed: " + format(values));
    },
    group(...values) { openGroup(values); },
    groupCollapsed(...values) { openGroup(values); },
    groupEnd() { indent = slice(indent, 2); },
    count(name) {
      const key = label(name);
      const count = (mapGet(counts, key) || 0) + 1;
      mapSet(counts, key, count);
      write("", key + ": " + count);
    },
    countReset(name) { mapSet(counts, label(name), 0); },
    time(name) { mapSet(timers, label(name), host.monotonicMs()); },
    timeLog(name, ...values) { elapsed(name, values); },
    timeEnd(name) { elapsed(name, list()); },
    clear() {},
  };
  const elapsed = (name, values) => {
    const key = label(name);
    const start = mapGet(timers, key);
    if (start === undefined) return write("[warn] ", "No such label '" + key + "' for console.time()");
    const text = key + ": " + shared.primordials.toFixed(host.monotonicMs() - start, 1) + "ms";
    write("", values.length === 0 ? text : text + " " + format(values));
  };
  expose("console", console);
})
