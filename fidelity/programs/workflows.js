//# report of open orders with totals per customer
const orders = [];
for (let page = 1; ; page++) { const r = await tools.list_orders({ page, pageSize: 15, status: "open" }); orders.push(...r.items); if (page >= r.totalPages) break; }
const names = new Map((await tools.list_customers()).items.map((c) => [c.id, c.name]));
const by = new Map();
for (const o of orders) by.set(o.customerId, (by.get(o.customerId) ?? 0) + o.total);
return [...by].map(([id, total]) => ({ customer: names.get(id), total: Math.round(total * 100) / 100 })).sort((a, b) => b.total - a.total);
//# markdown table from tool data
const { items } = await tools.list_customers();
const cols = ["id", "name", "tier"];
const line = (xs) => `| ${xs.join(" | ")} |`;
return [line(cols), line(cols.map(() => "---")), ...items.map((c) => line(cols.map((k) => c[k])))].join("\n");
//# top skus by quantity
const { items } = await tools.list_orders({ pageSize: 47 });
const q = {};
for (const { lines } of items) for (const { sku, quantity } of lines) q[sku] = (q[sku] || 0) + quantity;
return Object.entries(q).sort(([a, x], [b, y]) => y - x || a.localeCompare(b)).slice(0, 3);
//# orders per month with gaps filled
const { items } = await tools.list_orders({ pageSize: 47 });
const counts = items.reduce((m, o) => { const k = o.createdAt.slice(0, 7); m[k] = (m[k] ?? 0) + 1; return m; }, {});
return Array.from({ length: 8 }, (_, i) => `2024-${String(i + 1).padStart(2, "0")}`).map((k) => ({ month: k, orders: counts[k] ?? 0 }));
//# warmest city
const ws = await Promise.all(["Oslo", "Lagos", "Quito", "Lund", "Rome"].map((city) => tools.get_weather({ city })));
const { city, tempC } = ws.reduce((a, b) => (b.tempC > a.tempC ? b : a));
return `${city} at ${tempC}°C (${((tempC * 9) / 5 + 32).toFixed(1)}°F)`;
//# config with defaults from a file
const cfg = JSON.parse((await tools.read_file({ path: "/config.json" })).content);
const merged = { retries: 1, timeoutMs: 500, ...cfg, limits: { cpu: "1", gpu: 0, ...cfg.limits } };
return merged;
//# missing file falls back
const read = async (path, fallback) => { try { return (await tools.read_file({ path })).content; } catch (e) { if (/no such file/.test(e.message)) return fallback; throw e; } };
return [(await read("/config.json")).length, await read("/nope", "default")];
//# classify issues
const all = [];
let cursor = null;
do { const r = await tools.search_issues({ cursor }); all.push(...r.items); ({ nextCursor: cursor } = r); } while (cursor !== null);
const stats = { total: all.length, byAuthor: {}, avgComments: 0 };
for (const i of all) (stats.byAuthor[i.author] ??= []).push(i.number);
stats.avgComments = +(all.reduce((s, i) => s + i.comments, 0) / all.length).toFixed(2);
return stats;
//# enrich with lookups that may fail
const ids = ["c1", "x9", "c3"];
const found = [], missing = [];
await Promise.all(ids.map(async (id) => { try { found.push(await tools.get_customer({ id })); } catch { missing.push(id); } }));
return { found: found.map((c) => c.id).sort(), missing };
//# email domains
const { items } = await tools.list_customers();
const m = new Map();
for (const { email } of items) { const [, d] = email.split("@"); m.set(d, [...(m.get(d) ?? []), email]); }
return Object.fromEntries([...m].sort(([a], [b]) => a.localeCompare(b)));
//# text summary with counts
const { items } = await tools.list_orders({ pageSize: 47 });
const c = items.reduce((a, o) => ({ ...a, [o.status]: (a[o.status] ?? 0) + 1 }), {});
const parts = Object.entries(c).map(([k, n]) => `${n} ${k}`);
return `${items.length} orders: ${new Intl.ListFormat("en", { style: "long" }).format(parts)}.`;
//# stop at the first match across pages
for (let page = 1; page <= 10; page++) {
  const { items } = await tools.list_orders({ page, pageSize: 5 });
  const hit = items.find((o) => o.total > 100 && o.tags.includes("gift"));
  if (hit) return { page, id: hit.id };
}
return null;
//# links of a markdown file as URLs
const { content } = await tools.read_file({ path: "/notes.md" });
return [...content.matchAll(/\((https?:[^)]+)\)/g)].map(([, href]) => { const u = new URL(href); return { host: u.host, params: Object.fromEntries(u.searchParams) }; });
//# log levels and slow queries
const { content } = await tools.read_file({ path: "/log.txt" });
const rows = content.trim().split("\n").map((l) => { const [at, level, ...rest] = l.split(" "); return { at: new Date(at), level, rest: rest.join(" ") }; });
const span = (rows.at(-1).at - rows[0].at) / 1000;
return { span, worst: rows.find((r) => /ms=(\d{4,})/.test(r.rest))?.rest, levels: [...new Set(rows.map((r) => r.level))] };
//# csv to json with types
const { content } = await tools.read_file({ path: "/data.csv" });
const parse = (l) => [...l.matchAll(/"([^"]*)"|([^,]+)|(?<=,)(?=,)|^(?=,)/g)].map((m) => m[1] ?? m[2] ?? "");
const [h, ...rs] = content.trim().split("\n").map(parse);
return rs.map((r) => Object.fromEntries(h.map((k, i) => [k, r[i] === "" ? null : /^\d+$/.test(r[i]) ? Number(r[i]) : r[i]])));
//# idempotent ticket creation
const made = new Map();
const ensure = async (title) => made.get(title) ?? (made.set(title, await tools.create_ticket({ title })), made.get(title));
const a = await ensure("x"), b = await ensure("x"), c = await ensure("y");
return [a.id, b.id, c.id];
//# validation before side effects
const wanted = [{ title: "ok" }, { title: "" }, {}];
const errors = wanted.flatMap((t, i) => (t.title ? [] : [`item ${i}: title is required`]));
if (errors.length) return { created: 0, errors };
for (const t of wanted) await tools.create_ticket(t);
return { created: wanted.length };
//# map-reduce over files in parallel
const { paths } = await tools.list_files();
const words = await Promise.all(paths.map(async (path) => (await tools.read_file({ path })).content.match(/\b[a-z]{4,}\b/g) ?? []));
const counts = {};
for (const w of words.flat()) counts[w] = (counts[w] ?? 0) + 1;
return Object.entries(counts).filter(([, n]) => n > 1).sort(([a], [b]) => (a < b ? -1 : 1));
