/** Projects events into a transcript: real calls under their exec, and the stretches a timeline is drawn from. Pure. */
import type { CodeModeEvent, TranscriptCall, TranscriptCell } from "../index.js";

type EventOf<Type extends CodeModeEvent["type"]> = CodeModeEvent & { type: Type };

/** See `index.d.ts`. An event of a cell whose start was not seen opens the cell at that event. */
export function projectTranscript(events: Iterable<CodeModeEvent>): TranscriptCell[] {
  const cells = new Map<string, Projection>();
  for (const event of events) {
    let projection = cells.get(event.cellId);
    if (!projection) {
      projection = new Projection(event);
      cells.set(event.cellId, projection);
    }
    projection.apply(event);
  }
  return [...cells.values()].map(({ cell }) => cell);
}

class Projection {
  readonly cell: TranscriptCell;
  private readonly calls = new Map<string, TranscriptCall>();

  constructor(first: CodeModeEvent) {
    this.cell = {
      cellId: first.cellId,
      toolCallId: first.toolCallId,
      language: "javascript",
      startedAt: first.at,
      state: "running",
      calls: [],
      spans: [{ state: "running", startedAt: first.at }],
      limits: [],
      notices: [],
    };
  }

  apply(event: CodeModeEvent): void {
    const { cell } = this;
    switch (event.type) {
      case "cell_started":
        cell.language = event.language;
        break;
      case "cell_suspended":
        cell.state = "waiting";
        this.turn("suspended", event.at);
        break;
      case "cell_resumed":
        cell.state = "running";
        this.turn("running", event.at);
        break;
      case "cell_finished":
        this.finish(event);
        break;
      case "tool_started":
        this.start(event);
        break;
      case "tool_updated":
        this.call(event).updates += 1;
        break;
      case "tool_finished":
        this.settle(event);
        break;
      case "limit_hit":
        cell.limits.push({ at: event.at, limit: event.limit, message: event.message });
        break;
      case "notice":
        cell.notices.push({ at: event.at, kind: event.kind, message: event.message });
        break;
      default:
        // A newer engine may tell more than this projection knows.
        event satisfies never;
    }
  }

  private start(event: EventOf<"tool_started">): void {
    const call = this.call(event);
    if ("input" in event) {
      call.input = event.input;
    }
  }

  private settle(event: EventOf<"tool_finished">): void {
    const call = this.call(event);
    call.finishedAt = event.at;
    call.outcome = event.outcome;
    if (event.result !== undefined) {
      call.result = event.result;
    }
    if (event.error !== undefined) {
      call.error = event.error;
    }
  }

  /** Closes the cell; calls still open ended with it. */
  private finish(event: EventOf<"cell_finished">): void {
    const { cell } = this;
    cell.finishedAt = event.at;
    cell.state = event.state;
    if (event.code !== undefined) {
      cell.code = event.code;
    }
    if (event.detailCode !== undefined) {
      cell.detailCode = event.detailCode;
    }
    this.closeSpan(event.at);
    for (const call of cell.calls) {
      if (call.outcome === "running") {
        call.outcome = "aborted";
        call.finishedAt = event.at;
      }
    }
  }

  private call(event: EventOf<"tool_started" | "tool_updated" | "tool_finished">): TranscriptCall {
    let call = this.calls.get(event.nestedToolCallId);
    if (!call) {
      call = {
        toolCallId: event.nestedToolCallId,
        parentToolCallId: this.cell.toolCallId,
        catalogId: event.catalogId,
        toolName: event.toolName,
        startedAt: event.at,
        outcome: "running",
        updates: 0,
      };
      this.calls.set(event.nestedToolCallId, call);
      this.cell.calls.push(call);
    }
    return call;
  }

  private turn(state: "running" | "suspended", at: number): void {
    if (this.cell.spans.at(-1)?.state !== state) {
      this.closeSpan(at);
      this.cell.spans.push({ state, startedAt: at });
    }
  }

  private closeSpan(at: number): void {
    const span = this.cell.spans.at(-1);
    if (span && span.finishedAt === undefined) {
      span.finishedAt = at;
    }
  }
}
