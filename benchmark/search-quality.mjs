// Recall of `tools.search` on labelled queries over real tool lists, next to a plain substring search. The data is
// third-party text that is not part of the project; where it is absent there is no row.
import { existsSync, readFileSync } from "node:fs";

const data = (name) => new URL(`../../shared/data/${name}`, import.meta.url);
const FIRST = 8;

/** The tools and queries, or undefined where the data is absent. */
export function labelled() {
  const [toolsFile, queriesFile] = [data("mcp-tools.json"), data("search-queries.json")];
  if (!existsSync(toolsFile) || !existsSync(queriesFile)) {
    return undefined;
  }
  const servers = JSON.parse(readFileSync(toolsFile, "utf8"));
  // Guests search tools of the gateway and its plugins, so each server's tools stand here as those of a plugin.
  const tools = servers.flatMap(({ serverName, tools: list }) =>
    list.map(({ name, title, description, inputSchema }) => ({
      name,
      label: title,
      description: description ?? "",
      parameters: inputSchema,
      source: "plugin",
      pluginId: serverName,
    })),
  );
  return { tools, queries: JSON.parse(readFileSync(queriesFile, "utf8")) };
}

/** Shares of the queries with an accepted id first, and among the first eight; ours and a substring search's. */
export async function recall(run, { tools, queries }) {
  const code = `
    const found = [];
    for (const query of ${JSON.stringify(queries.map(({ query }) => query))}) {
      found.push((await tools.search(query, { limit: ${FIRST} })).map((tool) => tool.id));
    }
    return found;`;
  const result = await run.exec({ code });
  if (result.status !== "completed") {
    throw new Error(JSON.stringify(result));
  }
  const asPlugin = (id) => id.replace(/^mcp:/u, "openclaw:");
  const share = (lists, most) =>
    lists.filter((ids, index) => {
      const accepted = new Set(queries[index].accept.map(asPlugin));
      return ids.slice(0, most).some((id) => accepted.has(id));
    }).length / queries.length;
  const plain = queries.map(({ query }) => substring(tools, query));
  return [result.value, plain].map((lists) => ({ first: share(lists, 1), eight: share(lists, FIRST) }));
}

/** Name contains a term: 8 points, id: 6, description: 2; by points, then id. */
function substring(tools, query) {
  const terms = query.toLowerCase().split(/\s+/u).filter(Boolean);
  return tools
    .map(({ name, pluginId, description }) => {
      const id = `openclaw:${pluginId}:${name}`;
      const points = terms.reduce(
        (sum, term) =>
          sum +
          (name.toLowerCase().includes(term) ? 8 : 0) +
          (id.toLowerCase().includes(term) ? 6 : 0) +
          (description.toLowerCase().includes(term) ? 2 : 0),
        0,
      );
      return { id, points };
    })
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points || (a.id < b.id ? -1 : 1))
    .slice(0, FIRST)
    .map(({ id }) => id);
}
