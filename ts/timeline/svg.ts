/**
 * Draws a timeline as one SVG: per cell a headline, a scale, the guest's legs and suspensions, and the nested calls as bars
 * in lanes, one group of lanes per tool. It stands alone or inside a page, in light and dark. Pure.
 */
import type { TranscriptCall, TranscriptSpan } from "../../index.js";
import { lengthMs, type CellLayout, type ToolGroup } from "./layout.js";
import { escapeMarkup } from "./markup.js";
import { STYLE } from "./style.js";
import { count, duration, headline, plain } from "./words.js";

const WIDTH = 1200;
const GUTTER = 290;
const PLOT = WIDTH - GUTTER - 24;
const MARGIN = 16;
const CHARACTER = 6.7;
const TRACK = 22;
/** Narrower bars could not be seen. */
const NARROWEST = 2;

/** A picture of all cells, one below the other, each with a scale of its own. */
export function drawSvg(layouts: readonly CellLayout[]): string {
  let y = MARGIN;
  const parts: string[] = [];
  for (const layout of layouts) {
    const drawn = new CellPicture(layout, y);
    parts.push(drawn.markup);
    y = drawn.bottom + 28;
  }
  if (layouts.length === 0) {
    parts.push(text(MARGIN, y + 14, "cm-note", "Nothing ran."));
    y += 40;
  }
  const size = `viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="cm" role="img" aria-label="Timeline" ${size}>` +
    `<style>${STYLE}</style>${HATCH}<rect class="cm-paper" width="${WIDTH}" height="${y}"/>${parts.join("")}</svg>`
  );
}

const HATCH =
  '<defs><pattern id="cm-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
  '<rect class="cm-hatch-ground" width="6" height="6"/><rect class="cm-hatch-line" width="2" height="6"/></pattern></defs>';

class CellPicture {
  readonly markup: string;
  bottom: number;
  private readonly parts: string[] = [];
  /** Below the grid, which lies below everything else. */
  private readonly bands: string[] = [];

  constructor(
    private readonly layout: CellLayout,
    top: number,
  ) {
    this.parts.push(text(MARGIN, top + 14, "cm-head", headline(layout)));
    const scaleTop = top + 26;
    this.bottom = scaleTop + 20;
    this.guestTrack();
    for (const [index, group] of layout.groups.entries()) {
      this.group(group, index);
    }
    this.markers(scaleTop + 16);
    // The grid is as high as what stands on it.
    this.markup = `${this.bands.join("")}${this.grid(scaleTop)}${this.parts.join("")}`;
  }

  private x(at: number): number {
    const { startedAt, endedAt } = this.layout;
    const share = (at - startedAt) / (endedAt - startedAt);
    return GUTTER + Math.max(0, Math.min(1, share)) * PLOT;
  }

  private grid(top: number): string {
    const { startedAt, endedAt } = this.layout;
    const length = endedAt - startedAt;
    const step = niceStep(length / 8);
    const lines: string[] = [];
    for (let ms = 0; ms <= length; ms += step) {
      const x = this.x(startedAt + ms);
      lines.push(`<path class="cm-grid" d="M${round(x)} ${top + 14}V${round(this.bottom)}"/>`);
      // A label at the very edge would be cut off.
      const anchor = x > WIDTH - 60 ? "end" : ms === 0 ? "start" : "middle";
      lines.push(text(x, top + 9, "cm-tick", tickLabel(ms, step), anchor));
    }
    return lines.join("");
  }

  private guestTrack(): void {
    const { cell, endedAt } = this.layout;
    const y = this.bottom;
    this.parts.push(text(MARGIN, y + 15, "cm-label", "guest"));
    let leg = 0;
    for (const span of cell.spans) {
      leg += span.state === "running" ? 1 : 0;
      this.span(span, y, leg, lengthMs(span, endedAt));
    }
    this.bottom += TRACK + 8;
  }

  private span(span: TranscriptSpan, y: number, leg: number, ms: number): void {
    const running = span.state === "running";
    const [from, width] = this.extent(span);
    const short = running ? `leg ${leg}` : "suspended";
    const long = `${short}, ${duration(ms)}`;
    this.parts.push(
      `<rect class="${running ? "cm-running" : "cm-suspended"}" x="${round(from)}" y="${y}" width="${round(width)}" height="${TRACK}" rx="2">` +
        `<title>${escapeMarkup(long)}</title></rect>`,
    );
    const label = [long, short, running ? String(leg) : ""].find((words) => fits(words, width));
    if (label !== undefined && label !== "") {
      this.parts.push(text(from + width / 2, y + 15, running ? "cm-on" : "cm-off", label, "middle"));
    }
  }

  private group(group: ToolGroup, index: number): void {
    const lanes = group.lanes.length;
    const height = lanes <= 2 ? 16 : lanes <= 8 ? 11 : lanes <= 32 ? 7 : 4;
    const gap = height > 8 ? 3 : 1;
    const whole = Math.max(lanes * (height + gap), 19);
    if (index % 2 === 0) {
      this.bands.push(
        `<rect class="cm-band" x="${MARGIN - 6}" y="${this.bottom - 2}" width="${WIDTH - 2 * MARGIN + 12}" height="${whole + 3}" rx="3"/>`,
      );
    }
    this.groupLabel(group, whole);
    for (const lane of group.lanes) {
      this.lane(lane, this.bottom, height);
      this.bottom += height + gap;
    }
    this.bottom += whole - lanes * (height + gap) + 3;
  }

