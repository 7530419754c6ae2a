/** The addon. A failure to load it is kept and told at the first use, so that importing the package never throws. */
import { CodeModeError } from "./errors.js";

export type { NativeEngine, NativeEvent, NativeReply } from "../native.js";

type Addon = typeof import("../native.js");

const loaded: { addon: Addon } | { error: unknown } = await import("../native.js").then(
  (addon: Addon) => ({ addon }),
  (error: unknown) => ({ error }),
);

/** @throws CodeModeError with code `runtime_unavailable` when there is no addon for this platform. */
export function native(): Addon {
  if ("addon" in loaded) {
    return loaded.addon;
  }
  const reason = loaded.error instanceof Error ? loaded.error.message : String(loaded.error);
  throw new CodeModeError("runtime_unavailable", `the code-mode addon could not be loaded: ${reason}`, {
    cause: loaded.error,
  });
}
