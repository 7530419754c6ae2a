// A TypeScript program that hands control back while a slow tool runs: exec returns "waiting", wait goes on.
// Run it with: npm start -- examples/programs/slow.ts
interface Step {
  name: string;
  ms: number;
}

const steps: Step[] = [];
const slow = MCP.everything.triggerLongRunningOperation({ duration: 1, steps: 4 });
text("started the slow operation");
await yield_control("waiting for the operation");
const started = performance.now();
const { content } = await slow;
steps.push({ name: content[0].text as string, ms: Math.round(performance.now() - started) });
return steps;
