/** Exit codes of the command, and the error that carries one together with its line. */

/** What the command's exit code says. */
export const EXIT = { ok: 0, failed: 1, usage: 2, server: 3, interrupted: 130, terminated: 143 } as const;

/** Told to the user as one line, without a stack. */
export class CliError extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The reason of anything thrown, as one line. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] ?? "";
}

/** Why a file could not be read or written, in words. */
export function fileReason(error: unknown): string {
  const words: Record<string, string> = {
    ENOENT: "no such file or directory",
    EACCES: "permission denied",
    EISDIR: "it is a directory",
    ENOTDIR: "a part of its path is not a directory",
  };
  const code = (error as { code?: unknown } | null)?.code;
  return (typeof code === "string" ? words[code] : undefined) ?? reasonOf(error);
}
