// The same work on quickjs-wasi: a VM made, used and disposed for each cell, its module compiled once beforehand.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { QuickJS } from "quickjs-wasi";

const require = createRequire(import.meta.url);
const wasm = await WebAssembly.compile(await readFile(require.resolve("quickjs-wasi/quickjs.wasm")));
const options = { wasm, memoryLimit: 64 * 1024 * 1024, interruptHandler: () => false };

/** One program in a VM of its own. */
export async function evaluate(source) {
  const vm = await QuickJS.create(options);
  try {
    return vm.dump(vm.evalCode(source));
  } finally {
    vm.dispose();
  }
}

/** A program that awaits `count` host calls, one after the other, each answered at once. */
export async function nestedCalls(count) {
  const vm = await QuickJS.create(options);
  try {
    const pending = [];
    const host = vm.newFunction("host", (input) => {
      const deferred = vm.newPromise();
      pending.push([deferred, vm.dump(input)]);
      return deferred.handle;
    });
    vm.setProp(vm.global, "host", host);
    const source = `(async () => { let n = 0; for (let i = 0; i < ${count}; i++) n = (await host({ n })).n; return n; })()`;
    const promise = vm.evalCode(source);
    const settled = vm.resolvePromise(promise);
    for (let answered = 0; answered < count; answered += 1) {
      const [deferred, input] = pending.shift();
      deferred.resolve(vm.hostToHandle({ n: input.n + 1 }));
      vm.executePendingJobs();
    }
    const { value } = await settled;
    return value.toNumber();
  } finally {
    vm.dispose();
  }
}

/** Suspends a VM with an open promise and resumes it in a new one. Returns the image's bytes. */
export async function suspendAndResume() {
  const vm = await QuickJS.create(options);
  vm.evalCode(
    "globalThis.done = 0; globalThis.go = undefined; new Promise((r) => { go = r; }).then((v) => { done = v; })",
  );
  vm.executePendingJobs();
  const image = QuickJS.serializeSnapshot(vm.snapshot());
  vm.dispose();
  const restored = await QuickJS.restore(QuickJS.deserializeSnapshot(image), options);
  restored.evalCode("go(42)");
  restored.executePendingJobs();
  const value = restored.evalCode("done").toNumber();
  restored.dispose();
  if (value !== 42) {
    throw new Error(`the reference lost its state: ${value}`);
  }
  return image.byteLength;
}
