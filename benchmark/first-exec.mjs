// One process: import, engine start and the first exec, timed together. Prints milliseconds.
const started = performance.now();
const { CodeModeEngine } = await import("../index.js");
const engine = new CodeModeEngine();
const run = engine.openRun({ config: true, tools: [] });
await run.exec({ code: "return 1 + 1" });
process.stdout.write(String(performance.now() - started));
await engine.close();
