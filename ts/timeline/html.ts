/** The page around the picture: a legend, a table per tool, limits and notes, and a list of the calls. No scripts. Pure. */
import type { TranscriptCall } from "../../index.js";
import { lengthMs, type CellLayout, type ToolGroup } from "./layout.js";
import { escapeMarkup } from "./markup.js";
import { PAGE_STYLE } from "./style.js";
import { count, duration, headline, plain } from "./words.js";

/** Longer lists end with the number of those left out; the picture and the tables count them all. */
const MOST_LISTED = 1000;

/** A self-contained page. Nothing on it is loaded from elsewhere, and its policy forbids it. */
export function drawPage(layouts: readonly CellLayout[], svg: string, title: string): string {
  const name = escapeMarkup(plain(title));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${name}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<h1>${name}</h1>
<p>${escapeMarkup(summary(layouts))}</p>
<div class="picture">${svg}</div>
${LEGEND}
${layouts.map(cellSection).join("\n")}
</body>
</html>
`;
}

/** Colours are those of the picture, whose variables hold inside elements of its class only. */
const LEGEND =
  '<p class="key cm" style="font:inherit">' +
  '<span><i style="background:var(--run)"></i>guest running (a leg)</span>' +
  '<span><i style="background:var(--rest-line)"></i>guest suspended</span>' +
  '<span><i style="background:var(--ok)"></i>call</span>' +
  '<span><i style="background:var(--bad)"></i>failed call</span>' +
  '<span><i style="background:var(--cut)"></i>call ended with its program</span>' +
  '<span><i style="background:var(--open)"></i>call still running</span>' +
  '<span><i style="background:var(--limit)"></i>limit</span></p>';

function summary(layouts: readonly CellLayout[]): string {
  const calls = layouts.reduce((sum, { cell }) => sum + cell.calls.length, 0);
  const failed = layouts.reduce((sum, layout) => sum + layout.failed, 0);
  const [first] = layouts;
  const when = first ? ` · started ${timeOf(first.startedAt)}` : "";
  return `${count(layouts.length, "program")} · ${count(calls, "call")}${failed > 0 ? `, ${failed} failed` : ""}${when}`;
}

function cellSection(layout: CellLayout): string {
  const { cell, groups, startedAt } = layout;
  const parts = [`<h2>${escapeMarkup(headline(layout))}</h2>`];
  if (cell.limits.length > 0) {
    parts.push(list(cell.limits.map(({ at, limit, message }) => `<span class="bad">limit ${escapeMarkup(plain(limit, 30))}</span> at ${duration(at - startedAt)}: ${escapeMarkup(plain(message, 400))}`))); // prettier-ignore
  }
  if (groups.length > 0) {
    parts.push(toolTable(groups));
  }
  if (cell.notices.length > 0) {
    const notices = cell.notices.map(({ at, kind, message }) => `${duration(at - startedAt)} ${escapeMarkup(kind)}: ${escapeMarkup(plain(message, 400))}`); // prettier-ignore
    parts.push(`<details><summary>${count(notices.length, "note")}</summary>${list(notices)}</details>`);
  }
  if (cell.calls.length > 0) {
    parts.push(callList(layout));
  }
  return parts.join("\n");
}

function toolTable(groups: readonly ToolGroup[]): string {
  const rows = groups.map(
    ({ catalogId, calls, failed, totalMs, longestMs }) =>
      `<tr><td class="name">${escapeMarkup(plain(catalogId, 300))}</td><td class="n">${calls.length}</td>` +
      `<td class="n${failed > 0 ? " bad" : ""}">${failed}</td><td class="n">${duration(totalMs / calls.length)}</td>` +
      `<td class="n">${duration(longestMs)}</td><td class="n">${duration(totalMs)}</td></tr>`,
  );
  return (
    '<table><thead><tr><th>tool</th><th class="n">calls</th><th class="n">failed</th><th class="n">mean</th>' +
    `<th class="n">longest</th><th class="n">together</th></tr></thead><tbody>${rows.join("")}</tbody></table>`
  );
}

function callList({ cell, startedAt, endedAt }: CellLayout): string {
  const shown = cell.calls.slice(0, MOST_LISTED);
  const rows = shown.map((call) => callRow(call, startedAt, endedAt));
  const rest = cell.calls.length - shown.length;
  return (
    // A handful is read at once; hundreds on request.
    `<details${cell.calls.length <= 12 ? " open" : ""}><summary>all ${count(cell.calls.length, "call")}</summary>` +
    '<table><thead><tr><th class="n">start</th><th class="n">took</th><th>outcome</th><th>tool</th><th>call</th></tr></thead>' +
    `<tbody>${rows.join("")}</tbody></table>${rest > 0 ? `<p>and ${rest} more</p>` : ""}</details>`
  );
}

function callRow(call: TranscriptCall, startedAt: number, endedAt: number): string {
  const failed = call.outcome === "error";
  const error = call.error === undefined ? "" : `: ${plain(call.error, 400)}`;
  return (
    `<tr><td class="n">${duration(call.startedAt - startedAt)}</td><td class="n">${duration(lengthMs(call, endedAt))}</td>` +
    `<td${failed ? ' class="bad"' : ""}>${escapeMarkup(`${call.outcome}${error}`)}</td>` +
    `<td class="name">${escapeMarkup(plain(call.catalogId, 300))}</td><td class="name">${escapeMarkup(plain(call.toolCallId, 300))}</td></tr>`
  );
}

function list(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;
}

function timeOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime())
    ? "at an unknown time"
    : date.toISOString().replace("T", " ").replace(/\..*/u, " UTC");
}
