//# numbers with grouping
return [(1234567.891).toLocaleString("en"), (1234567.891).toLocaleString("en-US", { maximumFractionDigits: 0 }), (0.5).toLocaleString("en-US", { minimumFractionDigits: 2 }), (1e9).toLocaleString("en-US"), (-1234.5).toLocaleString("en-US", {}), NaN.toLocaleString("en-US"), (12345n).toLocaleString("en-US")];
//# money
const usd = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
return [usd.format(1234.5), usd.format(-0.005), usd.format(0), usd.format(1e6), [1, 2.345].map(usd.format), (99.9).toLocaleString("en-US", { style: "currency", currency: "EUR" }), (1234).toLocaleString("en-US", { style: "currency", currency: "JPY" })];
//# money without cents
const f = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
return [1234.49, 1234.5, 0.4, -3.7].map((n) => f.format(n));
//# percent
const f = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });
return [0.1234, 1, 2.5, 0.00049, -0.5].map((n) => f.format(n));
//# compact
const f = new Intl.NumberFormat("en-US", { notation: "compact" });
return [0, 5, 999, 1000, 1250, 15500, 99950, 999499, 999500, 1234567, 9.99e9, 1.5e12].map((n) => f.format(n));
//# compact with digits
const f = (o) => [950, 1234, 56789, 1234567].map((n) => n.toLocaleString("en-US", { notation: "compact", ...o }));
return [f({ maximumFractionDigits: 2 }), f({ compactDisplay: "long" }), f({ style: "currency", currency: "USD" }), f({ minimumFractionDigits: 1, maximumFractionDigits: 1 })];
//# significant digits and padding
return [(123456).toLocaleString("en-US", { maximumSignificantDigits: 2 }), (0.0012345).toLocaleString("en-US", { maximumSignificantDigits: 2 }), (5).toLocaleString("en-US", { minimumIntegerDigits: 3, useGrouping: false }), (1.5).toLocaleString("en-US", { minimumSignificantDigits: 5 }), (99.99).toLocaleString("en-US", { maximumSignificantDigits: 3 })];
//# rounding goes away from zero on ties
return [0.5, 1.5, 2.5, -0.5, 1.005, 1.015, 10.235].map((n) => [n.toLocaleString("en-US", { maximumFractionDigits: 0 }), n.toLocaleString("en-US", { maximumFractionDigits: 2 })]);
//# tiny and huge
return [1e-7, 1.5e-10, 1e21, 123456789012345680000, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE].map((n) => [n.toLocaleString(["en-US"]), n.toLocaleString("en-US", { maximumFractionDigits: 20 })]);
//# signs
return ["auto", "always", "never", "exceptZero", "negative"].map((signDisplay) => [1, -1, 0, -0, NaN].map((n) => new Intl.NumberFormat("en-US", { signDisplay }).format(n)));
//# units
const u = (n, unit, unitDisplay) => new Intl.NumberFormat("en-US", { style: "unit", unit, unitDisplay }).format(n);
return [u(5, "kilometer"), u(1, "hour", "long"), u(3, "hour", "long"), u(20, "celsius"), u(16, "gigabyte"), u(2, "day", "long"), u(60, "mile-per-hour"), u(1.5, "liter", "long"), u(8, "percent")];
//# parts of a number
return new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).formatToParts(-1234567.5);
//# date styles
const d = new Date("2024-07-04T16:05:06Z");
const f = (o) => new Intl.DateTimeFormat("en-US", { timeZone: "UTC", ...o }).format(d);
return [f({}), f({ dateStyle: "medium" }), f({ month: "long", year: "numeric" }), f({ weekday: "short", month: "short", day: "numeric" }), f({ hour: "numeric", minute: "2-digit" }), f({ year: "numeric", month: "2-digit", day: "2-digit" }), f({ month: "short", day: "numeric", hour: "numeric" }), f({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }), f({ timeStyle: "long" }), f({ year: "2-digit", month: "numeric", day: "numeric" })];
//# weekday and month names
const days = Array.from({ length: 7 }, (_, i) => new Date(Date.UTC(2024, 0, 7 + i)).toLocaleDateString("en-US", { weekday: "short" }));
const months = Array.from({ length: 12 }, (_, i) => new Intl.DateTimeFormat("en-US", { month: "long" }).format(new Date(Date.UTC(2024, i, 5))));
return [days, months];
//# twelve-hour clock
return [0, 1, 11, 12, 13, 23].map((h) => new Date(Date.UTC(2024, 0, 1, h, 5)).toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit", hour12: true }));
//# plurals and ordinals
const pr = new Intl.PluralRules("en-US", { type: "ordinal" });
const suffix = { one: "st", two: "nd", few: "rd", other: "th" };
const c = new Intl.PluralRules("en-US");
return [[1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111].map((n) => n + suffix[pr.select(n)]), [0, 1, 1.5, 2].map((n) => c.select(n))];
//# lists
const l = (items, o) => new Intl.ListFormat("en", o).format(items);
return [l(["a"]), l(["a", "b"]), l(["a", "b", "c"]), l(["a", "b", "c"], { type: "disjunction" }), l([]), l(new Set(["x", "y"])), l(["1 h", "5 min"], { type: "unit", style: "narrow" }), new Intl.ListFormat("en").formatToParts(["p", "q"])];
//# relative times
const r = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });
return [r.format(-1, "day"), r.format(0, "day"), r.format(1, "week"), r.format(-3, "months"), r.format(5, "minutes"), r.format(-1, "year"), r.format(1.5, "hour"), r.format(-0, "second")];
//# collation
const words = ["Zebra", "apple", "Äpfel", "zebra", "Apple", "éclair", "eclair", "_x", "1a", "10", "9"];
return [[...words].sort((a, b) => a.localeCompare(b)), [...words].sort(new Intl.Collator("en", { numeric: true }).compare), ["a", "A", "á"].map((x) => "a".localeCompare(x, "en", { sensitivity: "base" })), ["a", "A", "á"].map((x) => "a".localeCompare(x, "en", { sensitivity: "accent" })), new Intl.Collator("en", { caseFirst: "upper" }).compare("a", "A")];
//# resolved options
const z = Intl.DateTimeFormat("en-US", { timeZone: "UTC" }).resolvedOptions();
const n = new Intl.NumberFormat("en-US").resolvedOptions();
return [z.locale, z.timeZone, z.calendar, n.locale, n.maximumFractionDigits, typeof Intl, Object.prototype.toString.call(Intl)];
//# bad options are RangeErrors or TypeErrors
const out = [];
for (const f of [() => (1).toLocaleString("en-US", { style: "currency" }), () => (1).toLocaleString("en-US", { maximumFractionDigits: 200 }), () => new Date().toLocaleDateString("en-US", { month: "x" }), () => (1).toLocaleString("not a locale"), () => new Intl.DateTimeFormat("en-US").format(NaN), () => new Intl.NumberFormat("en-US", { style: "unit", unit: "parsec" }), () => new Intl.RelativeTimeFormat("en").format(1, "fortnight"), () => new Intl.PluralRules("en", { type: "x" })])
  try { out.push(f()); } catch (e) { out.push(e.name); }
