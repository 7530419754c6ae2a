/** The timeline: what it shows of a run, at 3 and at 300 calls, and that nothing a tool or guest says gets out of its place. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderTimeline } from "../index.js";
import type { CodeModeEngine, CodeModeEvent, CodeModeTool } from "../index.js";
import { answering, openRun, testEngine } from "./helpers.js";

const HOSTILE = `</title></text><script>alert("x")</script>&'\u001B[31m\u202E\uD800\u0000`;
const base = { cellId: "1", toolCallId: "call-1" };

/** Events of one cell with calls one after the other, each 4 ms long and 1 ms apart. */
function sequence(calls: number, name = (index: number) => `tool_${index % 5}`): CodeModeEvent[] {
  const events: CodeModeEvent[] = [
    { ...base, type: "cell_started", at: 0, language: "javascript", restartSafe: false },
  ];
  for (let index = 0; index < calls; index += 1) {
    const call = {
      ...base,
      nestedToolCallId: `call-1/t/${index}`,
      catalogId: `openclaw:core:${name(index)}`,
      toolName: "t",
    };
    events.push({ ...call, type: "tool_started", at: index * 5 });
    const outcome = index % 10 === 9 ? "error" : "ok";
    events.push({ ...call, type: "tool_finished", at: index * 5 + 4, outcome, durationMs: 4 });
  }
  events.push({ ...base, type: "cell_finished", at: calls * 5, state: "completed", durationMs: calls * 5 });
  return events;
}

