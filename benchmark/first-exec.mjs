// One process: loading the package, then engine start and the first exec. Prints both in milliseconds.
const started = performance.now();
const { CodeModeEngine } = await import("../index.js");
const loaded = performance.now();
const engine = new CodeModeEngine();
const run = engine.openRun({ config: true, tools: [] });
await run.exec({ code: "return 1 + 1" });
process.stdout.write(`${loaded - started} ${performance.now() - loaded}`);
await engine.close();
