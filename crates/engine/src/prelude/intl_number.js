// Intl.NumberFormat and the toLocaleString of numbers, en-US. Rounds the shortest decimal text of a number half
// away from zero (1.005 to two digits is 1.01), as ICU does and toFixed does not.
(function (host, shared) {
  "use strict";
  const {
    list, toArray, slice, indexOf, repeat, padEnd, startsWith, toUpperCase, charCodeAt, TypeError, RangeError,
    MathMax, MathMin, MathFloor, toExponential, regExpExec, Number, fromCharCode,
  } = shared.primordials;
  const { intl } = shared;
  const { option, integer, part } = intl;
  const NBSP = "\xa0";

  const zeroDecimals = "|BIF|CLP|DJF|GNF|ISK|JPY|KMF|KRW|PYG|RWF|UGX|UYI|VND|VUV|XAF|XOF|XPF|";
  const threeDecimals = "|BHD|IQD|JOD|KWD|LYD|OMR|TND|";
  const symbols = {
    __proto__: null, USD: "$", EUR: "€", GBP: "£", JPY: "¥", INR: "₹", CNY: "CN¥", KRW: "₩", BRL: "R$", CAD: "CA$", AUD: "A$",
    MXN: "MX$", NZD: "NZ$", HKD: "HK$", TWD: "NT$", ILS: "₪", VND: "₫", PHP: "₱",
  };
  // In the narrow form the country goes.
  const narrow = { __proto__: null, CNY: "¥", CAD: "$", AUD: "$", MXN: "$", NZD: "$", HKD: "$", TWD: "$", RUB: "₽", UAH: "₴", PLN: "zł", TRY: "₺", SEK: "kr", NOK: "kr", DKK: "kr", CZK: "Kč" };
  const names = {
    __proto__: null, USD: "US dollar", EUR: "euro", GBP: "British pound", JPY: "Japanese yen", INR: "Indian rupee", CNY: "Chinese yuan",
    CAD: "Canadian dollar", AUD: "Australian dollar", CHF: "Swiss franc", MXN: "Mexican peso", BRL: "Brazilian real",
    NZD: "New Zealand dollar", HKD: "Hong Kong dollar", SEK: "Swedish krona", KRW: "South Korean won", SGD: "Singapore dollar",
  };
  const invariantNames = "|JPY|CNY|KRW|";
  // short singular/plural (space included where there is one), narrow; the long name is the unit's own, plural "s".
  const units = {
    __proto__: null, bit: " bit| bit|bit", byte: " byte| byte|B", kilobit: " kb| kb|kb", kilobyte: " kB| kB|kB", megabit: " Mb| Mb|Mb",
    megabyte: " MB| MB|MB", gigabit: " Gb| Gb|Gb", gigabyte: " GB| GB|GB", terabyte: " TB| TB|TB", petabyte: " PB| PB|PB",
    meter: " m| m|m", kilometer: " km| km|km", centimeter: " cm| cm|cm", millimeter: " mm| mm|mm", mile: " mi| mi|mi",
    foot: " ft| ft|′", inch: " in| in|″", yard: " yd| yd|yd", kilogram: " kg| kg|kg", gram: " g| g|g", pound: " lb| lb|#",
    ounce: " oz| oz|oz", liter: " L| L|L", milliliter: " mL| mL|mL", celsius: "°C|°C|°C", fahrenheit: "°F|°F|°", degree: " deg| deg|°",
    percent: "%|%|%", millisecond: " ms| ms|ms", second: " sec| sec|s", minute: " min| min|m", hour: " hr| hr|h",
    day: " day| days|d", week: " wk| wks|w", month: " mth| mths|m", year: " yr| yrs|y", "kilometer-per-hour": " km/h| km/h|km/h",
    "mile-per-hour": " mph| mph|mph", "meter-per-second": " m/s| m/s|m/s",
  };
  const longPlurals = {
    __proto__: null, foot: "feet", inch: "inches", celsius: "degrees Celsius", fahrenheit: "degrees Fahrenheit", percent: "percent",
    "kilometer-per-hour": "kilometers per hour", "mile-per-hour": "miles per hour", "meter-per-second": "meters per second",
  };
  const longSingulars = {
    __proto__: null, celsius: "degree Celsius", fahrenheit: "degree Fahrenheit", "kilometer-per-hour": "kilometer per hour",
    "mile-per-hour": "mile per hour", "meter-per-second": "meter per second",
  };
  const compactShort = ["", "K", "M", "B", "T"];
  const compactLong = ["", " thousand", " million", " billion", " trillion"];

  // ---- decimals: { digits, point } is 0.digits × 10^point, without zeros at either end; zero has no digits.
  const decimalOf = (value) => {
    if (typeof value === "bigint") {
      const text = "" + value;
      return trimZeros(text, text.length);
    }
    const text = toExponential(value);
    const e = indexOf(text, "e");
    return trimZeros(text[0] + (text[1] === "." ? slice(text, 2, e) : ""), +slice(text, e + 1) + 1);
  };
  const trimZeros = (digits, point) => {
    let end = digits.length;
    while (end > 0 && digits[end - 1] === "0") end--;
    return { __proto__: null, digits: slice(digits, 0, end), point: end === 0 ? 0 : point };
  };
  // Keeps `count` digits; 0 and less ask whether the whole number rounds up to the last place.
  const roundTo = (decimal, count, mode, negative) => {
    const { digits, point } = decimal;
    if (count >= digits.length) return decimal;
    let up;
    if (startsWith(mode, "half")) {
      const next = count < 0 ? 0 : charCodeAt(digits, count) - 48;
      up = next >= 5;
      if (next === 5 && count + 1 === digits.length) {
        if (mode === "halfTrunc") up = false;
        else if (mode === "halfCeil") up = !negative;
        else if (mode === "halfFloor") up = negative;
        else if (mode === "halfEven") up = count > 0 && charCodeAt(digits, count - 1) % 2 === 1;
      }
    } else up = mode === "expand" || (mode === "ceil" && !negative) || (mode === "floor" && negative);
    const kept = count <= 0 ? "" : slice(digits, 0, count);
    if (!up) return trimZeros(kept, point);
    let last = kept.length - 1;
    while (last >= 0 && kept[last] === "9") last--;
    if (last < 0) return { __proto__: null, digits: "1", point: (count < 0 ? point - count : point) + 1 };
    return { __proto__: null, digits: slice(kept, 0, last) + fromCharCode(charCodeAt(kept, last) + 1), point };
  };
  // [integer digits, fraction digits], unpadded.
  const sides = ({ digits, point }) => {
    if (digits === "") return ["0", ""];
    if (point <= 0) return ["0", repeat("0", -point) + digits];
    if (digits.length <= point) return [padEnd(digits, point, "0"), ""];
    return [slice(digits, 0, point), slice(digits, point)];
  };

  const roundForOptions = (decimal, o, negative) => {
    if (o.maxSignificant !== undefined) {
      const significant = roundTo(decimal, o.maxSignificant, o.roundingMode, negative);
      if (!o.bothKinds) return significant;
      // Compact notation: whichever keeps more.
      const fraction = roundTo(decimal, decimal.point + o.maxFraction, o.roundingMode, negative);
      return decimal.point > o.maxSignificant ? fraction : significant;
    }
    return roundTo(decimal, decimal.point + o.maxFraction, o.roundingMode, negative);
  };

  // ---- options
  const resolve = (locales, given) => {
    intl.checkLocales(locales);
    const options = intl.options(given);
    const what = "NumberFormat";
    const o = { __proto__: null };
    o.style = option(options, "style", ["decimal", "percent", "currency", "unit"], "decimal", what);
    let currency = options.currency;
    if (currency !== undefined) {
      currency = "" + currency;
      if (regExpExec(/^[A-Za-z]{3}$/, currency) === null) throw new RangeError("Invalid currency code : " + currency);
      currency = toUpperCase(currency);
    }
    if (o.style === "currency" && currency === undefined) throw new TypeError("Currency code is required with currency style.");
    o.currencyDisplay = option(options, "currencyDisplay", ["code", "symbol", "narrowSymbol", "name"], "symbol", what);
    o.currencySign = option(options, "currencySign", ["standard", "accounting"], "standard", what);
    const unit = options.unit;
    if (o.style === "unit" && unit === undefined) throw new TypeError("Invalid unit argument for Intl.NumberFormat() ''");
    if (unit !== undefined && units["" + unit] === undefined)
      throw new RangeError("Invalid unit argument for Intl.NumberFormat() '" + unit + "'");
    o.unitDisplay = option(options, "unitDisplay", ["short", "narrow", "long"], "short", what);
    if (o.style === "currency") o.currency = currency;
    if (o.style === "unit") o.unit = "" + unit;
    o.notation = option(options, "notation", ["standard", "scientific", "engineering", "compact"], "standard", what);
    o.compactDisplay = option(options, "compactDisplay", ["short", "long"], "short", what);
    resolveDigits(o, options);
    o.roundingMode = option(options, "roundingMode", ["ceil", "floor", "expand", "trunc", "halfCeil", "halfFloor", "halfExpand", "halfTrunc", "halfEven"], "halfExpand", what);
    o.trailingZeroDisplay = option(options, "trailingZeroDisplay", ["auto", "stripIfInteger"], "auto", what);
    o.signDisplay = option(options, "signDisplay", ["auto", "never", "always", "exceptZero", "negative"], "auto", what);
    const grouping = options.useGrouping;
    o.useGrouping = grouping === undefined ? (o.notation === "compact" ? "min2" : "auto")
      : grouping === true || grouping === "true" || grouping === "always" ? "always"
      : grouping === false || grouping === "false" || grouping === null || grouping === "" ? false
      : option(options, "useGrouping", ["auto", "always", "min2"], "auto", what);
    return o;
  };

  const resolveDigits = (o, options) => {
    const decimals = o.currency === undefined ? 2 : indexOf(zeroDecimals, o.currency) >= 0 ? 0 : indexOf(threeDecimals, o.currency) >= 0 ? 3 : 2;
    const money = o.style === "currency";
    const fallbackMin = money ? decimals : 0;
    const fallbackMax = money ? decimals : o.style === "percent" ? 0 : 3;
    o.minInteger = integer(options, "minimumIntegerDigits", 1, 21, 1);
    const minFraction = integer(options, "minimumFractionDigits", 0, 100);
    const maxFraction = integer(options, "maximumFractionDigits", 0, 100);
    if (options.minimumSignificantDigits !== undefined || options.maximumSignificantDigits !== undefined) {
      o.minSignificant = integer(options, "minimumSignificantDigits", 1, 21, 1);
      o.maxSignificant = integer(options, "maximumSignificantDigits", o.minSignificant, 21, 21);
      o.minFraction = o.maxFraction = 0;
      return;
    }
    if (minFraction === undefined && maxFraction === undefined && o.notation === "compact") {
      o.minFraction = o.maxFraction = 0;
      o.minSignificant = 1;
      o.maxSignificant = 2;
      o.bothKinds = true;
      return;
    }
    o.minFraction = minFraction === undefined ? MathMin(fallbackMin, maxFraction === undefined ? fallbackMin : maxFraction) : minFraction;
    o.maxFraction = maxFraction === undefined ? MathMax(fallbackMax, o.minFraction) : maxFraction;
    if (o.minFraction > o.maxFraction) throw new RangeError("maximumFractionDigits value is out of range.");
  };

  // ---- formatting
  const numeric = (value) => {
    if (typeof value === "bigint") return value;
    if (typeof value === "object" && value !== null && host.classOf(value) === 12) value = shared.unbox(value);
    return typeof value === "bigint" ? value : Number(value);
  };

  const toParts = (o, given) => {
    let value = numeric(given);
    const parts = list();
    let negative = value < 0 || (value === 0 && 1 / Number(value) < 0);
    if (value < 0) value = -value;
    const number = list();
    let isZero = false;
    let shown = ""; // the digits, for plural forms
    let suffix = "";
    if (typeof value === "number" && !(value - value === 0)) {
      part(number, value === value ? "infinity" : "nan", value === value ? "∞" : "NaN");
      if (value !== value) negative = false;
    } else {
      let decimal = decimalOf(value);
      if (o.style === "percent" && decimal.digits !== "") decimal = { __proto__: null, digits: decimal.digits, point: decimal.point + 2 };
      let exponent = 0;
      const step = o.notation === "scientific" ? 1 : 3;
      if (o.notation !== "standard") {
        exponent = exponentFor(decimal, step, o);
        let scaled = scale(decimal, exponent);
        const rounded = roundForOptions(scaled, o, negative);
        // 999,999 rounds up into the next power.
        const again = exponentFor({ __proto__: null, digits: rounded.digits, point: rounded.point + exponent }, step, o);
        if (again !== exponent) {
          exponent = again;
          scaled = scale(decimal, exponent);
        }
        decimal = scaled;
      }
      const rounded = roundForOptions(decimal, o, negative);
      isZero = rounded.digits === "";
      shown = digitParts(number, rounded, o);
      if (o.notation === "compact" && exponent > 0) {
        suffix = (o.compactDisplay === "long" && o.style !== "currency" ? compactLong : compactShort)[exponent / 3];
        if (suffix[0] === " ") part(number, "literal", " ");
        part(number, "compact", suffix[0] === " " ? slice(suffix, 1) : suffix);
      } else if (o.notation === "scientific" || o.notation === "engineering") {
        part(number, "exponentSeparator", "E");
        if (exponent < 0) part(number, "exponentMinusSign", "-");
        part(number, "exponentInteger", "" + (exponent < 0 ? -exponent : exponent));
      }
    }
    wrap(parts, number, o, signOf(o.signDisplay, negative, isZero, value), shown + suffix);
    return parts;
  };

  const scale = ({ digits, point }, exponent) => ({ __proto__: null, digits, point: digits === "" ? 0 : point - exponent });
  const exponentFor = ({ digits, point }, step, o) => {
    if (digits === "") return 0;
    const exponent = MathFloor((point - 1) / step) * step;
    return o.notation === "compact" ? MathMax(0, MathMin(12, exponent)) : exponent;
  };
  const signOf = (display, negative, isZero, value) => {
    switch (display) {
      case "never":
        return "";
      case "always":
        return negative ? "-" : "+";
      case "exceptZero":
        return isZero || value !== value ? "" : negative ? "-" : "+";
      case "negative":
        return negative && !isZero ? "-" : "";
      default:
        return negative ? "-" : "";
    }
  };

  const digitParts = (number, rounded, o) => {
    const both = sides(rounded);
    let whole = both[0];
    let fraction = both[1];
    while (whole.length < o.minInteger) whole = "0" + whole;
    let minFraction = o.minFraction;
    if (o.minSignificant !== undefined) {
      const used = rounded.digits === "" ? 1 : rounded.point;
      minFraction = MathMax(o.minFraction, o.minSignificant - used);
    }
    if (fraction.length < minFraction) fraction = padEnd(fraction, minFraction, "0");
    if (o.trailingZeroDisplay === "stripIfInteger" && both[1] === "") fraction = "";
    const grouped = o.useGrouping !== false && whole.length > (o.useGrouping === "min2" ? 4 : 3);
    if (!grouped) part(number, "integer", whole);
    else
      for (let start = 0; start < whole.length; ) {
        const end = start === 0 ? whole.length % 3 || 3 : start + 3;
        if (start > 0) part(number, "group", ",");
        part(number, "integer", slice(whole, start, end));
        start = end;
      }
    if (fraction !== "") {
      part(number, "decimal", ".");
      part(number, "fraction", fraction);
    }
    return fraction === "" ? whole : whole + "." + fraction;
  };

  // Sign, currency, unit and percent around the digits.
  const wrap = (parts, number, o, sign, shown) => {
    const signType = sign === "-" ? "minusSign" : "plusSign";
    const accounting = sign === "-" && o.style === "currency" && o.currencySign === "accounting" && o.currencyDisplay !== "name";
    if (accounting) part(parts, "literal", "(");
    else if (sign !== "") part(parts, signType, sign);
    if (o.style === "currency" && o.currencyDisplay !== "name") {
      const code = o.currency;
      const symbol = o.currencyDisplay === "code" ? code
        : (o.currencyDisplay === "narrowSymbol" && narrow[code]) || symbols[code] || code;
      part(parts, "currency", symbol);
      if (regExpExec(/[A-Za-z]$/, symbol) !== null) part(parts, "literal", NBSP);
    }
    for (let i = 0; i < number.length; i++) parts[parts.length] = number[i];
    if (o.style === "percent") part(parts, "percentSign", "%");
    if (o.style === "currency" && o.currencyDisplay === "name") {
      const name = names[o.currency];
      part(parts, "literal", " ");
      part(parts, "currency", name === undefined ? o.currency : shown === "1" || indexOf(invariantNames, o.currency) >= 0 ? name : name + "s");
    }
    if (o.style === "unit") unitParts(parts, o, shown === "1");
    if (accounting) part(parts, "literal", ")");
  };
  const unitParts = (parts, o, one) => {
    const { unit } = o;
    let text;
    if (o.unitDisplay === "long") {
      text = " " + (one ? longSingulars[unit] || unit : longPlurals[unit] || unit + "s");
    } else {
      const table = units[unit];
      const first = indexOf(table, "|");
      const second = indexOf(table, "|", first + 1);
      text = o.unitDisplay === "narrow" ? slice(table, second + 1) : one ? slice(table, 0, first) : slice(table, first + 1, second);
    }
    if (text[0] === " ") {
      part(parts, "literal", " ");
      text = slice(text, 1);
    }
    part(parts, unit === "percent" && o.unitDisplay !== "long" ? "percentSign" : "unit", text);
  };

  class NumberFormat {
    #options;
    #bound;
    constructor(locales, options) { this.#options = resolve(locales, options); }
    get format() {
      if (this.#bound === undefined) this.#bound = (value) => intl.joinParts(toParts(this.#options, value));
      return this.#bound;
    }
    formatToParts(value) { return toArray(toParts(this.#options, value)); }
    formatRange(start, end) {
      const from = this.format(start);
      const to = this.format(end);
      return from === to ? "~" + from : from + "–" + to;
    }
    resolvedOptions() {
      const o = this.#options;
      const resolved = { locale: "en-US", numberingSystem: "latn", style: o.style };
      if (o.currency !== undefined) {
        resolved.currency = o.currency;
        resolved.currencyDisplay = o.currencyDisplay;
        resolved.currencySign = o.currencySign;
      }
      if (o.unit !== undefined) {
        resolved.unit = o.unit;
        resolved.unitDisplay = o.unitDisplay;
      }
      resolved.minimumIntegerDigits = o.minInteger;
      if (o.maxSignificant === undefined || o.bothKinds) {
        resolved.minimumFractionDigits = o.minFraction;
        resolved.maximumFractionDigits = o.maxFraction;
      }
      if (o.maxSignificant !== undefined) {
        resolved.minimumSignificantDigits = o.minSignificant;
        resolved.maximumSignificantDigits = o.maxSignificant;
      }
      resolved.useGrouping = o.useGrouping;
      resolved.notation = o.notation;
      if (o.notation === "compact") resolved.compactDisplay = o.compactDisplay;
      resolved.signDisplay = o.signDisplay;
      resolved.roundingMode = o.roundingMode;
      resolved.roundingIncrement = 1;
      resolved.trailingZeroDisplay = o.trailingZeroDisplay;
      resolved.roundingPriority = o.bothKinds ? "morePrecision" : "auto";
      return resolved;
    }
  }
  intl.add("NumberFormat", NumberFormat, true);

  intl.formatNumber = (value, locales, options) => intl.joinParts(toParts(resolve(locales, options), value));
})
