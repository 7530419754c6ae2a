// Intl for words, en-US: Collator (with localeCompare), PluralRules, ListFormat, RelativeTimeFormat, Segmenter.
(function (host, shared) {
  "use strict";
  const {
    Map, mapGet, mapSet, mapSize, fromCharCode, list, toArray, slice, indexOf, toLowerCase, normalize, TypeError,
    RangeError, RegExp, regExpExec, endsWith, isArray, symbolIterator, apply, Number, MathAbs,
  } = shared.primordials;
  const { intl } = shared;
  const { option, part } = intl;

  // ---- collation: three levels, letters before accents before case, in the order of the root collation.
  const ORDER = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz";
  // By character: its primary weight as one character; "" for what is ignored. Other scripts weigh as themselves.
  const weights = { __proto__: null };
  for (let i = 0; i < 128; i++) weights[fromCharCode(i)] = "";
  for (let i = 0; i < ORDER.length; i++) weights[ORDER[i]] = fromCharCode(i + 1);
  for (let i = 65; i <= 90; i++) weights[fromCharCode(i)] = weights[fromCharCode(i + 32)];
  const DIGITS = weights["0"];
  const LAST_PUNCTUATION = weights["$"];
  const isMark = (unit) => unit >= "\u0300" && unit <= "\u036f";
  const folds = { __proto__: null, æ: "ae", Æ: "AE", ß: "ss", œ: "oe", Œ: "OE", ø: "o\u0338", Ø: "O\u0338", đ: "d\u0335", ł: "l\u0335", Ł: "L\u0335", þ: "th" };
  const expand = (text) => {
    let result = "";
    for (let i = 0; i < text.length; i++) result += folds[text[i]] || text[i];
    return normalize(result, "NFKD");
  };
  const isDigit = (unit) => unit >= "0" && unit <= "9";

  // Texts compare on the first level as their keys do. Sorting asks for the same keys over and over: they are kept.
  const MAX_KEYS = 8192;
  const keyOf = (text, o) => {
    let key = mapGet(o.keys, text);
    if (key !== undefined) return key;
    key = makeKey(toLowerCase(text), o);
    if (key === undefined) key = makeKey(toLowerCase(expand(text)), o, true);
    if (mapSize(o.keys) >= MAX_KEYS) o.keys = new Map();
    mapSet(o.keys, text, key);
    return key;
  };
  // undefined when the text needs to be expanded first.
  const makeKey = (text, o, expanded) => {
    let key = "";
    for (let i = 0; i < text.length; i++) {
      const unit = text[i];
      const weight = weights[unit];
      if (weight === undefined) {
        if (!expanded) return;
        if (!isMark(unit)) key += unit;
      } else if (o.numeric && isDigit(unit)) {
        let start = i;
        while (i + 1 < text.length && isDigit(text[i + 1])) i++;
        while (start < i && text[start] === "0") start++;
        // Longer numbers are larger.
        key += DIGITS + fromCharCode(i - start + 1) + slice(text, start, i + 1);
      } else if (!o.ignorePunctuation || weight > LAST_PUNCTUATION) key += weight;
    }
    return key;
  };

  const compare = (left, right, o) => {
    if (left === right) return 0;
    const a = keyOf(left, o);
    const b = keyOf(right, o);
    if (a !== b) return a < b ? -1 : 1;
    return o.sensitivity === "base" ? 0 : compareDetails(expand(left), expand(right), o);
  };
  // Accents and case of texts that are equal on the first level.
  const compareDetails = (a, b, o) => {
    let accent = 0;
    let caseOrder = 0;
    for (let i = 0, j = 0; i < a.length || j < b.length; ) {
      let marksA = "";
      let marksB = "";
      for (; i < a.length && isSkipped(a[i], o); i++) if (isMark(a[i])) marksA += a[i];
      for (; j < b.length && isSkipped(b[j], o); j++) if (isMark(b[j])) marksB += b[j];
      if (accent === 0 && marksA !== marksB) accent = marksA < marksB ? -1 : 1;
      if (i < a.length && j < b.length && a[i] !== b[j] && caseOrder === 0 && !isDigit(a[i]) && !isDigit(b[j]))
        caseOrder = b[j] !== toLowerCase(b[j]) ? -1 : 1;
      i++;
      j++;
    }
    if (accent !== 0 && o.sensitivity !== "case") return accent;
    if (caseOrder !== 0 && o.sensitivity !== "accent") return o.caseFirst === "upper" ? -caseOrder : caseOrder;
    return 0;
  };
  const isSkipped = (unit, o) => {
    const weight = weights[unit];
    return weight === undefined ? isMark(unit) : weight === "" || (o.ignorePunctuation && weight <= LAST_PUNCTUATION);
  };

  const collation = (locales, given) => {
    intl.checkLocales(locales);
    const options = intl.options(given);
    const what = "Collator";
    return {
      __proto__: null,
      keys: new Map(),
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
