/**
 * The engine: one addon instance, the legs in progress, and the way of events to their runs. Everything here runs on the
 * thread that made it; the addon's own threads only ever ask for `drain`.
 */
import type { CodeModeEngineOptions, CodeModeRunOptions, CodeModeResult, EngineStats } from "../index.js";
import { CodeModeError } from "./errors.js";
import { HostCalls } from "./host.js";
import { native, type NativeEngine, type NativeEvent } from "./native.js";
import { CodeModeRun } from "./run.js";

const LIMITS = { workerThreads: 64, maxSuspendedRuns: 1_000_000, maxActiveCells: 1_000_000 } as const;

/** Settles a leg's promise. */
export type LegWaiter = (result: CodeModeResult) => void;

/** See `index.d.ts`. */
export class CodeModeEngine implements AsyncDisposable {
  /** @internal */
  readonly native: NativeEngine;
  /** @internal Nested calls of all runs. */
  readonly calls: HostCalls;
  /** @internal */
  readonly runs = new Map<number, CodeModeRun>();
  private readonly legs = new Map<number, LegWaiter>();
  private readonly keepAlive: NodeJS.Timeout;
  private lastLeg = 0;
  private closing: Promise<void> | undefined;

  constructor(options: CodeModeEngineOptions = {}) {
    const checked = engineOptions(options);
    const addon = native();
    try {
      this.native = new addon.NativeEngine(JSON.stringify(checked), () => this.drain());
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CodeModeError("runtime_unavailable", `the code mode engine cannot start: ${reason}`, { cause: error });
    }
    this.calls = new HostCalls(this.native, (key) => this.runs.get(key));
    // Holds the process while a leg is in progress, and only then.
    this.keepAlive = setInterval(() => {}, 2 ** 31 - 1).unref();
  }

  /** See `index.d.ts`. */
  openRun(options: CodeModeRunOptions): CodeModeRun {
    return CodeModeRun.open(this, options);
  }

  /** See `index.d.ts`. */
  stats(): EngineStats {
    return JSON.parse(this.native.stats()) as EngineStats;
  }

  /** See `index.d.ts`. */
  close(): Promise<void> {
    this.closing ??= this.shut();
    return this.closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @internal */
  get closed(): boolean {
    return this.closing !== undefined;
  }

  /** @internal Starts a leg: `begin` gets its number and may answer at once. */
  leg(begin: (leg: number) => string | null): { leg: number; result: Promise<CodeModeResult> } {
    const leg = ++this.lastLeg;
    const result = new Promise<CodeModeResult>((resolve) => {
      const known = begin(leg);
      if (known !== null) {
        resolve(JSON.parse(known) as CodeModeResult);
        return;
      }
      if (this.legs.size === 0) {
        this.keepAlive.ref();
      }
      this.legs.set(leg, resolve);
    });
    return { leg, result };
  }

  private async shut(): Promise<void> {
    const joined = this.native.close();
    // Aborted legs are answered before the threads are gone.
    await joined;
    this.drain();
    for (const run of this.runs.values()) {
      run.close();
    }
    clearInterval(this.keepAlive);
  }

  /** Takes what the engine has to say, in order. */
  private drain(): void {
    for (const event of this.native.takeEvents()) {
      this.handle(event);
    }
  }

  private handle(event: NativeEvent): void {
    switch (event.kind) {
      case 0: {
        const settle = this.legs.get(event.id);
        this.legs.delete(event.id);
        if (this.legs.size === 0) {
          this.keepAlive.unref();
        }
        settle?.(JSON.parse(event.body) as CodeModeResult);
        return;
      }
      case 1:
        this.calls.dispatch(event);
        return;
      case 2:
        this.calls.cellEnded(event.id);
        return;
      default:
        this.runs.get(event.run)?.traced(event.body);
    }
  }
}

let shared: CodeModeEngine | undefined;

/** See `index.d.ts`. */
export function defaultEngine(): CodeModeEngine {
  if (shared === undefined || shared.closed) {
    shared = new CodeModeEngine();
  }
  return shared;
}

function engineOptions(options: CodeModeEngineOptions): Record<string, unknown> {
  if (typeof options !== "object" || options === null) {
    throw new TypeError("CodeModeEngine options must be an object.");
  }
  const checked: Record<string, unknown> = { testHooks: process.env.CODE_MODE_TEST_HOOKS === "1" };
  for (const [name, max] of Object.entries(LIMITS)) {
    const value = options[name as keyof typeof LIMITS];
    if (value === undefined) {
      continue;
    }
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > max) {
      throw new RangeError(`${name} must be an integer from 1 to ${max}, not ${String(value)}.`);
    }
    checked[name] = value;
  }
  return checked;
}
