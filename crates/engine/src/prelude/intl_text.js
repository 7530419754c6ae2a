// Intl for words, en-US: Collator (with localeCompare), PluralRules, ListFormat, RelativeTimeFormat, Segmenter.
(function (host, shared) {
  "use strict";
  const {
    list, toArray, slice, indexOf, toLowerCase, normalize, charCodeAt, TypeError, RangeError, String, RegExp,
    regExpExec, endsWith, isArray, symbolIterator, apply, Number, MathAbs,
  } = shared.primordials;
  const { intl } = shared;
  const { option, part } = intl;

  // ---- collation: three levels, letters before accents before case, in the order of the root collation.
  const ORDER = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz";
  const ranks = list();
  for (let i = 0; i < 128; i++) ranks[i] = -1;
  for (let i = 0; i < ORDER.length; i++) ranks[charCodeAt(ORDER, i)] = i + 1;
  for (let i = 65; i <= 90; i++) ranks[i] = ranks[i + 32];
  const isMark = (code) => code >= 0x300 && code <= 0x36f;
  const folds = { __proto__: null, æ: "ae", Æ: "AE", ß: "ss", œ: "oe", Œ: "OE", ø: "o\u0338", Ø: "O\u0338", đ: "d\u0335", ł: "l\u0335", Ł: "L\u0335", þ: "th" };
  const isASCII = (text) => {
    for (let i = 0; i < text.length; i++) if (charCodeAt(text, i) > 127) return false;
    return true;
  };
  const expand = (text) => {
    if (isASCII(text)) return text;
    let result = "";
    for (let i = 0; i < text.length; i++) result += folds[text[i]] || text[i];
    return normalize(result, "NFKD");
  };
  const rank = (code) => (code < 128 ? ranks[code] : 1000 + charCodeAt(toLowerCase(String(shared.primordials.fromCharCode(code))), 0));
  const isDigit = (code) => code >= 48 && code <= 57;
  const isUpper = (unit) => unit !== toLowerCase(unit);

  const compare = (left, right, o) => {
    if (left === right) return 0;
    const a = expand(left);
    const b = expand(right);
    let i = 0;
    let j = 0;
    let accent = 0;
    let caseOrder = 0;
    for (;;) {
      // Ignorable on the first level: accents, controls, and punctuation if wanted.
      let marksA = "";
      let marksB = "";
      for (; i < a.length && skipped(charCodeAt(a, i), o); i++) if (isMark(charCodeAt(a, i))) marksA += a[i];
      for (; j < b.length && skipped(charCodeAt(b, j), o); j++) if (isMark(charCodeAt(b, j))) marksB += b[j];
      if (accent === 0 && marksA !== marksB) accent = marksA < marksB ? -1 : 1;
      if (i >= a.length || j >= b.length) {
        if (i < a.length) return 1;
        if (j < b.length) return -1;
        break;
      }
      const codeA = charCodeAt(a, i);
      const codeB = charCodeAt(b, j);
      if (o.numeric && isDigit(codeA) && isDigit(codeB)) {
        const endA = digitsEnd(a, i);
        const endB = digitsEnd(b, j);
        const order = compareDigits(a, i, endA, b, j, endB);
        if (order !== 0) return order;
        i = endA;
        j = endB;
        continue;
      }
      if (codeA !== codeB) {
        const rankA = rank(codeA);
        const rankB = rank(codeB);
        if (rankA !== rankB) return rankA < rankB ? -1 : 1;
        if (caseOrder === 0) caseOrder = isUpper(b[j]) ? -1 : 1;
      }
      i++;
      j++;
    }
    if (accent !== 0 && (o.sensitivity === "accent" || o.sensitivity === "variant")) return accent;
    if (caseOrder !== 0 && (o.sensitivity === "case" || o.sensitivity === "variant")) return o.caseFirst === "upper" ? -caseOrder : caseOrder;
    return 0;
  };
  const skipped = (code, o) => isMark(code) || (code < 128 && ranks[code] < 0) || (o.ignorePunctuation && code < 128 && ranks[code] <= ranks[126]);
  const digitsEnd = (text, i) => {
    while (i < text.length && isDigit(charCodeAt(text, i))) i++;
    return i;
  };
  const compareDigits = (a, i, endA, b, j, endB) => {
    while (i < endA && a[i] === "0") i++;
    while (j < endB && b[j] === "0") j++;
    if (endA - i !== endB - j) return endA - i < endB - j ? -1 : 1;
    for (; i < endA; i++, j++) if (a[i] !== b[j]) return a[i] < b[j] ? -1 : 1;
    return 0;
  };

  const collation = (locales, given) => {
    intl.checkLocales(locales);
    const options = intl.options(given);
    const what = "Collator";
    return {
      __proto__: null,
      usage: option(options, "usage", ["sort", "search"], "sort", what),
      sensitivity: option(options, "sensitivity", ["base", "accent", "case", "variant"], "variant", what),
      ignorePunctuation: !!options.ignorePunctuation,
      numeric: options.numeric !== undefined ? !!options.numeric : typeof locales === "string" && indexOf(locales, "-kn") > 0,
      caseFirst: option(options, "caseFirst", ["upper", "lower", "false"], "false", what),
    };
  };
  const plainCollation = collation();
  class Collator {
    #options;
    #bound;
    constructor(locales, options) { this.#options = collation(locales, options); }
    get compare() {
      if (this.#bound === undefined) this.#bound = (a, b) => compare("" + a, "" + b, this.#options);
      return this.#bound;
    }
    resolvedOptions() {
      const { usage, sensitivity, ignorePunctuation, numeric, caseFirst } = this.#options;
      return { locale: "en-US", usage, sensitivity, ignorePunctuation, collation: "default", numeric, caseFirst };
    }
  }
  intl.add("Collator", Collator, true);
  intl.compareText = (left, right, locales, options) =>
    compare(left, right, locales === undefined && options === undefined ? plainCollation : collation(locales, options));

  // ---- plurals
  class PluralRules {
    #ordinal;
    #minFraction;
    constructor(locales, options) {
      intl.checkLocales(locales);
      options = intl.options(options);
      this.#ordinal = option(options, "type", ["cardinal", "ordinal"], "cardinal", "PluralRules") === "ordinal";
      this.#minFraction = intl.integer(options, "minimumFractionDigits", 0, 100, 0);
    }
    select(value) {
      const n = MathAbs(Number(value));
      if (!this.#ordinal) return n === 1 && this.#minFraction === 0 ? "one" : "other";
      const ten = n % 10;
      const hundred = n % 100;
      if (ten === 1 && hundred !== 11) return "one";
      if (ten === 2 && hundred !== 12) return "two";
      return ten === 3 && hundred !== 13 ? "few" : "other";
    }
    resolvedOptions() {
      return {
        locale: "en-US", type: this.#ordinal ? "ordinal" : "cardinal", minimumIntegerDigits: 1, minimumFractionDigits: this.#minFraction,
        maximumFractionDigits: 3, pluralCategories: this.#ordinal ? ["few", "one", "two", "other"] : ["one", "other"],
      };
    }
  }
  intl.add("PluralRules", PluralRules);

  // ---- lists
  class ListFormat {
    #type;
    #style;
    constructor(locales, options) {
      intl.checkLocales(locales);
      options = intl.options(options);
      this.#type = option(options, "type", ["conjunction", "disjunction", "unit"], "conjunction", "ListFormat");
      this.#style = option(options, "style", ["long", "short", "narrow"], "long", "ListFormat");
    }
    formatToParts(items) {
      const texts = list();
      if (isArray(items)) for (let i = 0; i < items.length; i++) texts[i] = items[i];
      else if (items !== undefined) {
        const iterator = apply(items[symbolIterator], items, []);
        for (let step; !(step = iterator.next()).done; ) texts[texts.length] = step.value;
      }
      const parts = list();
      const word = this.#type === "disjunction" ? "or" : this.#type === "unit" || this.#style === "narrow" ? "" : this.#style === "short" ? "&" : "and";
      const comma = this.#type === "unit" && this.#style === "narrow" ? " " : ", ";
      for (let i = 0; i < texts.length; i++) {
        if (typeof texts[i] !== "string") throw new TypeError("Iterable yielded " + texts[i] + " which is not a string");
        const last = i === texts.length - 1;
        if (i > 0) part(parts, "literal", !last || word === "" ? comma : texts.length === 2 ? " " + word + " " : ", " + word + " ");
        part(parts, "element", texts[i]);
      }
      return toArray(parts);
    }
    format(items) { return intl.joinParts(this.formatToParts(items)); }
    resolvedOptions() { return { locale: "en-US", type: this.#type, style: this.#style }; }
  }
  intl.add("ListFormat", ListFormat);

  // ---- relative time
  const shortUnits = { __proto__: null, second: "sec.", minute: "min.", hour: "hr.", day: "day", week: "wk.", month: "mo.", quarter: "qtr.", year: "yr." };
  const narrowUnits = { __proto__: null, second: "s", minute: "m", hour: "h", day: "d", week: "w", month: "mo", quarter: "q", year: "y" };
  class RelativeTimeFormat {
    #style;
    #numeric;
    constructor(locales, options) {
      intl.checkLocales(locales);
      options = intl.options(options);
      this.#style = option(options, "style", ["long", "short", "narrow"], "long", "RelativeTimeFormat");
      this.#numeric = option(options, "numeric", ["always", "auto"], "always", "RelativeTimeFormat");
    }
    format(value, unit) {
      value = Number(value);
      unit = "" + unit;
      if (endsWith(unit, "s")) unit = slice(unit, 0, unit.length - 1);
      if (shortUnits[unit] === undefined) throw new RangeError("Invalid unit argument for format() '" + unit + "'");
      if (!(value - value === 0)) throw new RangeError("Invalid time value");
      const special = this.#numeric === "auto" ? this.#special(value, unit) : undefined;
      if (special !== undefined) return special;
      const past = value < 0 || (value === 0 && 1 / value < 0);
      const amount = MathAbs(value);
      const one = amount === 1;
      let text = intl.formatNumber(amount);
      if (this.#style === "long") text += " " + unit + (one ? "" : "s");
      else if (this.#style === "narrow") text += narrowUnits[unit];
      else text += " " + (one || (unit !== "day" && unit !== "quarter") ? shortUnits[unit] : unit === "day" ? "days" : "qtrs.");
      return past ? text + " ago" : "in " + text;
    }
    #special(value, unit) {
      const name = this.#style === "long" || unit === "day" || unit === "hour" || unit === "minute" ? unit : shortUnits[unit];
      if (value === 0) return unit === "second" ? "now" : unit === "day" ? "today" : "this " + name;
      if (unit === "second" || unit === "minute" || unit === "hour" || (value !== 1 && value !== -1)) return;
      if (unit === "day") return value === 1 ? "tomorrow" : "yesterday";
      return (value === 1 ? "next " : "last ") + name;
    }
    resolvedOptions() { return { locale: "en-US", style: this.#style, numeric: this.#numeric, numberingSystem: "latn" }; }
  }
  intl.add("RelativeTimeFormat", RelativeTimeFormat);

  // ---- segmentation: close to Unicode's rules for everyday text, not for every script.
  // Compiled when first needed: the character classes are large.
  const sources = {
    __proto__: null,
    grapheme: "\\r\\n|\\p{RI}\\p{RI}|\\p{Emoji}(?:\\p{EMod}|\\ufe0f\\u20e3?)?(?:[\\u{e0020}-\\u{e007f}]+)?(?:\\u200d\\p{Emoji}(?:\\p{EMod}|\\ufe0f)?)*\\p{M}*|[^\\r\\n][\\p{M}\\u200d]*|[^]",
    word: "\\r\\n|[\\p{L}\\p{N}\\p{M}_]+(?:(?:['’.:](?=\\p{L})(?<=\\p{L}.)|[.,'](?=\\p{N})(?<=\\p{N}.))[\\p{L}\\p{N}\\p{M}_]+)*| +|[^][\\p{M}\\u200d\\ufe0f]*",
    sentence: "(?:[^.!?\\r\\n]|[.](?=\\p{N})|[.!?]+[\"')\\]]*(?=[^\\s.!?\"')\\]])|[.][^\\S\\r\\n]+(?=\\p{Ll}))*(?:[.!?]+[\"')\\]]*)?(?:\\s*[\\r\\n]|[^\\S\\r\\n]+)?",
    wordLike: "[\\p{L}\\p{N}_]",
  };
  const patterns = { __proto__: null };
  const match = (name, text, index) => {
    const pattern = patterns[name] || (patterns[name] = new RegExp(sources[name], "uy"));
    pattern.lastIndex = index;
    return regExpExec(pattern, text);
  };
  class Segments {
    #text;
    #granularity;
    constructor(text, granularity) {
      this.#text = text;
      this.#granularity = granularity;
    }
    #at(index) {
      const found = match(this.#granularity, this.#text, index);
      const segment = found === null || found[0] === "" ? this.#text[index] : found[0];
      const record = { segment, index, input: this.#text };
      if (this.#granularity === "word") record.isWordLike = match("wordLike", segment, 0) !== null;
      return record;
    }
    containing(index = 0) {
      for (let at = 0; at < this.#text.length; ) {
        const record = this.#at(at);
        at += record.segment.length;
        if (index < at) return record;
      }
    }
    *[symbolIterator]() {
      for (let at = 0; at < this.#text.length; ) {
        const record = this.#at(at);
        at += record.segment.length;
        yield record;
      }
    }
  }
  class Segmenter {
    #granularity;
    constructor(locales, options) {
      intl.checkLocales(locales);
      this.#granularity = option(intl.options(options), "granularity", ["grapheme", "word", "sentence"], "grapheme", "Segmenter");
    }
    segment(text) { return new Segments("" + text, this.#granularity); }
    resolvedOptions() { return { locale: "en-US", granularity: this.#granularity }; }
  }
  intl.add("Segmenter", Segmenter);
})
