// Intl.DateTimeFormat and the toLocale*String of dates, en-US in UTC.
(function (host, shared) {
  "use strict";
  const {
    list, toArray, slice, indexOf, padStart, toLowerCase, TypeError, RangeError, dateGetTime, dateNow, MathFloor,
    MathTrunc, Number,
  } = shared.primordials;
  const { intl } = shared;
  const { option, integer, part } = intl;
  const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
  const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
  const WHAT = "DateTimeFormat";
  const UTC_NAMES = "|utc|gmt|etc/utc|etc/gmt|etc/uct|uct|zulu|etc/zulu|universal|etc/universal|greenwich|etc/greenwich|gmt0|etc/gmt0|+00:00|";
  const styles = {
    __proto__: null, full: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
    long: { year: "numeric", month: "long", day: "numeric" }, medium: { year: "numeric", month: "short", day: "numeric" },
    short: { year: "2-digit", month: "numeric", day: "numeric" },
  };
  const dateFields = ["weekday", "era", "year", "month", "day"];

  // `needed` and `fallback` are "date", "time" or "any"/"all", as in the standard's ToDateTimeOptions.
  const resolve = (locales, given, needed, fallback) => {
    intl.checkLocales(locales);
    const options = intl.options(given);
    const o = { __proto__: null };
    let zone = options.timeZone;
    if (zone !== undefined) {
      zone = "" + zone;
      if (indexOf(UTC_NAMES, "|" + toLowerCase(zone) + "|") < 0)
        throw new RangeError('time zone "' + zone + '" is not available: only UTC exists here');
    }
    const calendar = options.calendar;
    if (calendar !== undefined && calendar !== "gregory" && calendar !== "iso8601")
      throw new RangeError('calendar "' + calendar + '" is not available: only gregory exists here');
    o.dateStyle = option(options, "dateStyle", ["full", "long", "medium", "short"], undefined, WHAT);
    o.timeStyle = option(options, "timeStyle", ["full", "long", "medium", "short"], undefined, WHAT);
    const text = ["narrow", "short", "long"];
    const digits = ["numeric", "2-digit"];
    o.weekday = option(options, "weekday", text, undefined, WHAT);
    o.era = option(options, "era", text, undefined, WHAT);
    o.year = option(options, "year", digits, undefined, WHAT);
    o.month = option(options, "month", ["numeric", "2-digit", "narrow", "short", "long"], undefined, WHAT);
    o.day = option(options, "day", digits, undefined, WHAT);
    o.dayPeriod = option(options, "dayPeriod", text, undefined, WHAT);
    o.hour = option(options, "hour", digits, undefined, WHAT);
    o.minute = option(options, "minute", digits, undefined, WHAT);
    o.second = option(options, "second", digits, undefined, WHAT);
    o.fraction = integer(options, "fractionalSecondDigits", 1, 3);
    o.zoneName = option(options, "timeZoneName", ["short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"], undefined, WHAT);
    const hourCycle = option(options, "hourCycle", ["h11", "h12", "h23", "h24"], undefined, WHAT);
    const hour12 = options.hour12;
    o.cycle = hour12 === undefined ? hourCycle || "h12" : hour12 ? "h12" : "h24";

    const anyDate = o.weekday !== undefined || o.year !== undefined || o.month !== undefined || o.day !== undefined;
    const anyTime = o.dayPeriod !== undefined || o.hour !== undefined || o.minute !== undefined || o.second !== undefined || o.fraction !== undefined;
    if (o.dateStyle !== undefined || o.timeStyle !== undefined) return applyStyles(o, anyDate || anyTime, needed);
    const has = (needed !== "time" && anyDate) || (needed !== "date" && anyTime);
    if (!has) {
      if (fallback !== "time") o.year = o.month = o.day = "numeric";
      if (fallback !== "date") o.hour = o.minute = o.second = "numeric";
    }
    return o;
  };

  const applyStyles = (o, mixed, needed) => {
    if (mixed || o.zoneName !== undefined) {
      const names = ["weekday", "era", "year", "month", "day", "dayPeriod", "hour", "minute", "second"];
      for (let i = 0; i < names.length; i++)
        if (o[names[i]] !== undefined)
          throw new TypeError("Can't set option " + names[i] + " when " + (o.dateStyle ? "dateStyle" : "timeStyle") + " is used");
    }
    if (needed === "date" && o.timeStyle !== undefined) throw new TypeError("Invalid option : timeStyle");
    if (needed === "time" && o.dateStyle !== undefined) throw new TypeError("Invalid option : dateStyle");
    if (o.dateStyle !== undefined) {
      const style = styles[o.dateStyle];
      for (let i = 0; i < dateFields.length; i++) o[dateFields[i]] = style[dateFields[i]];
    }
    if (o.timeStyle !== undefined) {
      o.hour = "numeric";
      o.minute = "2-digit";
      if (o.timeStyle !== "short") o.second = "2-digit";
      if (o.timeStyle === "full") o.zoneName = "long";
      if (o.timeStyle === "long") o.zoneName = "short";
    }
    return o;
  };

  // Calendar fields in UTC (proleptic Gregorian, days counted from 0000-03-01), without touching Date.prototype.
  const fieldsOf = (time) => {
    const days = MathFloor(time / 864e5);
    const ms = time - days * 864e5;
    const shifted = days + 719468;
    const era = MathFloor(shifted / 146097);
    const ofEra = shifted - era * 146097;
    const yearOfEra = MathFloor((ofEra - MathFloor(ofEra / 1460) + MathFloor(ofEra / 36524) - MathFloor(ofEra / 146096)) / 365);
    const ofYear = ofEra - (365 * yearOfEra + MathFloor(yearOfEra / 4) - MathFloor(yearOfEra / 100));
    const shiftedMonth = MathFloor((5 * ofYear + 2) / 153);
    const month = (shiftedMonth + 2) % 12;
    return {
      __proto__: null, year: yearOfEra + era * 400 + (month < 2 ? 1 : 0), month,
      day: ofYear - MathFloor((153 * shiftedMonth + 2) / 5) + 1, weekday: (((days + 4) % 7) + 7) % 7,
      hours: MathFloor(ms / 36e5), minutes: MathFloor(ms / 6e4) % 60, seconds: MathFloor(ms / 1000) % 60, milliseconds: ms % 1000,
    };
  };

  const named = (names, index, style) => {
    const name = names[index];
    return style === "long" ? name : slice(name, 0, style === "narrow" ? 1 : 3);
  };
  const number = (value, style) => (style === "2-digit" ? padStart("" + (value % 100), 2, "0") : "" + value);

  const toParts = (o, time) => {
    if (!(time - time === 0) || time > 864e13 || time < -864e13) throw new RangeError("Invalid time value");
    const date = fieldsOf(MathTrunc(time));
    const parts = list();
    dateParts(parts, o, date);
    const anyDate = parts.length > 0;
    const clock = list();
    timeParts(clock, o, date);
    if (clock.length > 0 && anyDate) {
      const wordy = o.month === "long" && o.dateStyle !== "medium";
      // "Friday 3:04 PM", but "Friday, 04:05".
      const short = o.year === undefined && o.month === undefined && o.day === undefined && o.hour !== undefined && o.zoneName === undefined &&
        o.fraction === undefined && (o.minute !== undefined || (o.second === undefined && o.cycle === "h12"));
      part(parts, "literal", wordy ? " at " : short ? " " : ", ");
    }
    for (let i = 0; i < clock.length; i++) parts[parts.length] = clock[i];
    if (o.zoneName !== undefined) {
      if (parts.length > 0) part(parts, "literal", clock.length > 0 ? " " : ", ");
      part(parts, "timeZoneName", zoneText(o.zoneName));
    }
    return parts;
  };
  const zoneText = (style) =>
    style === "long" ? "Coordinated Universal Time" : style === "short" ? "UTC" : "GMT";

  const dateParts = (parts, o, date) => {
    const textual = o.month === "long" || o.month === "short" || o.month === "narrow";
    const dayName = o.weekday === undefined ? undefined : named(DAYS, date.weekday, o.weekday);
    const add = (type, value, separator) => {
      if (parts.length > 0) part(parts, "literal", separator);
      part(parts, type, value);
    };
    let shownYear = date.year;
    if (o.era !== undefined && shownYear <= 0) shownYear = 1 - shownYear;
    // "Fri, Jan 5", but "5 Fri" and "Jan Fri".
    const leading = dayName !== undefined && o.month !== undefined && o.day !== undefined;
    if (leading) add("weekday", dayName);
    if (o.month !== undefined)
      add("month", textual ? named(MONTHS, date.month, o.month) : number(date.month + 1, o.month), ", ");
    if (o.day !== undefined && (o.month !== undefined || o.year === undefined))
      add("day", number(date.day, o.day), textual ? " " : "/");
    if (o.year !== undefined)
      add("year", number(shownYear, o.year), textual ? (o.day !== undefined ? ", " : " ") : o.month === undefined ? " " : "/");
    if (o.day !== undefined && o.month === undefined && o.year !== undefined) {
      part(parts, "literal", " (day: ");
      part(parts, "day", number(date.day, o.day));
      part(parts, "literal", ")");
    }
    if (o.era !== undefined) {
      if (o.year === undefined && o.month === undefined && o.day === undefined && dayName === undefined) return;
      const after = date.year > 0;
      add("era", o.era === "long" ? (after ? "Anno Domini" : "Before Christ") : o.era === "narrow" ? (after ? "A" : "B") : after ? "AD" : "BC", " ");
    }
    if (dayName !== undefined && !leading) add("weekday", dayName, " ");
  };

  const timeParts = (parts, o, date) => {
    const twelve = o.cycle === "h12" || o.cycle === "h11";
    const add = (type, value, separator) => {
      if (parts.length > 0) part(parts, "literal", separator);
      part(parts, type, value);
    };
    if (o.hour !== undefined) {
      const value = date.hours;
      const shown = twelve ? (o.cycle === "h12" ? value % 12 || 12 : value % 12) : o.cycle === "h24" && value === 0 ? 24 : value;
      add("hour", o.hour === "2-digit" || !twelve ? padStart("" + shown, 2, "0") : "" + shown);
    }
    if (o.minute !== undefined) {
      const both = o.hour !== undefined || o.second !== undefined;
      add("minute", both ? padStart("" + date.minutes, 2, "0") : "" + date.minutes, ":");
    }
    if (o.second !== undefined)
      add("second", o.minute !== undefined ? padStart("" + date.seconds, 2, "0") : "" + date.seconds, ":");
    if (o.fraction !== undefined) {
      const digits = slice(padStart("" + date.milliseconds, 3, "0"), 0, o.fraction);
      add("fractionalSecond", digits, ".");
    }
    if (o.hour !== undefined && twelve) {
      part(parts, "literal", " ");
      part(parts, "dayPeriod", date.hours < 12 ? "AM" : "PM");
    }
  };

  const timeOf = (value) => (value === undefined ? dateNow() : typeof value === "object" && value !== null && host.classOf(value) === 4 ? dateGetTime(value) : Number(value));

  class DateTimeFormat {
    #options;
    #bound;
    constructor(locales, options) { this.#options = resolve(locales, options, "any", "date"); }
    get format() {
      if (this.#bound === undefined) this.#bound = (value) => intl.joinParts(toParts(this.#options, timeOf(value)));
      return this.#bound;
    }
    formatToParts(value) { return toArray(toParts(this.#options, timeOf(value))); }
    formatRange(start, end) {
      if (start === undefined || end === undefined) throw new TypeError("startDate or endDate cannot be undefined");
      const from = this.format(start);
      const to = this.format(end);
      return from === to ? from : from + " – " + to;
    }
    resolvedOptions() {
      const o = this.#options;
      const resolved = { locale: "en-US", calendar: "gregory", numberingSystem: "latn", timeZone: "UTC" };
      if (o.hour !== undefined) {
        resolved.hourCycle = o.cycle;
        resolved.hour12 = o.cycle === "h12" || o.cycle === "h11";
      }
      const styled = o.dateStyle !== undefined || o.timeStyle !== undefined;
      const names = ["weekday", "era", "year", "month", "day", "dayPeriod", "hour", "minute", "second"];
      for (let i = 0; i < names.length && !styled; i++) {
        const name = names[i];
        if (o[name] !== undefined)
          resolved[name] = name === "minute" || name === "second" ? (o.hour !== undefined || o.minute !== undefined ? "2-digit" : o[name]) : o[name];
      }
      if (o.fraction !== undefined) resolved.fractionalSecondDigits = o.fraction;
      if (o.zoneName !== undefined && !styled) resolved.timeZoneName = o.zoneName;
      if (o.dateStyle !== undefined) resolved.dateStyle = o.dateStyle;
      if (o.timeStyle !== undefined) resolved.timeStyle = o.timeStyle;
      return resolved;
    }
  }
  intl.add("DateTimeFormat", DateTimeFormat, true);

  intl.formatDate = (time, locales, options, needed, fallback) =>
    time === time ? intl.joinParts(toParts(resolve(locales, options, needed, fallback), time)) : "Invalid Date";
})
