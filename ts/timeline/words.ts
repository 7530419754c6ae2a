/** Words of a timeline: durations, and names that somebody else chose made harmless for a page or a terminal. Pure. */
import type { TranscriptCell } from "../../index.js";
import type { CellLayout } from "./layout.js";

/** A duration as people read it. */
export function duration(ms: number): string {
  if (ms < 1) {
    return "<1 ms";
  }
  if (ms < 1000) {
    return `${Math.round(ms)} ms`;
  }
  if (ms < 59_995) {
    return `${(ms / 1000).toFixed(2)} s`;
  }
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** `1 call`, `2 calls`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/**
 * One line of visible text: control characters, direction marks, lone surrogates and private characters, which could
 * steer a terminal or turn a line around, become U+FFFD. Cut to `longest` characters, the middle left out.
 */
export function plain(text: string, longest = 200): string {
  // Cut first: a text of megabytes is not worth scanning.
  const short = text.length > longest * 4 ? `${text.slice(0, longest * 2)}${text.slice(-longest * 2)}` : text;
  const characters = Array.from(short.replaceAll(/[\p{C}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu, "\uFFFD"));
  if (characters.length <= longest) {
    return characters.join("");
  }
  const tail = Math.floor((longest - 1) * 0.6);
  return `${characters.slice(0, longest - 1 - tail).join("")}…${characters.slice(-tail).join("")}`;
}

/** The headline of a cell. */
export function headline(layout: CellLayout): string {
  const { cell, groups, failed, suspensions, suspendedMs } = layout;
  const calls = cell.calls.length;
  return [
    `exec ${plain(cell.toolCallId, 40)}`,
    cellState(cell),
    duration(layout.endedAt - layout.startedAt),
    calls === 0 ? "no calls" : `${count(calls, "call")} of ${count(groups.length, "tool")}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(suspensions > 0 ? [`suspended ${suspensions === 1 ? "once" : `${suspensions} times`}, ${duration(suspendedMs)}`] : []), // prettier-ignore
  ].join(" · ");
}

function cellState({ state, code, detailCode }: TranscriptCell): string {
  const reason = detailCode ?? code;
  return reason === undefined || reason === state ? state : `${state} (${plain(reason, 40)})`;
}
