/** Events as lines for a person at a terminal. Pure. */
import type { CodeModeEvent } from "../../index.js";
import { count, duration, plain } from "../timeline/words.js";

/** The line of an event; undefined for events that are not worth one. */
export function progressLine(event: CodeModeEvent): string | undefined {
  switch (event.type) {
    case "tool_started":
      return `  call   ${plain(event.catalogId, 100)}`;
    case "tool_updated": {
      const said = event.partial?.content.map((block) => ("text" in block ? block.text : undefined)).find(Boolean);
      return typeof said === "string" ? `  update ${plain(event.catalogId, 100)}: ${plain(said)}` : undefined;
    }
    case "tool_finished": {
      const error = event.error === undefined ? "" : `: ${plain(event.error)}`;
      return `  ${event.outcome.padEnd(6)} ${plain(event.catalogId, 100)} ${duration(event.durationMs)}${error}`;
    }
    case "cell_suspended": {
      const open = event.pendingCallIds.length;
      return `  wait   ${event.reason === "yield" ? "the program yielded" : count(open, "call")}`;
    }
    case "limit_hit":
      return `  limit  ${plain(event.message)}`;
    case "notice":
      return `  ${event.kind.padEnd(6)} ${plain(event.message)}`;
    default:
      return undefined;
  }
}