  /** The tool's name, and how often it was called, at the middle of its lanes. */
  private groupLabel({ catalogId, calls, failed }: ToolGroup, whole: number): void {
    const y = this.bottom + Math.min(whole / 2, 40) + 3.5;
    const times = calls.length > 1 ? `×${calls.length}` : "";
    const failures = failed === 0 ? "" : failed === calls.length && failed > 1 ? "all failed" : `${failed} failed`;
    const more = [times, failures].filter((part) => part !== "").join(", ");
    const room = Math.floor((GUTTER - MARGIN - 14) / CHARACTER) - (more === "" ? 0 : more.length + 1);
    this.parts.push(
      `<g><title>${escapeMarkup(plain(catalogId, 300))}</title>${text(MARGIN, y, "cm-label", plain(catalogId, room))}</g>`,
    );
    if (more !== "") {
      this.parts.push(text(GUTTER - 12, y, failed > 0 ? "cm-count cm-count-failed" : "cm-count", more, "end"));
    }
  }

  private lane(calls: readonly TranscriptCall[], y: number, height: number): void {
    const bars = this.mergeNarrow(calls);
    // Failures last, so that none lies under a neighbour.
    for (const bar of bars.toSorted((a, b) => Number(a.outcome === "error") - Number(b.outcome === "error"))) {
      const { from, width } = bar;
      this.parts.push(
        `<rect class="cm-${bar.outcome === "running" ? "open" : bar.outcome}" x="${round(from)}" y="${round(y)}" width="${round(width)}" height="${height}" rx="${Math.min(2, height / 4)}">` +
          `<title>${escapeMarkup(this.barTitle(bar))}</title></rect>`,
      );
      const label = bar.calls.length === 1 ? duration(lengthMs(bar.calls[0]!, this.layout.endedAt)) : `${bar.calls.length}`; // prettier-ignore
      if (height > 12 && fits(label, width)) {
        this.parts.push(text(from + width / 2, y + height - 4.5, "cm-on", label, "middle"));
      }
    }
  }

  /** Calls of one outcome that would lie on the same pixels become one bar, so that a picture stays small. */
  private mergeNarrow(calls: readonly TranscriptCall[]): Bar[] {
    const bars: Bar[] = [];
    const latest = new Map<string, Bar>();
    for (const call of calls) {
      const [from, width] = this.extent(call);
      const last = latest.get(call.outcome);
      if (last && from + width <= last.from + last.width + NARROWEST && from < last.from + NARROWEST) {
        last.calls.push(call);
        continue;
      }
      const bar = { from, width, outcome: call.outcome, calls: [call] };
      bars.push(bar);
      latest.set(call.outcome, bar);
    }
    return bars;
  }

  private barTitle({ calls, outcome }: Bar): string {
    const { startedAt, endedAt } = this.layout;
    const [call] = calls as [TranscriptCall];
    const from = `from ${duration(call.startedAt - startedAt)}`;
    if (calls.length > 1) {
      return `${plain(call.catalogId)}\n${count(calls.length, "call")}, ${outcome}, ${from}`;
    }
    const updates = call.updates > 0 ? `, ${count(call.updates, "update")}` : "";
    const error = call.error === undefined ? "" : `\n${plain(call.error, 400)}`;
    return `${plain(call.catalogId)}\n${plain(call.toolCallId)}\n${outcome}, ${duration(lengthMs(call, endedAt))}, ${from}${updates}${error}`;
  }

  /** Limits as lines through everything, with their names; notes of the program as ticks that tell on hovering. */
  private markers(top: number): void {
    const { limits, notices } = this.layout.cell;
    for (const { at, limit, message } of limits) {
      const x = this.x(at);
      const anchor = x > WIDTH - 200 ? "end" : "start";
      this.bottom += 14;
      this.parts.push(
        `<g><title>${escapeMarkup(plain(message, 400))}</title><path class="cm-limit" d="M${round(x)} ${top}V${this.bottom}"/>` +
          `${text(x + (anchor === "end" ? -5 : 5), this.bottom - 2, "cm-limit-name", `limit: ${plain(limit, 30)}`, anchor)}</g>`,
      );
    }
    for (const { at, kind, message } of notices) {
      this.parts.push(
        `<g><title>${escapeMarkup(`${kind}: ${plain(message, 400)}`)}</title><path class="cm-notice" d="M${round(this.x(at))} ${top - 2}l4 6h-8z"/></g>`,
      );
    }
  }

  private extent(part: { startedAt: number; finishedAt?: number }): [from: number, width: number] {
    const from = this.x(part.startedAt);
    const width = Math.max(NARROWEST, this.x(part.finishedAt ?? this.layout.endedAt) - from);
    return [Math.min(from, GUTTER + PLOT - NARROWEST), width];
  }
}

interface Bar {
  from: number;
  width: number;
  outcome: TranscriptCall["outcome"];
  calls: TranscriptCall[];
}

function text(
  x: number,
  y: number,
  style: string,
  words: string,
  anchor: "start" | "middle" | "end" = "start",
): string {
  const where = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
  return `<text class="${style}" x="${round(x)}" y="${round(y)}"${where}>${escapeMarkup(words)}</text>`;
}

function fits(words: string, width: number): boolean {
  return words.length * CHARACTER + 6 <= width;
}

/** 1, 2 or 5 times a power of ten, at least one millisecond. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? power * 10;
}

function tickLabel(ms: number, step: number): string {
  if (step < 100) {
    return `${ms} ms`;
  }
  return `${(ms / 1000).toFixed(step < 1000 ? 1 : 0)} s`;
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}
