/** What the package does to its process: it never keeps it alive, never blocks its end, and lives in several threads. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { openRun, testEngine, valueOf } from "./helpers.js";

const entry = new URL("../index.js", import.meta.url).href;
const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a module in a process of its own. Rejects when it does not end by itself in time. */
async function script(body: string): Promise<{ code: number | null; signal: string | null; text: string }> {
  const source = `import { CodeModeEngine, defaultEngine } from ${JSON.stringify(entry)};\n${body}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], { cwd: root, timeout: 10_000 });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => (text += String(data)));
  }
  return new Promise((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, text }));
  });
}
const ended = { code: 0, signal: null };

describe("the end of a process", () => {
  it("is not held up by an idle engine, nor by a suspended cell", async () => {
    const body = `
      const run = new CodeModeEngine().openRun({ config: true, tools: [] });
      console.log((await run.exec({ code: "return 1" })).value, (await run.exec({ code: "await yield_control()" })).status);`;
    expect(await script(body)).toMatchObject({ ...ended, text: "1 waiting\n" });
  });

  it("is held up by a leg in progress until it is done", async () => {
    const body = `
      const run = defaultEngine().openRun({ config: true, tools: [] });
      void run.exec({ code: "await new Promise((r) => setTimeout(r, 150)); return 'done'" }).then((r) => console.log(r.value));`;
    expect(await script(body)).toMatchObject({ ...ended, text: "done\n" });
  });

  it("comes at process.exit, also while a guest computes", async () => {
    const body = `
      const run = new CodeModeEngine().openRun({ config: true, tools: [] });
      for (const code of ["for (;;);", "return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)"]) void run.exec({ code });
      setTimeout(() => process.exit(0), 100);`;
    expect(await script(body)).toMatchObject(ended);
  });

  it("comes after close, also while a guest computes", async () => {
    const body = `
      const engine = new CodeModeEngine();
      const run = engine.openRun({ config: true, tools: [] });
      const leg = run.exec({ code: "for (;;);" });
      setTimeout(() => void engine.close(), 50);
      console.log((await leg).code);`;
    expect(await script(body)).toMatchObject({ ...ended, text: "aborted\n" });
  });

  it("an engine that was never closed is replaced when the default one was", async () => {
    const body = `
      const first = defaultEngine();
      await first.close();
      const run = defaultEngine().openRun({ config: true, tools: [] });
      console.log(first !== defaultEngine(), (await run.exec({ code: "return 2" })).value);`;
    expect(await script(body)).toMatchObject({ ...ended, text: "true 2\n" });
  });
});

describe("V8's own signal handlers", () => {
  it("go on working: WebAssembly traps after hard stops", async () => {
    const body = `
      const run = new CodeModeEngine().openRun({ config: { enabled: true, timeoutMs: 100 }, tools: [] });
      await run.exec({ code: "return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)" });
      // (module (memory 1) (func (export "f") (result i32) i32.const -4 i32.load))
      const bytes = Uint8Array.from([0,97,115,109,1,0,0,0,1,5,1,96,0,1,127,3,2,1,0,5,3,1,0,1,7,5,1,1,102,0,0,10,9,1,7,0,65,124,40,2,0,11]);
      const { instance } = await WebAssembly.instantiate(bytes);
      try { instance.exports.f(); console.log("no trap") } catch (error) { console.log(error instanceof WebAssembly.RuntimeError) }`;
    expect(await script(body)).toMatchObject({ ...ended, text: "true\n" });
  });
});

describe("worker_threads", () => {
  const inWorker = (body: string) =>
    new Worker(
      `const { parentPort } = require("node:worker_threads");
       import(${JSON.stringify(entry)}).then(async ({ CodeModeEngine }) => {
         const run = new CodeModeEngine({ workerThreads: 1 }).openRun({ config: true, tools: [] });
         ${body}
       }).catch((error) => parentPort.postMessage(String(error)));`,
      { eval: true },
    );
  const message = (worker: Worker) => new Promise((resolve) => worker.once("message", resolve));

  it("each has engines of its own, and its end takes nobody along", async () => {
    const engine = testEngine();
    const run = openRun(engine);
    const workers = [1, 2, 3].map((n) =>
      inWorker(`parentPort.postMessage((await run.exec({ code: "return ${n} + 1" })).value);
                void run.exec({ code: "for (;;);" }); setInterval(() => {}, 1000);`),
    );
    expect(await Promise.all(workers.map(message))).toEqual([2, 3, 4]);
    await Promise.all(workers.map((worker) => worker.terminate()));
    expect(valueOf(await run.exec({ code: "return 6 * 7" }))).toBe(42);
    expect(engine.stats()).toMatchObject({ crashes: 0, lostWorkers: 0 });
    await engine.close();
  });

  it("ends by itself when its work is done", async () => {
    const worker = inWorker(`parentPort.postMessage((await run.exec({ code: "await yield_control()" })).status);`);
    const exited = new Promise((resolve) => worker.once("exit", resolve));
    expect(await message(worker)).toBe("waiting");
    expect(await exited).toBe(0);
  });
});
