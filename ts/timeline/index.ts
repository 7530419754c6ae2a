/** The timeline of what happened in a run, as a page, a picture and lines of text. Pure. */
import type { CodeModeEvent, TimelineOptions, RenderedTimeline } from "../../index.js";
import { projectTranscript } from "../transcript.js";
import { drawPage } from "./html.js";
import { layoutCell } from "./layout.js";
import { drawSvg } from "./svg.js";
import { drawText } from "./text.js";

/** See `index.d.ts`. */
export function renderTimeline(events: Iterable<CodeModeEvent>, options: TimelineOptions = {}): RenderedTimeline {
  const layouts = projectTranscript(timed(events)).map(layoutCell);
  const svg = drawSvg(layouts);
  return { svg, html: drawPage(layouts, svg, options.title ?? "code mode timeline"), text: drawText(layouts) };
}

/** Events with a moment that can be drawn: one without takes that of the event before it. */
function* timed(events: Iterable<CodeModeEvent>): Iterable<CodeModeEvent> {
  let last = 0;
  for (const event of events) {
    const known = typeof event.at === "number" && Number.isFinite(event.at);
    last = known ? event.at : last;
    yield known ? event : { ...event, at: last };
  }
}
