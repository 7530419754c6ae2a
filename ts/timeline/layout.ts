/** Where everything in a timeline stands, before it is drawn: calls grouped by tool, packed into lanes. Pure. */
import type { TranscriptCall, TranscriptCell } from "../../index.js";

/** All calls of one tool in one cell. */
export interface ToolGroup {
  catalogId: string;
  /** In order of their start. */
  calls: TranscriptCall[];
  /** Calls that overlap lie in different lanes. */
  lanes: TranscriptCall[][];
  /** Calls with outcome "error". */
  failed: number;
  /** Sum and maximum over the calls. */
  totalMs: number;
  longestMs: number;
}

/** A cell with its extent and groups. */
export interface CellLayout {
  cell: TranscriptCell;
  startedAt: number;
  /** The last moment anything is known of; at least 1 ms after the start. */
  endedAt: number;
  /** In order of their first call. */
  groups: ToolGroup[];
  failed: number;
  /** Stretches the cell lay suspended. */
  suspensions: number;
  suspendedMs: number;
}

/** Lays out one cell. */
export function layoutCell(cell: TranscriptCell): CellLayout {
  const { startedAt } = cell;
  const moments = [
    cell.finishedAt,
    ...cell.calls.flatMap((call) => [call.startedAt, call.finishedAt]),
    ...cell.spans.flatMap((span) => [span.startedAt, span.finishedAt]),
    ...cell.limits.map(({ at }) => at),
    ...cell.notices.map(({ at }) => at),
  ];
  // A loop, since a spread of many thousand arguments overflows the stack.
  let endedAt = startedAt + 1;
  for (const moment of moments) {
    endedAt = Math.max(endedAt, moment ?? startedAt);
  }
  const suspended = cell.spans.filter(({ state }) => state === "suspended");
  return {
    cell,
    startedAt,
    endedAt,
    groups: groupCalls(cell.calls, endedAt),
    failed: cell.calls.filter(({ outcome }) => outcome === "error").length,
    suspensions: suspended.length,
    suspendedMs: suspended.reduce((sum, span) => sum + lengthMs(span, endedAt), 0),
  };
}

/** Length of a call or stretch; one that is not over lasts to the end of what is known. */
export function lengthMs(part: { startedAt: number; finishedAt?: number }, endedAt: number): number {
  return Math.max(0, (part.finishedAt ?? endedAt) - part.startedAt);
}

function groupCalls(calls: readonly TranscriptCall[], endedAt: number): ToolGroup[] {
  const groups = new Map<string, ToolGroup>();
  for (const call of calls.toSorted((a, b) => a.startedAt - b.startedAt)) {
    let group = groups.get(call.catalogId);
    if (!group) {
      group = { catalogId: call.catalogId, calls: [], lanes: [], failed: 0, totalMs: 0, longestMs: 0 };
      groups.set(call.catalogId, group);
    }
    const ms = lengthMs(call, endedAt);
    group.calls.push(call);
    group.failed += call.outcome === "error" ? 1 : 0;
    group.totalMs += ms;
    group.longestMs = Math.max(group.longestMs, ms);
    const lane = group.lanes.find((placed) => (placed.at(-1)?.finishedAt ?? endedAt) <= call.startedAt);
    if (lane) {
      lane.push(call);
    } else {
      group.lanes.push([call]);
    }
  }
  return [...groups.values()];
}
