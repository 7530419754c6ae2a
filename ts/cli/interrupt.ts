/** Ctrl-C and the polite kill: the first ends the work in order, the second ends the process. */
import { EXIT } from "./errors.js";

/** What listens for the two signals. */
export interface Interrupt {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal;
  /** The exit code a signal asked for. */
  readonly exitCode: number | undefined;
  dispose(): void;
}

/** Starts listening. */
export function listenForInterrupt(): Interrupt {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const on = (code: number) => () => {
    if (exitCode !== undefined) {
      process.exit(exitCode);
    }
    exitCode = code;
    controller.abort(new Error("interrupted"));
  };
  const listeners = { SIGINT: on(EXIT.interrupted), SIGTERM: on(EXIT.terminated) };
  for (const [name, listener] of Object.entries(listeners)) {
    process.on(name, listener);
  }
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    dispose() {
      for (const [name, listener] of Object.entries(listeners)) {
        process.off(name, listener);
      }
    },
  };
}
