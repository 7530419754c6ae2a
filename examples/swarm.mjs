// Programs that hand parts of the work to sub-agents: node examples/swarm.mjs
// The host below answers by itself; a gateway would start a run of its agent instead.
import { setTimeout as sleep } from "node:timers/promises";
import { applyCodeMode } from "code-mode";

const runs = new Map();
const swarm = {
  maxConcurrent: 2,
  async spawn({ prompt, options, toolCallId }) {
    // The nested id is the same however often a program is suspended, so it serves as a key against double starts.
    const runId = `sub:${toolCallId}`;
    console.log(`spawn ${runId} (${options.label})`);
    runs.set(runId, answer(prompt, options));
    return { runId };
  },
  wait: ({ runId }) => runs.get(runId),
  note: ({ kind, text }) => console.log(`${kind}: ${text}`),
};

async function answer(prompt, { schema }) {
  await sleep(50);
  const [, city] = /weather in (\w+)/u.exec(prompt) ?? [];
  if (city === undefined) {
    return { status: "failed", error: `cannot say anything about: ${prompt}` };
  }
  const degrees = city.length * 3;
  return { status: "completed", text: `${city}: ${degrees} degrees`, structured: schema && { city, degrees } };
}

const listCities = {
  name: "list_cities",
  description: "Lists cities.",
  parameters: { type: "object" },
  execute: async () => ({ content: [], details: ["Oslo", "Lisbon", "Rome"] }),
};
const surface = applyCodeMode({ config: true, tools: [listCities], swarm });
const [exec] = surface.tools;
const { details } = await exec.execute("call-1", {
  code: `
    phase("gather");
    const schema = { type: "object", properties: { city: { type: "string" }, degrees: { type: "number" } } };
    const found = await Promise.all((await tools.list_cities({})).map((city) =>
      agents.run("weather in " + city, { label: city, schema })));
    phase("report");
    const failed = await agents.run("the meaning of life", { label: "hard" }).catch((error) => error.name + " " + error.status);
    return { warmest: found.sort((a, b) => b.degrees - a.degrees)[0], failed };`,
});
console.log(details.status, JSON.stringify(details.value ?? details.error));
surface.dispose();
