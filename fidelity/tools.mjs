// Stub tools for the fidelity programs: deterministic, no clock, no I/O. One set per program, because some keep state.
// Plain functions only, so that the file also runs inside other JavaScript engines.

class ToolFailure extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

const customers = [
  { id: "c1", name: "Ada Park", email: "ada@example.com", tier: "gold", address: { city: "Oslo", country: "NO" } },
  { id: "c2", name: "Bo Lind", email: "bo@example.com", tier: "free", address: { city: "Lund", country: "SE" } },
  { id: "c3", name: "Cy Okafor", email: "cy@example.org", tier: "gold", address: { city: "Lagos", country: "NG" } },
  { id: "c4", name: "Dee Ruiz", email: "dee@example.org", tier: "silver", address: { city: "Quito", country: "EC" } },
  { id: "c5", name: "Eli Zhou", email: "eli@example.net", tier: "free", address: null },
];
const statuses = ["open", "paid", "shipped", "cancelled"];
const orders = Array.from({ length: 47 }, (_, i) => ({
  id: `o${String(i + 1).padStart(3, "0")}`,
  customerId: `c${((i * 7) % 5) + 1}`,
  status: statuses[(i * 3) % 4],
  total: Math.round(((i * 37) % 100) * 123.45) / 100,
  createdAt: new Date(Date.UTC(2024, 0, 1 + i * 3, i % 24, (i * 7) % 60)).toISOString(),
  tags: ["new", "gift", "bulk", "eu"].filter((_, tag) => (i + tag) % 3 === 0),
  lines: Array.from({ length: (i % 3) + 1 }, (_, line) => ({
    sku: `sku-${(i + line) % 9}`,
    quantity: line + 1,
    price: 5 + line * 2.5,
  })),
}));
const files = {
  "/notes.md":
    "# Notes\n\n- [ ] call Ada\n- [x] pay rent\n- [ ] fix `login` bug\n\n## Links\n\nSee [docs](https://example.com/docs?a=1&b=2) and <b@example.com>.\n",
  "/data.csv":
    'name,dept,salary,start\nAda,eng,5200,2019-03-01\nBo,ops,4100,2020-11-15\n"Cy, Jr.",eng,6100,2018-07-30\nDee,ops,3900,2022-01-10\nEli,,4700,2021-06-01\n',
  "/log.txt":
    '2024-01-05T10:00:01Z INFO start pid=12\n2024-01-05T10:00:02Z WARN slow query ms=1532\n2024-01-05T10:00:05Z ERROR failed id=77 reason="time out"\n2024-01-05T10:01:00Z INFO stop\n',
  "/config.json": '{"name":"svc","retries":3,"hosts":["a.example","b.example"],"limits":{"cpu":"500m","mem":"1Gi"}}',
};
const issues = Array.from({ length: 23 }, (_, i) => ({
  number: 100 + i,
  title: `${["Bug", "Feature", "Chore"][i % 3]}: item ${i}`,
  labels: [["p1", "p2", "p3"][i % 3], ...(i % 4 ? [] : ["stale"])],
  author: customers[i % 5].name.split(" ")[0].toLowerCase(),
  comments: (i * 5) % 7,
}));

// Name -> function of the input; throws ToolFailure where a tool would fail.
export function createTools() {
  const attempts = {};
  let tickets = 0;
  return {
    list_orders({ page = 1, pageSize = 10, status } = {}) {
      const found = status ? orders.filter((order) => order.status === status) : orders;
      const items = found.slice((page - 1) * pageSize, page * pageSize);
      return { items, page, totalPages: Math.ceil(found.length / pageSize), total: found.length };
    },
    get_customer({ id }) {
      const found = customers.find((customer) => customer.id === id);
      if (!found) throw new ToolFailure(`customer not found: ${id}`, "not_found");
      return found;
    },
    list_customers() {
      return { items: customers };
    },
    get_weather({ city }) {
      const sum = [...city].reduce((total, letter) => total + letter.codePointAt(0), 0);
      return { city, tempC: (sum % 40) - 5, conditions: ["clear", "rain", "snow", "fog"][sum % 4] };
    },
    flaky({ key = "k", failures = 1 }) {
      attempts[key] = (attempts[key] ?? 0) + 1;
      if (attempts[key] <= failures) throw new ToolFailure(`temporary failure ${attempts[key]}`, "unavailable");
      return { ok: true, attempt: attempts[key] };
    },
    echo(input) {
      return input;
    },
    read_file({ path }) {
      if (!Object.hasOwn(files, path)) throw new ToolFailure(`no such file: ${path}`, "ENOENT");
      return { path, content: files[path] };
    },
    list_files() {
      return { paths: Object.keys(files) };
    },
    search_issues({ query = "", cursor }) {
      const found = issues.filter((issue) => issue.title.toLowerCase().includes(query.toLowerCase()));
      const start = cursor ? Number(cursor) : 0;
      const next = start + 5 < found.length ? String(start + 5) : null;
      return { items: found.slice(start, start + 5), nextCursor: next };
    },
    add({ a, b }) {
      return { sum: a + b };
    },
    create_ticket({ title, priority = "normal" }) {
      if (!title) throw new ToolFailure("title is required", "invalid");
      tickets += 1;
      return { id: `T-${tickets}`, title, priority, state: "open" };
    },
  };
}
