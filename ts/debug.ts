/**
 * Debug lines on stderr, one per event, when `OPENCLAW_DEBUG_CODE_MODE=1` or `CODE_MODE_DEBUG=1`. They hold ids, names,
 * states and durations; never inputs, results, messages of guests or tools, or source.
 */
import type { CodeModeEvent } from "../index.js";

type Fields = readonly (readonly [name: string, value: unknown])[];

/** Whether debug lines are wanted. Read at each activation, so that a gateway can switch without a restart. */
export function debugEnabled(env: Record<string, string | undefined> = process.env): boolean {
  return env.OPENCLAW_DEBUG_CODE_MODE === "1" || env.CODE_MODE_DEBUG === "1";
}

/** The listener to give to a run: writes the line of each event, then hands it on. Without debug, the listener itself. */
export function withDebugLines(
  listener: ((event: CodeModeEvent) => void) | undefined,
  write: (line: string) => void = writeLine,
): ((event: CodeModeEvent) => void) | undefined {
  if (!debugEnabled()) {
    return listener;
  }
  return (event) => {
    write(eventLine(event));
    // Handed back, because what an async listener rejects with is dealt with by the run.
    return listener?.(event);
  };
}

/** Writes the line of an activated surface. */
export function debugSurface(
  visibleTools: readonly string[],
  catalogToolCount: number,
  write: (line: string) => void = writeLine,
): void {
  if (debugEnabled()) {
    write(line("surface", [["visible", visibleTools.join(",")], ["catalog", catalogToolCount]])); // prettier-ignore
  }
}

/** One event as one line. */
export function eventLine(event: CodeModeEvent): string {
  return line(event.type, [["cell", event.cellId], ["call", event.toolCallId], ...eventFields(event)]);
}

function eventFields(event: CodeModeEvent): Fields {
  switch (event.type) {
    case "cell_started":
      return [["language", event.language], ["restartSafe", event.restartSafe]]; // prettier-ignore
    case "cell_suspended":
      return [
        ["runId", event.runId],
        ["reason", event.reason],
        ["imageBytes", event.imageBytes],
        ["ms", event.durationMs],
        ["pending", event.pendingCallIds.length],
      ];
    case "cell_resumed":
      return [["runId", event.runId], ["wait", event.waitToolCallId], ["ms", event.durationMs]]; // prettier-ignore
    case "cell_finished":
      return [["state", event.state], ["code", event.code], ["detail", event.detailCode], ["ms", event.durationMs]]; // prettier-ignore
    case "tool_started":
    case "tool_updated":
      return [["nested", event.nestedToolCallId], ["tool", event.catalogId]]; // prettier-ignore
    case "tool_finished":
      return [
        ["nested", event.nestedToolCallId],
        ["tool", event.catalogId],
        ["outcome", event.outcome],
        ["ms", event.durationMs],
      ];
    case "limit_hit":
      return [["limit", event.limit]];
    case "notice":
      return [["kind", event.kind]];
    default:
      return [];
  }
}

function line(what: string, fields: Fields): string {
  const shown = fields
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) => `${name}=${typeof value === "number" ? Math.round(value * 1000) / 1000 : bare(String(value))}`,
    );
  return ["code-mode", what, ...shown].join(" ");
}

/** A value that cannot break its line: quoted when it holds anything but printable ASCII without spaces. */
function bare(value: string): string {
  return /^[!-~]+$/u.test(value) ? value : JSON.stringify(value).replaceAll(/[\u007f-\uffff]/gu, "?");
}

function writeLine(text: string): void {
  process.stderr.write(`${text}\n`);
}
