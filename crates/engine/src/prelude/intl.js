// Intl for one locale and one time zone: en-US and UTC. Whatever else is asked for is a RangeError that says so,
// never a silently wrong text. This file: options, locales and the Intl object; the formats are in intl_*.js.
(function (host, shared) {
  "use strict";
  const {
    list, toArray, isArray, TypeError, RangeError, regExpExec, construct, define, tag, expose, defineProperty,
    symbolToStringTag,
  } = shared.primordials;
  const LOCALE = "en-US";
  const wellFormed = /^(?:[a-z]{2,3}|[a-z]{5,8}|[ix])(?:-[a-z0-9]{1,8})*$/i;
  const accepted = /^(?:en(?:-latn)?(?:-us)?(?:-posix)?(?:-u-[a-z0-9-]+)?|default|und|root)$/i;

  // Throws unless one of the wanted locales is ours; no wish is fine.
  const checkLocales = (locales) => {
    if (locales === undefined) return;
    if (locales === null) throw new TypeError("Cannot convert undefined or null to object");
    const wanted = typeof locales === "string" || !isArray(locales) ? [locales] : locales;
    let ours = wanted.length === 0;
    for (let i = 0; i < wanted.length; i++) {
      let name = wanted[i];
      if (typeof name !== "string") {
        if (typeof name !== "object" || name === null) throw new TypeError("Language ID should be string or object.");
        name = "" + name;
      }
      if (regExpExec(wellFormed, name) === null) throw new RangeError("Incorrect locale information provided");
      if (regExpExec(accepted, name) !== null) ours = true;
    }
    if (!ours) throw new RangeError('locale "' + wanted[0] + '" is not available: only en-US exists here');
  };

  const intl = { __proto__: null };
  shared.intl = intl;
  intl.checkLocales = checkLocales;

  // The value of a string option, checked against the allowed ones.
  intl.option = (options, name, allowed, fallback, what) => {
    let value = options[name];
    if (value === undefined) return fallback;
    if (typeof value !== "boolean") value = "" + value;
    for (let i = 0; i < allowed.length; i++) if (allowed[i] === value) return value;
    throw new RangeError("Value " + value + " out of range for Intl." + what + " options property " + name);
  };
  intl.integer = (options, name, low, high, fallback) => {
    const value = options[name];
    if (value === undefined) return fallback;
    const number = +value;
    if (!(number >= low && number <= high)) throw new RangeError(name + " value is out of range.");
    return shared.primordials.MathFloor(number);
  };
  intl.options = (options) => {
    if (options === undefined) return { __proto__: null };
    if (options === null) throw new TypeError("Cannot convert undefined or null to object");
    return options;
  };
  intl.joinParts = (parts) => {
    let text = "";
    for (let i = 0; i < parts.length; i++) text += parts[i].value;
    return text;
  };
  intl.part = (parts, type, value) => {
    parts[parts.length] = { type, value };
  };

  const Intl = {};
  defineProperty(Intl, symbolToStringTag, { __proto__: null, value: "Intl", configurable: true });
  define(Intl, "getCanonicalLocales", { getCanonicalLocales(locales) {
    checkLocales(locales);
    return locales === undefined ? [] : [LOCALE];
  } }.getCanonicalLocales);
  define(Intl, "supportedValuesOf", { supportedValuesOf(key) {
    return key === "timeZone" ? ["UTC"] : key === "calendar" ? ["gregory"] : key === "numberingSystem" ? ["latn"] : [];
  } }.supportedValuesOf);

  // Adds a constructor to Intl; `callable` ones may be called without new, as the standard has it.
  intl.add = (name, Class, callable) => {
    let Constructor = Class;
    if (callable) {
      Constructor = function (locales, options) {
        return construct(Class, [locales, options], new.target || Constructor);
      };
      defineProperty(Constructor, "name", { __proto__: null, value: name, configurable: true });
      defineProperty(Constructor, "prototype", { __proto__: null, value: Class.prototype });
      define(Class.prototype, "constructor", Constructor);
    }
    tag(Constructor, "Intl." + name);
    define(Constructor, "supportedLocalesOf", { supportedLocalesOf(locales) {
      const found = list();
      const wanted = typeof locales === "string" ? [locales] : isArray(locales) ? locales : [];
      for (let i = 0; i < wanted.length; i++) if (regExpExec(accepted, "" + wanted[i]) !== null) found[found.length] = wanted[i];
      return toArray(found);
    } }.supportedLocalesOf);
    define(Intl, name, Constructor);
  };

  class DisplayNames {
    constructor() { throw new RangeError("Intl.DisplayNames is not available here"); }
  }
  intl.add("DisplayNames", DisplayNames);
  expose("Intl", Intl);
})
