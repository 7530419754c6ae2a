/** Draws a timeline as text: a line for the cell, and one for each nested call, or for each tool when there are many. */
import type { TranscriptCall } from "../../index.js";
import { lengthMs, type CellLayout, type ToolGroup } from "./layout.js";
import { count, duration, headline, plain } from "./words.js";

const WIDTH = 48;
/** More calls than this are drawn one line per tool. */
const MOST_CALL_LINES = 40;

/** The text of all cells, without a newline at its end. */
export function drawText(layouts: readonly CellLayout[]): string {
  return layouts.length === 0 ? "(nothing ran)" : layouts.map(drawCell).join("\n");
}

function drawCell(layout: CellLayout): string {
  const { cell, startedAt, endedAt, groups } = layout;
  const scale = (at: number): number =>
    Math.max(0, Math.min(WIDTH - 1, Math.floor(((at - startedAt) / (endedAt - startedAt)) * WIDTH)));
  const bar = (parts: Iterable<{ startedAt: number; finishedAt?: number; mark: string }>): string => {
    const line = Array.from({ length: WIDTH }, () => " ");
    for (const { startedAt: from, finishedAt: to, mark } of parts) {
      line.fill(mark, scale(from), scale(to ?? endedAt) + 1);
    }
    return line.join("");
  };
  const life = bar(cell.spans.map((span) => ({ ...span, mark: span.state === "running" ? "=" : "." })));
  const rows =
    cell.calls.length > MOST_CALL_LINES
      ? groups.map((group) => [bar(marked(group.calls)), groupWords(group)])
      : cell.calls.map((call) => [bar(marked([call])), callWords(call, endedAt)]);
  return [
    headline(layout),
    `  |${life}|  guest: = running, . suspended`,
    ...rows.map(([line, words]) => `  |${line}|  ${words}`),
    ...cell.limits.map(({ at, message }) => `  limit at ${duration(at - startedAt)}: ${plain(message)}`),
  ].join("\n");
}

/** Failures last, so that none is painted over. */
function marked(calls: readonly TranscriptCall[]): (TranscriptCall & { mark: string })[] {
  return calls
    .map((call) => ({ ...call, mark: call.outcome === "error" ? "x" : call.outcome === "aborted" ? "-" : "#" }))
    .toSorted((a, b) => Number(a.mark === "x") - Number(b.mark === "x"));
}

function callWords(call: TranscriptCall, endedAt: number): string {
  const outcome = call.outcome === "ok" ? "" : `, ${call.outcome}`;
  return `${plain(call.catalogId, 80)} ${duration(lengthMs(call, endedAt))}${outcome}`;
}

function groupWords({ catalogId, calls, failed, longestMs }: ToolGroup): string {
  const failures = failed > 0 ? `, ${failed} failed` : "";
  return `${plain(catalogId, 80)}: ${count(calls.length, "call")}, longest ${duration(longestMs)}${failures}`;
}
