// The locale-aware methods of the built-in prototypes. The formats themselves are in intl*.js and come when needed.
(function (host, shared) {
  "use strict";
  const {
    numberValueOf, bigintValueOf, dateGetTime, define, uncurry, toLowerCase, toUpperCase, TypeError, defineProperty,
    Number, BigInt, Array, Date, String,
  } = shared.primordials;
  const intl = () => {
    shared.need("intl");
    return shared.intl;
  };
  // Methods, so that they are no constructors; their standard length is given where it is not the one of the code.
  const add = (prototype, methods, length) => {
    for (const name in methods) {
      if (length !== undefined) defineProperty(methods[name], "length", { __proto__: null, value: length, configurable: true });
      define(prototype, name, methods[name]);
    }
  };

  add(Number.prototype, { __proto__: null, toLocaleString(locales, options) {
    return intl().formatNumber(numberValueOf(this), locales, options);
  } }, 0);
  add(BigInt.prototype, { __proto__: null, toLocaleString(locales, options) {
    return intl().formatNumber(bigintValueOf(this), locales, options);
  } }, 0);
  add(Array.prototype, { __proto__: null, toLocaleString(locales, options) {
    let text = "";
    for (let i = 0; i < this.length; i++) {
      if (i > 0) text += ",";
      if (this[i] !== null && this[i] !== undefined) text += this[i].toLocaleString(locales, options);
    }
    return text;
  } }, 0);
  add(Date.prototype, {
    __proto__: null,
    toLocaleString(locales, options) { return intl().formatDate(dateGetTime(this), locales, options, "any", "all"); },
    toLocaleDateString(locales, options) { return intl().formatDate(dateGetTime(this), locales, options, "date", "date"); },
    toLocaleTimeString(locales, options) { return intl().formatDate(dateGetTime(this), locales, options, "time", "time"); },
  }, 0);
  add(String.prototype, {
    __proto__: null,
    localeCompare(that, locales, options) {
      if (this === undefined || this === null) throw new TypeError("String.prototype.localeCompare called on null or undefined");
      return intl().compareText("" + this, "" + that, locales, options);
    },
  }, 1);
  add(String.prototype, {
    __proto__: null,
    toLocaleLowerCase(locales) {
      if (locales !== undefined) intl().checkLocales(locales);
      return toLowerCase(this);
    },
    toLocaleUpperCase(locales) {
      if (locales !== undefined) intl().checkLocales(locales);
      return toUpperCase(this);
    },
  }, 0);

  // The VM leaves out the zone's name, which programs have been seen to match.
  const zoned = (native) => (date) => {
    const text = native(date);
    return text === "Invalid Date" ? text : text + " (Coordinated Universal Time)";
  };
  const toText = zoned(uncurry(Date.prototype.toString));
  const toTimeText = zoned(uncurry(Date.prototype.toTimeString));
  add(Date.prototype, { __proto__: null, toString() { return toText(this); }, toTimeString() { return toTimeText(this); } });
})
