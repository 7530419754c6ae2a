/** The one error class of the host's side: for failures that no result can carry. */
import type { CodeModeErrorCode } from "../index.js";

/** See `index.d.ts`. */
export class CodeModeError extends Error {
  override readonly name = "CodeModeError";

  constructor(
    readonly code: CodeModeErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
