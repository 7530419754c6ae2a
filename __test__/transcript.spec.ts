import { describe, expect, it, vi } from "vitest";
import type { CodeModeEvent } from "../index.js";
import { debugEnabled, eventLine, withDebugLines } from "../ts/debug.js";
import { projectTranscript } from "../ts/transcript.js";

const base = (at: number, cellId = "c1", toolCallId = "call-1") => ({ at, cellId, toolCallId });
const call = (n: number) => ({
  nestedToolCallId: `call-1/read/${n}`,
  catalogId: "openclaw:core:read",
  toolName: "read",
});
const result = { content: [], details: { secret: "s3cret" } };

const events: CodeModeEvent[] = [
  { ...base(0), type: "cell_started", language: "typescript", restartSafe: false },
  { ...base(1), ...call(1), type: "tool_started", input: { path: "s3cret" } },
  { ...base(2, "c2", "call-2"), type: "cell_started", language: "javascript", restartSafe: true },
  { ...base(3), ...call(2), type: "tool_started", input: {} },
  { ...base(4), ...call(1), type: "tool_updated", partial: result },
  { ...base(5), ...call(1), type: "tool_finished", outcome: "ok", durationMs: 4, result },
  {
    ...base(6),
    type: "cell_suspended",
    runId: "cm_1",
    reason: "pending_tools",
    imageBytes: 5000,
    durationMs: 6.12345,
    pendingCallIds: ["call-1/read/2"],
  },
  { ...base(9), type: "cell_resumed", runId: "cm_1", waitToolCallId: "call-3", durationMs: 3 },
  { ...base(9), type: "notice", kind: "log", message: "s3cret" },
  { ...base(10), type: "limit_hit", limit: "output", message: "code mode output limit exceeded" },
  {
    ...base(11),
    type: "cell_finished",
    state: "failed",
    code: "output_limit_exceeded",
    detailCode: "output_limit_exceeded",
    durationMs: 11,
  },
];

describe("projectTranscript", () => {
  it("puts nested calls under their exec and cuts the cell's life into stretches", () => {
    const [first, second] = projectTranscript(events);
    expect(first).toEqual({
      cellId: "c1",
      toolCallId: "call-1",
      language: "typescript",
      startedAt: 0,
      finishedAt: 11,
      state: "failed",
      code: "output_limit_exceeded",
      detailCode: "output_limit_exceeded",
      calls: [
        {
          toolCallId: "call-1/read/1",
          parentToolCallId: "call-1",
          catalogId: "openclaw:core:read",
          toolName: "read",
          startedAt: 1,
          finishedAt: 5,
          outcome: "ok",
          input: { path: "s3cret" },
          result,
          updates: 1,
        },
        {
          toolCallId: "call-1/read/2",
          parentToolCallId: "call-1",
          catalogId: "openclaw:core:read",
          toolName: "read",
          startedAt: 3,
          finishedAt: 11,
          outcome: "aborted",
          input: {},
          updates: 0,
        },
      ],
      spans: [
        { state: "running", startedAt: 0, finishedAt: 6 },
        { state: "suspended", startedAt: 6, finishedAt: 9 },
        { state: "running", startedAt: 9, finishedAt: 11 },
      ],
      limits: [{ at: 10, limit: "output", message: "code mode output limit exceeded" }],
      notices: [{ at: 9, kind: "log", message: "s3cret" }],
    });
    expect(second).toMatchObject({ cellId: "c2", state: "running", calls: [] });
    expect(second?.spans).toEqual([{ state: "running", startedAt: 2 }]);
  });

  it("shows a waiting cell, a failed call, and a cell whose start was not seen", () => {
    const [cell] = projectTranscript([
      { ...base(1), ...call(1), type: "tool_finished", outcome: "error", durationMs: 1, error: "no" },
      { ...events[6]!, at: 2 },
    ]);
    expect(cell).toMatchObject({ startedAt: 1, state: "waiting" });
    expect(cell?.calls).toMatchObject([{ outcome: "error", error: "no", startedAt: 1, finishedAt: 1 }]);
    expect(cell?.spans.at(-1)).toEqual({ state: "suspended", startedAt: 2 });
    expect(projectTranscript([])).toEqual([]);
  });
});

describe("debug lines", () => {
  it("are wanted by either variable, as 1 only", () => {
    expect(debugEnabled({})).toBe(false);
    expect(debugEnabled({ OPENCLAW_DEBUG_CODE_MODE: "0", CODE_MODE_DEBUG: "true" })).toBe(false);
    expect(debugEnabled({ OPENCLAW_DEBUG_CODE_MODE: "1" })).toBe(true);
    expect(debugEnabled({ CODE_MODE_DEBUG: "1" })).toBe(true);
  });

  it("name ids and states, never inputs, results or messages", () => {
    const lines = events.map(eventLine);
    expect(lines.join("\n")).not.toContain("s3cret");
    expect(lines[0]).toBe("code-mode cell_started cell=c1 call=call-1 language=typescript restartSafe=false");
    expect(lines[5]).toBe(
      "code-mode tool_finished cell=c1 call=call-1 nested=call-1/read/1 tool=openclaw:core:read outcome=ok ms=4",
    );
    expect(lines[6]).toBe(
      "code-mode cell_suspended cell=c1 call=call-1 runId=cm_1 reason=pending_tools imageBytes=5000 ms=6.123 pending=1",
    );
    expect(lines[8]).toBe("code-mode notice cell=c1 call=call-1 kind=log");
    expect(lines[9]).toBe("code-mode limit_hit cell=c1 call=call-1 limit=output");
  });

  it("stay one line for hostile names", () => {
    const hostile = { ...base(1), ...call(1), type: "tool_updated" as const, catalogId: "mcp:x:a\nb \u001b[31m\u2028" };
    expect(eventLine(hostile)).toBe(
      String.raw`code-mode tool_updated cell=c1 call=call-1 nested=call-1/read/1 tool="mcp:x:a\nb \u001b[31m?"`,
    );
  });

  it("go before the listener, which is left alone when debug is off", () => {
    const listener = vi.fn();
    expect(withDebugLines(listener)).toBe(listener);
    vi.stubEnv("CODE_MODE_DEBUG", "1");
    const lines: string[] = [];
    withDebugLines(listener, (line) => lines.push(line))?.(events[0]!);
    vi.unstubAllEnvs();
    expect(lines).toHaveLength(1);
    expect(listener).toHaveBeenCalledExactlyOnceWith(events[0]);
  });
});
