//# floating point
return [0.1 + 0.2, 0.1 + 0.2 === 0.3, Math.abs(0.1 + 0.2 - 0.3) < Number.EPSILON, 1 / 3, 9007199254740993, 2 ** 53 + 1, 5e-324, 1.7976931348623157e308 * 10 === Infinity];
//# rounding
const r = (n, d) => Math.round(n * 10 ** d) / 10 ** d;
return [Math.round(2.5), Math.round(-2.5), Math.round(1.4999), Math.floor(-1.5), Math.ceil(-1.5), Math.trunc(-1.9), r(1.005, 2), r(1234.5678, 1), +(1.005).toFixed(2), (2.345).toFixed(2), (1e21).toFixed(2), (0.5).toFixed(0), (1.5).toFixed(0)];
//# number checks
return [Number.isInteger(5.0), Number.isSafeInteger(2 ** 53), Number.isNaN("x"), isNaN("x"), Number.isFinite("5"), isFinite("5"), Number.MAX_SAFE_INTEGER, Number.MIN_VALUE];
//# Math
return [Math.max(), Math.min(1, 2, NaN), Math.hypot(3, 4), Math.sign(-3), Math.cbrt(8), Math.log2(8), Math.log10(1000), Math.clz32(1), Math.fround(5.5), Math.expm1(0), Math.atan2(1, 1).toFixed(6), Math.imul(0xffffffff, 5)].map((x) => (Number.isFinite(x) ? x : String(x)));
//# BigInt
const big = 2n ** 64n;
return [String(big), String(big / 3n), String(-7n / 2n), String(-7n % 2n), big > 1, 1n === 1, 1n == 1, typeof big, String(BigInt("0xff")), String(BigInt.asUintN(8, 257n)), String(BigInt.asIntN(8, 255n)), (123n).toString(16), Number(2n ** 60n), String(10n ** 30n), [3n, 1n, 2n].sort().map(String)];
//# factorial with BigInt
let f = 1n;
for (let i = 1n; i <= 30n; i++) f *= i;
return f.toString();
//# modular power
const modpow = (b, e, m) => { let r = 1n; b %= m; while (e > 0n) { if (e & 1n) r = (r * b) % m; b = (b * b) % m; e >>= 1n; } return r; };
return String(modpow(3n, 1000n, 1000007n));
//# primes and factors
const factor = (n) => { const out = []; for (let p = 2; p * p <= n; p++) while (n % p === 0) { out.push(p); n /= p; } if (n > 1) out.push(n); return out; };
return [factor(360), factor(97), factor(600851475143)];
//# bases
return [(255).toString(16).padStart(4, "0"), parseInt("zz", 36), (0.5).toString(2), (-255).toString(16), Number("0o17"), parseInt("12abc"), parseInt(""), (1e21 + 1).toString(36).length].map((x) => x ?? null);
//# currency in cents
const prices = ["$1,234.56", "$0.99", "($20.00)"].map((s) => Math.round(parseFloat(s.replace(/[^0-9.]/g, "")) * 100) * (s.startsWith("(") ? -1 : 1));
return [prices, (prices.reduce((a, b) => a + b) / 100).toFixed(2)];
//# compound interest and amortisation
const pay = (p, r, n) => (p * (r / 12)) / (1 - (1 + r / 12) ** -n);
return [pay(200000, 0.05, 360).toFixed(2), (1000 * 1.05 ** 10).toFixed(2), (1000 * Math.exp(0.5)).toFixed(2)];
//# linear regression
const pts = [[1, 2], [2, 4.1], [3, 6.2], [4, 7.9]];
const n = pts.length;
const [sx, sy, sxy, sxx] = pts.reduce(([a, b, c, d], [x, y]) => [a + x, b + y, c + x * y, d + x * x], [0, 0, 0, 0]);
const m = (n * sxy - sx * sy) / (n * sxx - sx * sx);
return [m.toFixed(4), ((sy - m * sx) / n).toFixed(4)];
//# haversine
const rad = (d) => (d * Math.PI) / 180;
const km = ([a, b], [c, d]) => { const h = Math.sin(rad(c - a) / 2) ** 2 + Math.cos(rad(a)) * Math.cos(rad(c)) * Math.sin(rad(d - b) / 2) ** 2; return 2 * 6371 * Math.asin(Math.sqrt(h)); };
return Math.round(km([59.91, 10.75], [6.52, 3.38]));
//# human sizes
const size = (n) => { const u = ["B", "KB", "MB", "GB"]; let i = 0; while (n >= 1024 && i < 3) { n /= 1024; i++; } return `${+n.toFixed(1)} ${u[i]}`; };
return [0, 1023, 1536, 5e6, 7.5e9].map(size);
//# histogram
const xs = [1, 3, 3, 7, 8, 12, 15, 19];
const bins = Array(4).fill(0);
for (const x of xs) bins[Math.min(3, Math.floor(x / 5))]++;
return bins.map((n, i) => `${i * 5}-${i * 5 + 4}: ${"#".repeat(n)}`);
//# seeded random numbers
const rng = (seed) => () => { seed |= 0; seed = (seed + 0x6d2b79f5) | 0; let t = Math.imul(seed ^ (seed >>> 15), 1 | seed); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 4294967296; };
const r = rng(42);
return [r(), r(), r()];
//# shuffle with a seed
let s = 7;
const next = (n) => (s = (s * 1103515245 + 12345) % 2147483648) % n;
const xs = [1, 2, 3, 4, 5, 6];
for (let i = xs.length - 1; i > 0; i--) { const j = next(i + 1); [xs[i], xs[j]] = [xs[j], xs[i]]; }
return xs;
//# knapsack
const items = [[60, 10], [100, 20], [120, 30]];
const best = Array(51).fill(0);
for (const [v, w] of items) for (let c = 50; c >= w; c--) best[c] = Math.max(best[c], best[c - w] + v);
return best[50];
//# longest common subsequence
const lcs = (a, b) => { const t = Array.from({ length: a.length + 1 }, () => Array(b.length + 1).fill("")); for (let i = 1; i <= a.length; i++) for (let j = 1; j <= b.length; j++) t[i][j] = a[i - 1] === b[j - 1] ? t[i - 1][j - 1] + a[i - 1] : t[i - 1][j].length >= t[i][j - 1].length ? t[i - 1][j] : t[i][j - 1]; return t[a.length][b.length]; };
return lcs("AGGTAB", "GXTXAYB");
//# n queens
const solve = (n, row = 0, cols = []) => (row === n ? 1 : Array.from({ length: n }, (_, c) => c).reduce((sum, c) => sum + (cols.every((q, r) => q !== c && Math.abs(q - c) !== row - r) ? solve(n, row + 1, [...cols, c]) : 0), 0));
return [4, 5, 6].map((n) => solve(n));
//# game of life
let live = new Set(["1,0", "1,1", "1,2"]);
const step = (s) => { const n = {}; for (const c of s) { const [x, y] = c.split(",").map(Number); for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) if (dx || dy) n[`${x + dx},${y + dy}`] = (n[`${x + dx},${y + dy}`] ?? 0) + 1; } return new Set(Object.keys(n).filter((k) => n[k] === 3 || (n[k] === 2 && s.has(k)))); };
return [[...step(live)].sort(), [...step(step(live))].sort()];
//# expression evaluator
const evaluate = (src) => { const t = src.match(/\d+(\.\d+)?|[-+*/()]/g); let i = 0; const atom = () => { if (t[i] === "(") { i++; const v = sum(); i++; return v; } if (t[i] === "-") { i++; return -atom(); } return +t[i++]; }; const prod = () => { let v = atom(); while (t[i] === "*" || t[i] === "/") v = t[i++] === "*" ? v * atom() : v / atom(); return v; }; const sum = () => { let v = prod(); while (t[i] === "+" || t[i] === "-") v = t[i++] === "+" ? v + prod() : v - prod(); return v; }; return sum(); };
return ["1+2*3", "(1+2)*3", "-4/2+10", "2*(3-(4-5))"].map(evaluate);
//# dijkstra
const g = { a: { b: 7, c: 3 }, b: { d: 2 }, c: { b: 1, d: 8 }, d: {} };
const dist = Object.fromEntries(Object.keys(g).map((k) => [k, Infinity]));
dist.a = 0;
const todo = new Set(Object.keys(g));
while (todo.size) { const u = [...todo].reduce((p, q) => (dist[p] <= dist[q] ? p : q)); todo.delete(u); for (const [v, w] of Object.entries(g[u])) dist[v] = Math.min(dist[v], dist[u] + w); }
return dist;
//# number formatting by hand
const f = (n) => n.toFixed(2).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
return [1234567.891, 12, -9876543.2].map(f);
//# compare versions
const cmp = (a, b) => { const [x, y] = [a, b].map((v) => v.split(".").map(Number)); for (let i = 0; i < 3; i++) if ((x[i] ?? 0) !== (y[i] ?? 0)) return Math.sign((x[i] ?? 0) - (y[i] ?? 0)); return 0; };
return ["1.10.0", "1.9.3", "1.9", "2"].sort(cmp);
//# crc32
const table = Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n >>> 0; });
const crc = (s) => (~new TextEncoder().encode(s).reduce((c, b) => table[(c ^ b) & 255] ^ (c >>> 8), -1)) >>> 0;
return [crc("hello").toString(16), crc("").toString(16)];
