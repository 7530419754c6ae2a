//# absolute URLs: every component
const inputs = [
  "http://example.com", "https://user:pa%20ss@Example.COM:8443/a/b/../c/./d?x=1&y=2#frag", "http://example.com:80/", "https://example.com:443",
  "http://example.com:8080:90/", "http://a b/", "http://example.com/a b?c d#e f", "http://ex%41mple.com", "http://[::1]:3000/x",
  "http://[2001:db8:0:0:1:0:0:1]/", "http://[::ffff:192.168.1.1]/", "http://[1::2::3]/", "http://192.168.0.1", "http://0x7f.1/", "http://256.1.1.1/",
  "http://1.2.3.4.5/", "http://017700000001", "http://4294967295/", "http://4294967296/", "ftp://host/path;type=a", "mailto:a@b.com?subject=Hi there",
  "data:text/plain,hello world", "javascript:alert(1)", "file:///C:/a/../b", "file:///C|/x", "file://server/share/f.txt", "file:c:\\foo\\bar.html",
  "file:///etc/../passwd", "ws://h:80/", "wss://h:443/", "custom://Host:80/p?q#f", "custom:/a/./b/../c", "custom:opaque path?q#f", "blob:https://a.com/uuid",
  "http:///three", "http:\\\\back\\slash\\..\\x", "http:/one", "http:none", "//no-scheme", "relative", "", "   http://trim.me/  ", "http://a\nb.c/\tp",
  "http://user@/x", "http://@host/", "http://:@host/", "http://u:p:q@host/", "http://a@b@c/", "http://host:/", "http://host:65535/", "http://host:65536/",
  "http://host:0/", "http://host:abc/", "http://faß.de/", "http://münchen.de/straße", "http://日本語.jp/パス?検索=値#断片", "http://xn--mnchen-3ya.de/",
  "http://example.com/%zz%41%2e%2E/", "http://example.com/a/%2e%2e/b", "http://example.com/?q='\"<>", "http://example.com/#`<>\"", "http://example.com/{}|`",
  "http://foo_bar.com/", "http://a..b/", "http://example.com./", "http://ex<ample.com/", "http://ex^ample/", "http://%00/", "http://a%2fb/", "http://ＧＯ.com/",
  "http://☃.net/", "http://1e2/", "http://foo.0x/", "http://0.0.0.0x100/", "http://[::1", "http://[:1]/", "http://[1:2:3:4:5:6:7:8]/", "http://[1:2:3:4:5:6:7::]/",
  "http://[::1.2.3]/", "http://[::1.2.3.256]/", "http://[fe80::1%25eth0]/", "non-special://[::1]/x", "non-special://a b/", "non-special://é/", "tel:+1-555", "a:b:c",
  "1http://x", "http://x/?a=%F0%9F%98%80&b=\u{1f600}", "http://x/\ud800", "HTTPS://X/", "http://user:p@ss:w@rd@host/",
  "sc://ñ.test/", "non-special:///p", "non-special:////p", "web+demo:/.//not-a-host/", "http://./", "http://../", "http://-a-/", "http://a-.com",
];
return inputs.map((input) => {
  try {
    const u = new URL(input);
    return [u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash];
  } catch (error) {
    return [input, error instanceof TypeError, error.message, error.code];
  }
});
//# relative URLs against bases
const bases = ["http://a.com/b/c/d;p?q#f", "https://h/x/", "file:///C:/dir/file", "http://a.com", "file:///home/u"];
const relatives = [
  "", "g", "./g", "g/", "/g", "//g", "?y", "g?y", "#s", "g#s", "g?y#s", ";x", ".", "./", "..", "../", "../g", "../..", "../../g", "../../../g", "/./g", "/../g",
  "g.", ".g", "g/./h", "g/../h", "http:g", "https:g", "file:g", "D:/x", "/D:/x", "//host/p", "\\x", "\\\\h\\p", "a:b", " g ", "%2e%2e/x", "///x", "////h/p", "?", "#", "//", "//:80", "//[::1]/",
  "C|/x", "file:///y", "file:", "file:/z", "http:/z", "http://z", "custom:z", "custom:/z", "custom://z", "a?b?c#d#e",
];
return bases.map((base) => relatives.map((relative) => {
  try {
    return new URL(relative, base).href;
  } catch (error) {
    return error.message;
  }
}));
//# relative URLs against bases without special schemes
const relatives = ["", "g", "./g", "/g", "//g", "?y", "#s", "../g", "http:/z", "custom:z", "a?b?c#d#e", "//[::1]/", "\\x"];
const resolve = (relative, base) => (URL.canParse(relative, base) ? new URL(relative, base).href : null);
return ["custom://h/a/b", "custom:/a/b", "custom://h"].map((base) => relatives.map((relative) => resolve(relative, base)));
//# where the standard is newer than Node 20
//= ["http://example.com/%5E", null, "mailto:x@y#s", "custom://h/", "custom:/"]
const resolve = (relative, base) => (URL.canParse(relative, base) ? new URL(relative, base).href : null);
return [new URL("http://example.com/^").href, resolve("g#s", "mailto:x@y"), resolve("#s", "mailto:x@y"), resolve("../..", "custom://h/a/b"), resolve("../..", "custom:/a/b")];
//# setters
const out = [];
const set = (href, key, ...values) => {
  for (const value of values) {
    const url = new URL(href);
    try {
      url[key] = value;
    } catch (error) {
      out.push(error.message);
    }
    out.push(`${key}=${value} -> ${url.href}`);
  }
};
const h = "https://u:p@example.com:8080/a/b?q=1#h";
set(h, "protocol", "http", "ftp:", "custom", "file", "h:ttp", "", "wss://x", "8x");
set(h, "host", "new.com", "new.com:90", "new.com:443", "a b", "", "x/y", "[::2]:1", "q?z", "h#k", "h:port", "ü.de");
set(h, "hostname", "only", "with:80", "127.1", "", "x\\y");
set(h, "port", "1", "443", "99999", "", "12ab", "ab", "8 0", 77);
set(h, "pathname", "x", "/y/../z", "", "a?b#c", "//d", "ü x", "\\w");
set(h, "search", "a=b", "?c", "", "?", "#x", "'", "ü");
set(h, "hash", "z", "#y", "", "a b`", "#");
set(h, "username", "me", "", "a:b@c", "ü");
set(h, "password", "", "s:e/c");
set(h, "href", "http://x", "nope");
set("file:///x", "host", "h", "", "localhost");
set("file:///x", "port", "80");
set("mailto:x@y", "host", "h");
set("mailto:x@y", "pathname", "z");
set("mailto:x@y", "search", "subject=1");
set("custom://h/p", "host", "i:9", "a b", "");
set("custom://h/p", "protocol", "other", "http");
set("custom://h/p", "pathname", "", "/", "x");
return out;
//# search params of a URL stay linked
const u = new URL("http://h/?a=1&b=2&a=3#x");
const p = u.searchParams;
const seen = [p.size, p.getAll("a"), p.get("zz"), p.has("b"), p.has("b", "2"), p.has("b", "3")];
p.append("c d", "e&f=g+h");
seen.push(u.search);
p.delete("a", "1");
seen.push(u.href);
p.set("b", "ü");
seen.push(u.href);
p.sort();
seen.push(u.search, p.toString());
u.search = "?z=9";
seen.push([...p], u.searchParams === p);
p.delete("z");
seen.push(u.href);
u.href = "http://other/?k=v";
seen.push(p.get("k"), String(p));
return seen;
//# search params from every kind of init
const inits = [
  "", "?", "a=1", "?a=1&b", "&&a&&", "=v", "a=b=c", "a+b=c%20d", "%zz=%41", "a=%F0%9F%98%80", [["x", "1"], ["y", 2]], { q: "1", r: null, s: [1, 2] },
  new Map([["m", 1]]), new URLSearchParams("n=1&n=2"), new Set([["s", "t"]]), 42, null, true,
];
const out = inits.map((init) => new URLSearchParams(init).toString());
for (const bad of [[["only"]], [["a", "b", "c"]], [1]]) {
  try {
    new URLSearchParams(bad);
    out.push("accepted");
  } catch (error) {
    out.push(error.name);
  }
}
return out;
//# search params iterate and stringify
const p = new URLSearchParams([["b", "2"], ["a", "1 é*-._~!"], ["b", "0"]]);
const calls = [];
p.forEach((value, key, all) => calls.push([key, value, all === p]));
p.sort();
return [[...p.keys()], [...p.values()], [...p.entries()], calls, `${p}`, Object.fromEntries(p), JSON.stringify({ u: new URL("http://h/?" + p) }), p.entries().next()];
//# URL statics and conversions
const u = new URL("/x?y#z", "http://h");
return [URL.canParse("http://a"), URL.canParse("a"), URL.canParse("a", "http://b"), `${u}`, u + "", JSON.stringify([u]), u.toJSON(), Object.prototype.toString.call(u), Object.prototype.toString.call(u.searchParams), u instanceof URL, typeof URL];
//# URL.parse gives null instead of throwing
//= ["http://h/a", null]
return [URL.parse("/a", "http://h").href, URL.parse("::")];
//# read-only parts ignore writes in sloppy code
const u = new URL("http://h/p");
try { u.origin = "x"; } catch {}
return u.origin;
