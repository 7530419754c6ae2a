// A plugin gives programs a small API of its own, every function of it a call of one of its tools:
// node examples/plugin-namespace.mjs
import { applyCodeMode, createCodeModeNamespaceTool, registerCodeModeNamespaceForPlugin } from "code-mode";

const issues = [
  { id: 1, title: "Door sticks", state: "open" },
  { id: 2, title: "Lamp flickers", state: "open" },
];
const owned = { source: "plugin", sourceName: "tracker", pluginId: "tracker" };
const tools = [
  {
    ...owned,
    name: "tracker_list",
    description: "Lists issues.",
    parameters: { type: "object", properties: { state: { type: "string" } } },
    execute: async (_id, { state }) => ({ content: [], details: issues.filter((issue) => issue.state === state) }),
  },
  {
    ...owned,
    name: "tracker_close",
    description: "Closes an issue.",
    parameters: { type: "object", properties: { id: { type: "number" }, comment: { type: "string" } } },
    execute: async (_id, { id, comment, by }) => {
      issues.find((issue) => issue.id === id).state = "closed";
      return { content: [], details: `#${id} closed: ${comment} (${by})` };
    },
  },
];

registerCodeModeNamespaceForPlugin("tracker", {
  id: "tracker.issues",
  globalName: "Issues",
  description: "Issues of the house.",
  prompt: "Issues.list(state) and Issues.close(id, comment). Issues.states names the states.",
  requiredToolNames: ["tracker_list", "tracker_close"],
  // Runs once per program. Values are copied in; a function is always a marker that stands for a tool.
  createScope: (ctx) => ({
    states: ["open", "closed"],
    list: createCodeModeNamespaceTool("tracker_list", ([state]) => ({ state: state ?? "open" })),
    close: createCodeModeNamespaceTool("tracker_close", ([id, comment]) => ({ id, comment, by: ctx.agentId })),
  }),
});

const surface = applyCodeMode({ config: true, context: { agentId: "keeper" }, tools });
const [exec] = surface.tools;
console.log(
  "in the description:",
  exec.description.split("\n").find((line) => line.includes("Issues.close")) !== undefined,
);
const { details } = await exec.execute("call-1", {
  code: `
    const open = await Issues.list();
    const closed = [];
    for (const issue of open) closed.push(await Issues.close(issue.id, "fixed"));
    return { closed, open: (await Issues.list(Issues.states[0])).length };`,
});
console.log(details.status, JSON.stringify(details.value ?? details.error));
surface.dispose();