return out;
//# other locales and zones say what exists
//= ["locale \"de-DE\" is not available: only en-US exists here","time zone \"America/New_York\" is not available: only UTC exists here","Intl.DisplayNames is not available here"]
const out = [];
for (const f of [() => (1).toLocaleString("de-DE"), () => new Date().toLocaleString("en-US", { timeZone: "America/New_York" }), () => new Intl.DisplayNames("en", { type: "region" })])
  try { f(); } catch (e) { out.push(e.message); }
return out;
//# arrays and dates in lists
return [[1234.5, 6789].toLocaleString("en-US"), [new Date(0)].toLocaleString("en-US", { timeZone: "UTC", dateStyle: "short" }), [1, null, undefined, 2].toLocaleString()];
//# segmenter
const g = (s) => [...new Intl.Segmenter("en").segment(s)].map((x) => x.segment);
const w = [...new Intl.Segmenter("en", { granularity: "word" }).segment("It's 3.5 km, isn't it? OK!")].filter((s) => s.isWordLike).map((s) => s.segment);
return [g("a👨‍👩‍👧é🇳🇴\r\n"), w, [...new Intl.Segmenter("en", { granularity: "sentence" }).segment("One. Two? Three!")].map((s) => s.segment)];
//# invoice lines
const money = (n) => n.toLocaleString("en-US", { style: "currency", currency: "USD" });
const lines = [{ d: "Widget", q: 3, p: 9.99 }, { d: "Gadget", q: 1, p: 1249.5 }];
const total = lines.reduce((s, l) => s + l.q * l.p, 0);
return [...lines.map((l) => `${l.d.padEnd(8)}${String(l.q).padStart(3)} x ${money(l.p).padStart(10)}`), `Total ${money(total)} (tax ${(0.0825).toLocaleString("en-US", { style: "percent", minimumFractionDigits: 2 })})`];
//# the default locale is en-US
//= ["1,234.5","1/2/1970","Fri Jan 02 1970 00:00:00 GMT+0000 (Coordinated Universal Time)","en-US"]
const d = new Date(864e5);
return [(1234.5).toLocaleString(), d.toLocaleDateString(), d.toString(), Intl.NumberFormat().resolvedOptions().locale];
