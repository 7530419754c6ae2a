//# parse CSV with quotes
const csv = "name,dept\nAda,eng\n\"Cy, Jr.\",\"a \"\"b\"\"\"\n";
const rows = csv.trim().split("\n").map((line) => {
  const cells = [];
  for (const m of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) cells.push(m[1] !== undefined ? m[1].replaceAll('""', '"') : m[2]);
  return cells;
});
const [head, ...body] = rows;
return body.map((r) => Object.fromEntries(head.map((h, i) => [h, r[i]])));
//# write CSV
const rows = [{ a: 1, b: 'say "hi"' }, { a: null, b: "x,y" }];
const cell = (v) => (v == null ? "" : /[",\n]/.test(v) ? `"${String(v).replace(/"/g, '""')}"` : v);
return [Object.keys(rows[0]).join(","), ...rows.map((r) => Object.values(r).map(cell).join(","))].join("\n");
//# slugs
const slug = (s) => s.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().trim().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
return ["Hello, World!", "Crème Brûlée", "  --x--  ", "日本"].map(slug);
//# case conversions
const words = (s) => s.replace(/([a-z\d])([A-Z])/g, "$1 $2").split(/[\s_-]+/).filter(Boolean);
const camel = (s) => words(s).map((w, i) => (i ? w[0].toUpperCase() + w.slice(1).toLowerCase() : w.toLowerCase())).join("");
const snake = (s) => words(s).join("_").toLowerCase();
return ["fooBarBaz", "foo-bar", "Foo Bar", "HTTPServer2"].map((s) => [camel(s), snake(s)]);
//# named groups
const m = "2024-03-09T08:07".match(/(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)T(?<rest>.*)/);
return { ...m.groups, index: m.index, all: [...m] };
//# lookbehind and lookahead
return ["$12 €34 56%".match(/(?<=\$)\d+/)[0], "a1b2c3".replace(/(?<=[a-z])(?=\d)/g, "-"), "1234567.5".replace(/\B(?=(\d{3})+(?!\d)(?<!\.\d*))/g, ","), "foobar".match(/(?<!x)bar/).index];
//# matchAll with indices
const out = [];
for (const m of "k1=v1; k2=v2".matchAll(/(?<key>\w+)=(?<value>\w+)/dg)) out.push([m.groups.key, m.groups.value, m.index, m.indices.groups.value]);
return out;
//# sticky scanning tokenizer
const token = /\s*(?:(?<num>\d+(?:\.\d+)?)|(?<id>[a-z_]\w*)|(?<op>[-+*\/()=]))/iy;
const src = "x1 = 3.5*(y + 42)";
const out = [];
while (token.lastIndex < src.length) {
  const m = token.exec(src);
  if (!m) break;
  const [kind, text] = Object.entries(m.groups).find(([, v]) => v !== undefined);
  out.push(`${kind}:${text}`);
}
return out;
//# unicode properties
return ["Ünï 1-_ß漢字".match(/\p{L}+/gu), /^\p{Lu}/u.test("Éa"), "a👍🏽b".replace(/\p{Emoji_Presentation}/gu, "#"), [..."👨‍👩‍👧"].length, "𝒳".length, /^.$/u.test("𝒳"), /^.$/.test("𝒳")];
//# unicode sets flag
return [/[\p{L}--[a-z]]/v.test("a"), /[\p{L}--[a-z]]/v.test("É"), "a1b2".replace(/[[a-z]&&[b-z]]/gv, "#")];
//# replace with functions and patterns
return ["john smith".replace(/\b\w/g, (c) => c.toUpperCase()), "a-b".replace(/(\w)-(\w)/, "$2-$1 $& $$ $`|$'"), "x".replace("x", () => "$&"), "aXbX".replaceAll("X", (m, off) => off), "2+2".replace("+", "$$")];
//# split in every way
return ["a,b,,c".split(","), "abc".split(""), "a1b2c".split(/\d/), "a1b2c".split(/(\d)/), "a b c".split(" ", 2), "".split(","), "".split(""), "x".split()];
//# template literals and tags
const tag = (strings, ...values) => strings.raw.map((s, i) => s + (i < values.length ? `[${values[i]}]` : "")).join("");
const n = 3;
return [tag`a\n${n}b${"x"}`, `sum ${n + 1} ${`nested ${n}`}`, String.raw`\u00e9${n}`, `line
break`];
//# escape HTML and SQL
const esc = (s) => s.replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c]);
return [esc(`<a href="x">T&C's</a>`), "O'Brien".replaceAll("'", "''")];
//# dedent and wrap
const dedent = (s) => { const lines = s.replace(/^\n|\n\s*$/g, "").split("\n"); const min = Math.min(...lines.filter((l) => l.trim()).map((l) => l.match(/^ */)[0].length)); return lines.map((l) => l.slice(min)).join("\n"); };
const wrap = (s, w) => s.split(" ").reduce((ls, word) => { const last = ls.at(-1); if ((last + " " + word).trim().length <= w) ls[ls.length - 1] = (last + " " + word).trim(); else ls.push(word); return ls; }, [""]);
return [dedent("\n    a\n      b\n    c\n  "), wrap("the quick brown fox jumps over the lazy dog", 12)];
//# padding and alignment
const rows = [["id", "name"], [1, "Ada"], [100, "Bo"]];
return rows.map(([a, b]) => `${String(a).padStart(4)} | ${String(b).padEnd(5, ".")}|`);
//# word frequency
const text = "the cat and the dog and the bird";
const counts = text.split(/\s+/).reduce((m, w) => m.set(w, (m.get(w) ?? 0) + 1), new Map());
return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
//# code points, not units
const s = "a😀é";
return [s.length, [...s].length, s.codePointAt(1), s.charCodeAt(1), s.at(-1), String.fromCodePoint(128512), s.split("").length, [...s].reverse().join("")];
//# normalisation
const a = "é", b = "e\u0301";
return [a === b, a === b.normalize(), b.normalize("NFD").length, "ﬁ".normalize("NFKC"), a.localeCompare(b)];
//# trim, repeat, slice, substring, substr
return ["  x ".trim() + "|", "  x ".trimStart() + "|", "  x ".trimEnd() + "|", "ab".repeat(3), "hello".slice(-3, -1), "hello".substring(4, 1), "hello".substr(-3, 2), "hello".at(9) === undefined];
//# index searches
const s = "banana";
return [s.indexOf("an"), s.indexOf("an", 2), s.lastIndexOf("an"), s.search(/n./), s.includes("nan"), s.startsWith("na", 2), s.endsWith("nan", 5), s.indexOf("")];
//# comparisons of text
return ["a" < "B", "a" < "b", "10" < "9", "apple".localeCompare("Banana"), ["é", "z", "e", "a"].sort(), ["é", "z", "e", "a"].sort((x, y) => x.localeCompare(y))];
//# numbers to text
return [(255).toString(16), (255).toString(2), (0.1).toString(3).slice(0, 8), (1234.5678).toFixed(2), (0.000001234).toString(), (1e21).toString(), (123.456).toPrecision(4), (123456).toExponential(2), (-7.5).toFixed(0), (25).toString(36)];
//# text to numbers
return [Number("12"), Number(""), Number(" 7 "), Number("0x1f"), Number("1e3"), Number("1_000"), parseInt("42px"), parseInt("ff", 16), parseFloat("3.14abc"), +"", Number(null), Number([5]), parseInt("0b11"), Number("0b11"), Number.parseFloat("-.5")];
//# levenshtein
const lev = (a, b) => {
  const d = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array(b.length).fill(0)]);
  for (let j = 1; j <= b.length; j++) d[0][j] = j;
  for (let i = 1; i <= a.length; i++) for (let j = 1; j <= b.length; j++) d[i][j] = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] !== b[j - 1]));
  return d[a.length][b.length];
};
return [lev("kitten", "sitting"), lev("", "abc"), lev("same", "same")];
//# roman numerals
const roman = (n) => [["M", 1000], ["CM", 900], ["D", 500], ["CD", 400], ["C", 100], ["XC", 90], ["L", 50], ["XL", 40], ["X", 10], ["IX", 9], ["V", 5], ["IV", 4], ["I", 1]].reduce((s, [r, v]) => { while (n >= v) { s += r; n -= v; } return s; }, "");
return [4, 9, 1994, 2024, 3999].map(roman);
//# simple template engine
const render = (tpl, data) => tpl.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_, path) => path.split(".").reduce((o, k) => o?.[k], data) ?? "");
return render("Hi {{ user.name }}, {{user.age}} {{missing.x}}!", { user: { name: "Ada", age: 36 } });
//# markdown headings and links
const md = "# A\ntext [x](http://x.y/z)\n## B c\n[q](/q \"t\")";
return { heads: [...md.matchAll(/^(#+) (.+)$/gm)].map(([, h, t]) => [h.length, t]), links: [...md.matchAll(/\[([^\]]+)\]\((\S+?)(?:\s+"([^"]*)")?\)/g)].map((m) => m.slice(1)) };
//# parse log lines
const log = '2024-01-05T10:00:02Z WARN slow ms=1532 path="/a b"\nbad line\n2024-01-05T10:00:05Z ERROR failed id=77';
return log.split("\n").map((l) => l.match(/^(\S+)\s+(INFO|WARN|ERROR)\s+(.*)$/)).filter(Boolean).map(([, t, level, rest]) => ({ t: Date.parse(t), level, fields: Object.fromEntries([...rest.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)].map((m) => [m[1], m[2] ?? m[3]])) }));
//# parse query strings by hand and by URL
const url = "https://h.example/p?a=1&b=two%20words&a=3";
const u = new URL(url);
return [Object.fromEntries(u.searchParams), u.searchParams.getAll("a"), url.split("?")[1].split("&").map((p) => p.split("=").map(decodeURIComponent))];
//# uri encoding
return [encodeURIComponent("a b&c/d?é😀"), encodeURI("http://h/a b?q=é#f"), decodeURIComponent("%E2%9C%93"), escape("ü x"), unescape("%u0107")];
//# malformed URI is an error
try {
  decodeURIComponent("%E0%A4%A");
} catch (error) {
  return [error.name, error instanceof URIError];
}
//# caesar cipher and rot13
const shift = (s, n) => s.replace(/[a-z]/gi, (c) => { const base = c <= "Z" ? 65 : 97; return String.fromCharCode(((c.charCodeAt(0) - base + n + 26) % 26) + base); });
return [shift("Hello, World", 13), shift(shift("abcXYZ", 3), -3)];
//# balanced brackets
const ok = (s) => { const st = []; for (const c of s) { if ("([{".includes(c)) st.push(c); else if (")]}".includes(c) && "([{"[")]}".indexOf(c)] !== st.pop()) return false; } return !st.length; };
return ["([]{})", "([)]", "((", ""].map(ok);
//# glob to regex
const glob = (g) => new RegExp("^" + g.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*\*/g, "\0").replace(/\*/g, "[^/]*").replace(/\0/g, ".*").replace(/\?/g, ".") + "$");
return [["src/*.ts", "src/a.ts"], ["src/*.ts", "src/x/a.ts"], ["src/**", "src/x/a.ts"], ["a?c", "abc"]].map(([g, p]) => glob(g).test(p));
//# natural sort
return ["f10", "f2", "f1", "F3"].sort((a, b) => a.localeCompare(b, undefined, { numeric: true, sensitivity: "base" }));
//# diff of two line lists
const a = ["a", "b", "c"], b = ["a", "c", "d"];
return { removed: a.filter((x) => !b.includes(x)), added: b.filter((x) => !a.includes(x)) };
//# truncate with ellipsis
const cut = (s, n) => (s.length > n ? `${s.slice(0, n - 1).trimEnd()}…` : s);
return [cut("short", 10), cut("a rather long sentence", 10)];
//# regex flags and lastIndex
const r = /a/g;
const out = [];
while (r.exec("banana")) out.push(r.lastIndex);
return [out, r.flags, /x/dgimsuy.flags, new RegExp("a/b").source, String(/[/]/), /^b/m.test("a\nb"), /a.b/s.test("a\nb")];
//# backreferences and lazy quantifiers
return ["aabbcc".match(/(.)\1/g), "<b>x</b><b>y</b>".match(/<b>(.*?)<\/b>/)[1], "abcabc".match(/(?<x>abc)\k<x>/) !== null, "aaa".match(/a{2}?/)[0]];
//# hex, base64 and bytes
const bytes = new TextEncoder().encode("Hi✓");
const hex = [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
const back = new TextDecoder().decode(new Uint8Array(hex.match(/../g).map((h) => parseInt(h, 16))));
return [hex, back, btoa("hi"), atob("aGk=")];
//# simple hash
const hash = (s) => [...s].reduce((h, c) => (Math.imul(h, 31) + c.charCodeAt(0)) | 0, 7);
const fnv = (s) => [...s].reduce((h, c) => Math.imul(h ^ c.charCodeAt(0), 16777619) >>> 0, 2166136261);
return [hash("hello"), fnv("hello"), fnv("")];
//# well-formedness
return ["a\ud800".isWellFormed(), "a\ud800".toWellFormed(), "ok".isWellFormed()];
