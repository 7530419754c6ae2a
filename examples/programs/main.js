// The main job's program, as a model would write it: the body of an async function.
// Finds what it needs, reads several files at once, joins them with a price list, writes a report.

// What is there? Types of MCP servers are read like files; other tools are found by search.
const { files } = await API.list("mcp");
text(`servers described in: ${files.map((file) => file.path).join(", ")}`);
const fsTypes = await API.read("mcp/filesystem.d.ts");
text(`filesystem functions: ${fsTypes.content.match(/function \w+/g).length}`);
const [priceTool] = await tools.search("unit prices of articles");
text(`price tool: ${priceTool.id} -> ${priceTool.output}`);

// Three calls at once: two servers and a tool of the gateway.
const [allowed, prices, echo] = await Promise.all([
  MCP.filesystem.listAllowedDirectories({}),
  tools.callValue(priceTool.id, {}),
  MCP.everything.echo({ message: "code mode" }),
]);
text(echo.content[0].text);
const folder = allowed.content[0].text.split("\n")[1];

// All order files at once, in any order.
const listing = await MCP.filesystem.listDirectory({ path: folder });
const names = [...listing.content[0].text.matchAll(/^\[FILE\] (orders-.+\.csv)$/gm)].map((match) => match[1]);
const orders = (
  await Promise.all(
    names.map(async (name) => {
      const { content } = await MCP.filesystem.readTextFile({ path: `${folder}/${name}` });
      const rows = content[0].text.trim().split("\n").slice(1);
      return rows.map((row) => row.split(",")).map(([customer, article, count]) => ({ customer, article, count: +count }));
    }),
  )
).flat();

// Join with the price list, group by customer.
const priceOf = new Map(prices.map(({ article, price }) => [article, price]));
const totals = {};
for (const { customer, article, count } of orders) {
  totals[customer] = (totals[customer] ?? 0) + count * priceOf.get(article);
}
const ranking = Object.entries(totals)
  .map(([customer, total]) => ({ customer, total }))
  .sort((a, b) => b.total - a.total);

// Another server agrees on the sum of the two best, and a failing call is caught like any error.
const sum = await MCP.everything.getSum({ a: ranking[0].total, b: ranking[1].total });
try {
  await MCP.filesystem.readTextFile({ path: "/etc/hostname" });
} catch (error) {
  text(`outside the folder: ${error.message.slice(0, 40)}`);
}

const report = ranking.map(({ customer, total }) => `${customer}: ${total}`).join("\n");
await MCP.filesystem.writeFile({ path: `${folder}/report.txt`, content: `${report}\n` });
json({ ranking });
return { orders: orders.length, customers: ranking.length, best: ranking[0].customer, checked: sum.content[0].text };
