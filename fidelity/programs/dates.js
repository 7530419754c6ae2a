//# parse the usual formats
return ["2024-01-15", "2024-01-15T10:30:00Z", "2024-01-15T10:30:00+02:00", "2024-01-15T10:30:00.123Z", "2024-01", "2024", "2024-01-15T10:30", "Jan 15, 2024", "15 January 2024 10:00 UTC", "Mon, 15 Jan 2024 10:30:00 GMT", "2024/01/15", "01/15/2024", "nope", ""].map((s) => { const d = new Date(s); return isNaN(d) ? null : d.toISOString(); });
//# components in UTC
const d = new Date(Date.UTC(2024, 1, 29, 23, 59, 58, 999));
return [d.getUTCFullYear(), d.getUTCMonth(), d.getUTCDate(), d.getUTCDay(), d.getUTCHours(), d.getUTCMinutes(), d.getUTCSeconds(), d.getUTCMilliseconds(), d.getTime()];
//# overflow normalises
return [new Date(Date.UTC(2024, 12, 1)), new Date(Date.UTC(2024, 0, 0)), new Date(Date.UTC(2024, 0, 32)), new Date(Date.UTC(2023, 1, 29)), new Date(Date.UTC(2024, 0, 1, 25))].map((d) => d.toISOString());
//# add days and months
const addDays = (d, n) => new Date(d.getTime() + n * 864e5);
const addMonths = (d, n) => { const r = new Date(d); r.setUTCMonth(r.getUTCMonth() + n); return r; };
const d = new Date("2024-01-31T00:00:00Z");
return [addDays(d, 30), addMonths(d, 1), addMonths(d, -2)].map((x) => x.toISOString().slice(0, 10));
//# days between
const days = (a, b) => Math.round((new Date(b) - new Date(a)) / 864e5);
return [days("2024-02-28", "2024-03-01"), days("2023-02-28", "2023-03-01"), days("2024-01-01", "2023-01-01")];
//# business days
let d = new Date("2024-03-01");
let n = 0;
while (d <= new Date("2024-03-31")) { if (d.getUTCDay() % 6) n++; d = new Date(+d + 864e5); }
return n;
//# start of week and quarter
const d = new Date("2024-08-15T12:00:00Z");
const week = new Date(+d - ((d.getUTCDay() + 6) % 7) * 864e5);
return [week.toISOString().slice(0, 10), Math.floor(d.getUTCMonth() / 3) + 1, new Date(Date.UTC(2024, 7 + 1, 0)).getUTCDate()];
//# ISO week number
const week = (s) => { const d = new Date(s); const t = new Date(+d + (4 - (d.getUTCDay() || 7)) * 864e5); return Math.ceil(((t - Date.UTC(t.getUTCFullYear(), 0, 1)) / 864e5 + 1) / 7); };
return ["2024-01-01", "2021-01-03", "2020-12-31", "2024-12-30"].map(week);
//# text forms
const d = new Date("2024-03-05T07:08:09.010Z");
return [d.toISOString(), d.toJSON(), d.toUTCString(), d.toDateString(), d.toString().slice(0, 33), d.toTimeString().slice(0, 17), String(new Date(NaN)), JSON.stringify({ d })];
//# locale forms for en-US
const d = new Date("2024-03-05T17:08:09Z");
return [d.toLocaleDateString("en-US"), d.toLocaleTimeString("en-US"), d.toLocaleString("en-US"), d.toLocaleDateString("en-US", { weekday: "long", year: "numeric", month: "long", day: "numeric" }), d.toLocaleDateString("en-US", { month: "short", day: "numeric" }), d.toLocaleTimeString("en-US", { hour: "2-digit", minute: "2-digit" }), d.toLocaleString("en-US", { timeZone: "UTC", hour12: false })];
//# styles
const d = new Date("2024-12-25T09:05:00Z");
return ["full", "long", "medium", "short"].map((s) => new Intl.DateTimeFormat("en-US", { dateStyle: s, timeStyle: s, timeZone: "UTC" }).format(d));
//# parts
const parts = new Intl.DateTimeFormat("en-US", { year: "numeric", month: "2-digit", day: "2-digit", timeZone: "UTC" }).formatToParts(new Date("2024-03-05"));
const get = (t) => parts.find((p) => p.type === t).value;
return `${get("year")}-${get("month")}-${get("day")}`;
//# group timestamps by month
const stamps = ["2024-01-05", "2024-01-20", "2024-02-01", "2023-12-31"];
const by = {};
for (const s of stamps) { const k = s.slice(0, 7); by[k] = (by[k] || 0) + 1; }
return Object.entries(by).sort().map(([k, n]) => `${new Date(k + "-01").toLocaleString("en-US", { month: "short", year: "numeric", timeZone: "UTC" })}: ${n}`);
//# bucket by hour
const hours = ["2024-01-01T10:05Z", "2024-01-01T10:55Z", "2024-01-01T11:00Z"].map((s) => { const d = new Date(s); d.setUTCMinutes(0, 0, 0); return d.toISOString(); });
return [...new Set(hours)];
//# sort by date and find the latest
const rows = [{ at: "2024-02-10" }, { at: "2023-11-01" }, { at: "2024-02-09" }];
return [rows.map((r) => r.at).sort(), rows.reduce((a, b) => (new Date(a.at) > new Date(b.at) ? a : b)).at, Math.max(...rows.map((r) => +new Date(r.at)))];
//# relative time
const rel = (ms) => { for (const [u, n] of [["day", 864e5], ["hour", 36e5], ["minute", 6e4]]) if (Math.abs(ms) >= n) return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round(ms / n), u); return "now"; };
return [rel(-864e5), rel(3 * 36e5), rel(-12e4), rel(500), rel(5 * 864e5)];
//# duration formatting
const dur = (s) => [[s / 86400, "d"], [(s / 3600) % 24, "h"], [(s / 60) % 60, "m"], [s % 60, "s"]].map(([v, u]) => [Math.floor(v), u]).filter(([v]) => v).map((p) => p.join("")).join(" ") || "0s";
return [dur(0), dur(59), dur(3661), dur(90061)];
//# leap years and age
const leap = (y) => new Date(Date.UTC(y, 1, 29)).getUTCMonth() === 1;
const age = (born, now) => { const a = new Date(born), b = new Date(now); let n = b.getUTCFullYear() - a.getUTCFullYear(); if ([b.getUTCMonth(), b.getUTCDate()] < [a.getUTCMonth(), a.getUTCDate()]) n--; return n; };
return [[2000, 1900, 2024, 2023].map(leap), age("1990-06-15", "2024-06-14")];
//# comparison and arithmetic
const a = new Date(1000), b = new Date(1000);
return [a === b, a.getTime() === b.getTime(), a <= b, b - a, +a, a + 1 === a.toString() + "1", typeof (a - 0)];
//# epoch and limits
return [new Date(0).toISOString(), new Date(8.64e15).toISOString(), isNaN(new Date(8.64e15 + 1)), new Date(-1).toISOString(), new Date(-62198755200000).toISOString(), Date.UTC(70), new Date(2024, 0).getTime() === Date.UTC(2024, 0)];
//# invalid dates throw from toISOString
try { new Date("x").toISOString(); } catch (e) { return [e.name, new Date("x").toJSON(), new Date(NaN).getFullYear() === null]; }
//# setters
const d = new Date("2024-01-15T10:20:30.400Z");
d.setUTCFullYear(2025); d.setUTCDate(0); d.setUTCHours(1, 2); d.setUTCMilliseconds(7);
return d.toISOString();
//# a month calendar
const first = new Date(Date.UTC(2024, 1, 1)).getUTCDay();
const n = new Date(Date.UTC(2024, 2, 0)).getUTCDate();
const cells = [...Array(first).fill("  "), ...Array.from({ length: n }, (_, i) => String(i + 1).padStart(2))];
return cells.reduce((rows, c, i) => { (rows[Math.floor(i / 7)] ??= []).push(c); return rows; }, []).map((r) => r.join(" "));
//# parse dd.mm.yyyy and reformat
return "05.03.2024, 17.11.2023".replace(/(\d\d)\.(\d\d)\.(\d{4})/g, "$3-$2-$1");
//# overlapping intervals
const iv = [["2024-01-01", "2024-01-10"], ["2024-01-05", "2024-01-12"], ["2024-02-01", "2024-02-02"]].map((p) => p.map((s) => Date.parse(s)));
const merged = [];
for (const [s, e] of iv.sort((a, b) => a[0] - b[0])) { const last = merged.at(-1); if (last && s <= last[1]) last[1] = Math.max(last[1], e); else merged.push([s, e]); }
return merged.map((p) => p.map((t) => new Date(t).toISOString().slice(0, 10)));
//# cron-like next run
const next = (from, hh, mm) => { const d = new Date(from); d.setUTCHours(hh, mm, 0, 0); if (d <= new Date(from)) d.setUTCDate(d.getUTCDate() + 1); return d.toISOString(); };
return [next("2024-02-28T10:00:00Z", 9, 30), next("2024-02-28T10:00:00Z", 11, 0)];
