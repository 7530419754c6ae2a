// Draws the cells of a transcript as text: one line for the cell, one for each nested call under it.

const WIDTH = 48;

/** The timeline of a transcript. Times are milliseconds from the start of the first cell. */
export function drawTimeline(cells) {
  if (cells.length === 0) {
    return "(nothing ran)";
  }
  const start = Math.min(...cells.map(({ startedAt }) => startedAt));
  const end = Math.max(...cells.flatMap((cell) => [cell, ...cell.calls]).map(lastMoment), start + 1);
  const column = (at) => Math.min(WIDTH - 1, Math.floor(((at - start) / (end - start)) * WIDTH));
  const lines = cells.flatMap((cell) => [cellLine(cell, column), ...cell.calls.map((call) => callLine(call, column))]);
  return [...lines, `${" ".repeat(2)}0 ms${`${Math.round(end - start)} ms`.padStart(WIDTH - 4)}`].join("\n");
}

function cellLine(cell, column) {
  const bar = Array.from({ length: WIDTH }, () => " ");
  for (const span of cell.spans) {
    paint(bar, column(span.startedAt), column(lastMoment(span)), span.state === "running" ? "=" : ".");
  }
  return `  ${bar.join("")}  exec ${cell.toolCallId}: ${cell.state}`;
}

function callLine(call, column) {
  const bar = Array.from({ length: WIDTH }, () => " ");
  paint(bar, column(call.startedAt), column(lastMoment(call)), call.outcome === "ok" ? "#" : "x");
  const took = call.finishedAt === undefined ? "" : ` ${Math.round(call.finishedAt - call.startedAt)} ms`;
  return `  ${bar.join("")}  ${call.toolCallId} (${call.catalogId}): ${call.outcome}${took}`;
}

function paint(bar, from, to, mark) {
  bar.fill(mark, from, to + 1);
}

function lastMoment({ startedAt, finishedAt }) {
  return finishedAt ?? startedAt;
}