describe("renderTimeline", () => {
  it("shows each of a few calls, its length and its outcome", () => {
    const events: CodeModeEvent[] = [
      ...sequence(2).slice(0, -1),
      { ...base, type: "cell_suspended", at: 10, runId: "cm_1", reason: "yield", imageBytes: 1, durationMs: 10, pendingCallIds: [] }, // prettier-ignore
      { ...base, type: "cell_resumed", at: 260, runId: "cm_1", waitToolCallId: "call-2", durationMs: 250 },
      { ...base, type: "limit_hit", at: 300, limit: "output", message: "code mode output limit exceeded" },
      { ...base, type: "cell_finished", at: 300, state: "failed", code: "output_limit_exceeded", durationMs: 300 },
    ];
    const { text, svg, html } = renderTimeline(events);
    expect(text.split("\n")).toEqual([
      "exec call-1 · failed (output_limit_exceeded) · 300 ms · 2 calls of 2 tools · suspended once, 250 ms",
      "  |=........................................=======|  guest: = running, . suspended",
      `  |#${" ".repeat(47)}|  openclaw:core:tool_0 4 ms`,
      `  |##${" ".repeat(46)}|  openclaw:core:tool_1 4 ms`,
      "  limit at 300 ms: code mode output limit exceeded",
    ]);
    expect(svg.match(/class="cm-running"/gu)).toHaveLength(2);
    expect(svg.match(/class="cm-suspended"/gu)).toHaveLength(1);
    expect(svg.match(/<rect class="cm-ok"/gu)).toHaveLength(2);
    expect(svg).toContain("suspended, 250 ms");
    expect(svg).toContain("limit: output");
    expect(html).toContain(svg);
    expect(html).toContain("all 2 calls");
  });

  it("tells failed, aborted and open calls apart", () => {
    const call = (id: string) => ({ ...base, nestedToolCallId: id, catalogId: `openclaw:core:${id}`, toolName: id });
    const { svg, text } = renderTimeline([
      { ...base, type: "cell_started", at: 0, language: "javascript", restartSafe: false },
      { ...call("bad"), type: "tool_started", at: 0 },
      { ...call("bad"), type: "tool_finished", at: 9, outcome: "error", durationMs: 9, error: "no such row" },
      { ...call("cut"), type: "tool_started", at: 1 },
      { ...call("cut"), type: "tool_finished", at: 9, outcome: "aborted", durationMs: 8 },
      { ...call("open"), type: "tool_started", at: 2 },
    ]);
    for (const outcome of ["error", "aborted", "open"]) {
      expect(svg.match(new RegExp(`<rect class="cm-${outcome}"`, "gu")), outcome).toHaveLength(1);
    }
    expect(svg).toContain("no such row");
    expect(text).toContain("openclaw:core:bad 9 ms, error");
    expect(text).toContain("openclaw:core:open 7 ms, running");
  });

  it("puts overlapping calls of a tool into lanes, and calls after one another into the same", () => {
    const call = (id: number, at: number, end: number): CodeModeEvent[] => {
      const head = { ...base, nestedToolCallId: String(id), catalogId: "openclaw:core:x", toolName: "x" };
      return [
        { ...head, type: "tool_started", at },
        { ...head, type: "tool_finished", at: end, outcome: "ok", durationMs: end - at },
      ];
    };
    const { svg } = renderTimeline([call(1, 0, 100), call(2, 50, 150), call(3, 100, 200)].flat());
    const tops = [...svg.matchAll(/<rect class="cm-ok" x="[\d.]+" y="(?<y>[\d.]+)"/gu)].map(({ groups }) => groups!.y);
    expect(tops).toHaveLength(3);
    expect(new Set(tops).size).toBe(2);
  });

  it("groups many calls by tool and counts them", () => {
    const { text, svg, html } = renderTimeline(sequence(300));
    expect(text.split("\n")).toHaveLength(2 + 5);
    expect(text).toContain("openclaw:core:tool_4: 60 calls, longest 4 ms, 30 failed");
    expect(svg).toContain("×60, 30 failed");
    expect(svg.match(/<rect class="cm-(?:ok|error)"/gu)).toHaveLength(300);
    expect(html).toContain("<details><summary>all 300 calls</summary>");
  });

  it("stays small for very many calls", () => {
    const { html, svg } = renderTimeline(sequence(50_000));
    expect(svg.length).toBeLessThan(2_000_000);
    expect(html.length).toBeLessThan(3_000_000);
    expect(html).toContain("and 49000 more");
  });

  it("escapes every text, and lets no control character through", () => {
    const call = { ...base, toolCallId: HOSTILE, nestedToolCallId: HOSTILE, catalogId: HOSTILE, toolName: HOSTILE };
    const { html, svg, text } = renderTimeline(
      [
        { ...base, toolCallId: HOSTILE, type: "cell_started", at: 0, language: "javascript", restartSafe: false },
        { ...call, type: "tool_started", at: 0 },
        { ...call, type: "tool_finished", at: 5, outcome: "error", durationMs: 5, error: HOSTILE },
        { ...base, type: "limit_hit", at: 6, limit: HOSTILE as "output", message: HOSTILE },
        { ...base, type: "notice", at: 6, kind: "log", message: HOSTILE },
        { ...base, type: "cell_finished", at: 9, state: "failed", code: HOSTILE as "timeout", durationMs: 9 },
      ],
      { title: HOSTILE },
    );
    for (const [name, drawn] of Object.entries({ html, svg })) {
      expect(drawn, name).not.toMatch(/<script|<\/title><\/text>/u);
      expect(drawn, name).not.toMatch(/ (?:on\w+|href|src)=|url\((?!#cm-hatch)/u);
    }
    // oxlint-disable-next-line no-control-regex
    expect(html + svg + text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F\u202E]|\p{Cs}/u);
    expect(html).toContain("default-src 'none'");
  });

  it("takes no events, odd times and unknown events", () => {
    expect(renderTimeline([]).text).toBe("(nothing ran)");
    expect(renderTimeline([]).html).toContain("Nothing ran.");
    const odd = sequence(3).map((event) => ({ ...event, at: event.at > 5 ? Number.NaN : -event.at }));
    expect(renderTimeline(odd).svg).not.toContain("NaN");
    expect(renderTimeline([{ ...base, type: "newer", at: 1 } as unknown as CodeModeEvent]).text).toContain("no calls");
  });
});

describe("a real run", () => {
  let engine: CodeModeEngine;
  beforeAll(() => {
    engine = testEngine();
  });
  afterAll(() => engine.close());

  it("is drawn from its events", async () => {
    const events: CodeModeEvent[] = [];
    const tools: CodeModeTool[] = [answering("quick", () => 1), answering("slow", () => sleep(60))];
    const run = openRun(engine, {}, { tools, onEvent: (event) => events.push(event) });
    const code = "const slow = tools.slow({}); await tools.quick({}); await yield_control('x'); await slow; return 1";
    const first = await run.exec({ code }, { toolCallId: "call-9" });
    await run.wait({ runId: first.status === "waiting" ? first.runId : "" });
    const { svg, text } = renderTimeline(events);
    expect(text).toMatch(/^exec call-9 · completed · .* · 2 calls of 2 tools · suspended once/u);
    expect(svg).toContain("leg 2");
    run.close();
  });
});

const browser = ["chromium", "chromium-browser", "google-chrome"].find(
  (command) => spawnSync(command, ["--version"], { timeout: 20_000 }).status === 0,
);

describe.skipIf(browser === undefined)("in a browser (skipped without Chromium)", () => {
  const folder = mkdtempSync(join(tmpdir(), "code-mode-timeline-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const open = (page: string, ...flags: string[]) => {
    const quiet = ["--no-first-run", "--disable-quic", "--disable-background-networking", "--disable-component-update"];
    const basic = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-sync", "--hide-scrollbars", ...quiet];
    const own = [`--user-data-dir=${join(folder, "profile")}`, "--window-size=1280,900"];
    return execFileSync(browser!, [...basic, ...own, ...flags, `file://${page}`], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 60_000,
    });
  };

  it.each([3, 300])("is a page that draws %i calls and runs nothing", { timeout: 90_000 }, (calls) => {
    const page = join(folder, `${calls}.html`);
    const name = (index: number) => (index === 1 ? '<img src=x onerror="document.title=1">' : `tool_${index % 4}`);
    writeFileSync(page, renderTimeline(sequence(calls, name), { title: "<b>orders</b>" }).html);
    const dom = open(page, "--dump-dom");
    expect(dom).toContain("<title>&lt;b&gt;orders&lt;/b&gt;</title>");
    expect(dom.match(/<rect class="cm-(?:ok|error)"/gu)).toHaveLength(calls);
    expect(dom).not.toContain("<img");
    const picture = join(folder, `${calls}.png`);
    open(page, `--screenshot=${picture}`);
    expect(readFileSync(picture).byteLength).toBeGreaterThan(10_000);
  });
});
