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

/** How long events are looked for after something was asked of the engine. */
const POLL_MS = 0.1;

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
  /** What to undo when a cell is gone. */
  private readonly cleanups = new Map<number, (() => void)[]>();
  private readonly keepAlive: NodeJS.Timeout;
  /** The addon's way to this object; cut at the end of close, because the addon never lets go of its side. */
  private readonly link: Link = { drain: () => this.drain(this.polling) };
  private lastLeg = 0;
  private polling = false;
  private pollUntil = 0;
  private closing: Promise<void> | undefined;

  constructor(options: CodeModeEngineOptions = {}) {
    const checked = engineOptions(options);
    const addon = native();
    try {
      this.native = new addon.NativeEngine(JSON.stringify(checked), wakeUp(this.link));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CodeModeError("runtime_unavailable", `the code mode engine cannot start: ${reason}`, { cause: error });
    }
    this.calls = new HostCalls(
      this.native,
      (key) => this.runs.get(key),
      () => this.poll(),
    );
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

  /** @internal Starts a leg: `begin` gets its number and gives its cell, or the result when that is known at once. */
  leg(begin: (leg: number) => number | string): { cell: number; result: Promise<CodeModeResult> } | CodeModeResult {
    const leg = ++this.lastLeg;
    const begun = begin(leg);
    if (typeof begun === "string") {
      return JSON.parse(begun) as CodeModeResult;
    }
    if (this.legs.size === 0) {
      this.keepAlive.ref();
    }
    this.poll();
    return { cell: begun, result: new Promise((resolve) => this.legs.set(leg, resolve)) };
  }

  /** @internal Has `undo` called once the cell is gone. */
  whenGone(cell: number, undo: () => void): void {
    const known = this.cleanups.get(cell);
    if (known) {
      known.push(undo);
    } else {
      this.cleanups.set(cell, [undo]);
    }
  }

  /** @internal The cell is gone: nothing of it stays on this side. Idempotent. */
  cellGone(cell: number): void {
    for (const undo of this.cleanups.get(cell) ?? []) {
      undo();
    }
    this.cleanups.delete(cell);
  }

  private async shut(): Promise<void> {
    const joined = this.native.close();
    // Aborted legs are answered before the threads are gone.
    await joined;
    this.drain(false);
    for (const run of this.runs.values()) {
      run.close();
    }
    this.runs.clear();
    this.link.drain = undefined;
    clearInterval(this.keepAlive);
  }

  /**
   * Looks for events by itself for a short while: what answers within microseconds is then seen without a wake-up from
   * another thread. The loop runs on between two looks.
   */
  poll(): void {
    this.pollUntil = performance.now() + POLL_MS;
    if (!this.polling) {
      this.polling = true;
      setImmediate(this.look);
    }
  }

  private readonly look = (): void => {
    this.polling = this.legs.size > 0 && performance.now() < this.pollUntil;
    this.drain(this.polling);
    if (this.polling) {
      setImmediate(this.look);
    }
  };

  /** Takes what the engine has to say, in order. */
  private drain(polling: boolean): void {
    const events = this.native.takeEvents(polling);
    // A call of a cell that ended before we got to see it does not start any more. (Request 0 is no call: a note.)
    const ended = new Set(events.filter(({ kind }) => kind === 2).map(({ id }) => id));
    for (const event of events) {
      if (event.kind !== 1 || event.request === 0 || !ended.has(event.id)) {
        this.handle(event);
      }
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
        this.cellGone(event.id);
        return;
      default:
        this.runs.get(event.run)?.traced(event.body);
    }
  }
}

interface Link {
  drain: (() => void) | undefined;
}

/** A function of its own, so that its closure holds the link and nothing else. */
function wakeUp(link: Link): () => void {
  return () => link.drain?.();
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
