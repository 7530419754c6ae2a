// A gateway puts code mode in front of its model: node examples/gateway.mjs
// Everything between the two lines is the integration; the rest stands in for what a gateway has anyway.
import { applyCodeMode } from "code-mode";

const orders = [
  { id: 1, customer: "Nora", total: 80 },
  { id: 2, customer: "Ida", total: 210 },
  { id: 3, customer: "Nora", total: 25 },
];
const tool = (name, description, answer) => ({
  name,
  description,
  parameters: { type: "object" },
  execute: async (_toolCallId, input) => ({ content: [{ type: "text", text: "done" }], details: answer(input) }),
});
const tools = [
  tool("list_orders", "Lists all orders.", () => orders),
  tool("send_reminder", "Sends a reminder to a customer.", ({ customer }) => `reminded ${customer}`),
  tool("delete_order", "Deletes an order.", () => "deleted"),
];

// ---------------------------------------------------------------------------------------------------------------------
const surface = applyCodeMode({
  config: { enabled: true, timeoutMs: 10_000 },
  context: { agentId: "shop", sessionId: "s-1" },
  tools,
  // The gateway's own executor path: policy, approvals, audit. A refusal is an error that the program can catch.
  callTool: async (call) => {
    console.log(`audit: ${call.toolCallId} for ${call.context.agentId}`);
    if (call.toolName === "delete_order") {
      throw new Error("delete_order needs a person's approval.");
    }
    return call.tool.execute(call.toolCallId, call.input, call.signal, call.onUpdate);
  },
});
const visible = surface.tools; // hand these to the provider, then check what really goes out:
surface.assertPayload(visible);
// ---------------------------------------------------------------------------------------------------------------------

// The model's turn: it sees two tools and writes a program.
console.log(`visible: ${visible.map(({ name }) => name).join(", ")}`);
const [exec, wait] = visible;
const code = `
  const late = (await tools.list_orders({})).filter((order) => order.total < 100);
  const customers = [...new Set(late.map((order) => order.customer))];
  const reminded = await Promise.all(customers.map((customer) => tools.send_reminder({ customer })));
  const refused = await tools.delete_order({ id: 1 }).catch((error) => error.message);
  return { reminded, refused };`;
let { details: result } = await exec.execute("call-1", { code });
while (result.status === "waiting") {
  ({ details: result } = await wait.execute("call-2", { runId: result.runId }));
}
console.log(result.status, JSON.stringify(result.value));
surface.dispose();
