/**
 * Nested calls on the host's side: from the engine's event to the gateway's executor and back. One abort controller per
 * cell, one reply per call, and all replies of one tick in one call to the engine.
 */
import { setMaxListeners } from "node:events";
import type { CodeModeCallOutcome, NestedToolCall, SwarmAgentOptions, ToolResult } from "../index.js";
import { failureJson, messageOf, toJson, wellFormed } from "./json.js";
import { instantiateNamespace, resolveNamespaceCall, type NamespaceInstance } from "./namespaces.js";
import type { NativeEngine, NativeEvent, NativeReply } from "./native.js";
import type { CodeModeRun } from "./run.js";
import { runAgent } from "./swarm.js";

/** What the engine says about a call. */
export interface CallHead {
  method: string;
  target: string;
  /** Nested id. */
  toolCallId: string;
  /** Tool call id of the exec. */
  parent: string;
  catalogId?: string;
  toolName?: string;
  hostIndex?: number;
  namespaceId?: string;
  path?: string;
  namespaces?: string[];
}

type NamedCall = CallHead & { catalogId: string; toolName: string };

/** A call whose life is reported as events. */
interface Watched {
  readonly update: (partial: ToolResult) => void;
  readonly during: (work: () => Promise<{ text: string; result: ToolResult }>) => Promise<string>;
}

/** What sub-agents go by among the tools of a transcript. */
const AGENT = { catalogId: "agents.run", toolName: "agents.run" };

/** One cell as the host knows it; made at its first call. */
interface HostCell {
  readonly controller: AbortController;
  namespaces: Map<string, NamespaceInstance>;
  /** Open calls by request; a tool's has what ends its event when the cell ends first. */
  readonly open: Map<number, ((outcome: "aborted") => void) | undefined>;
}

/** See the file description. */
export class HostCalls {
  private readonly cells = new Map<number, HostCell>();
  private replies: NativeReply[] = [];

  constructor(
    private readonly native: NativeEngine,
    private readonly runOf: (key: number) => CodeModeRun | undefined,
    /** Called when the engine has been given something to do. */
    private readonly asked: () => void,
  ) {}

  /** Starts the call of an event. Never throws: whatever goes wrong is the call's answer. */
  dispatch(event: NativeEvent): void {
    const run = this.runOf(event.run);
    const head = JSON.parse(event.head) as CallHead;
    if (!run) {
      this.answer(event, false, failureJson(new Error("the run was closed")));
      return;
    }
    if (head.method === "note") {
      run.note(head.parent, event.body, String(event.id));
      return;
    }
    const cell = this.cell(event.id);
    cell.open.set(event.request, undefined);
    const settle = (ok: boolean, text: string): void => {
      cell.open.delete(event.request);
      this.answer(event, ok, text);
    };
    this.perform(run, cell, event, head).then(
      (text) => settle(true, text),
      (error: unknown) => settle(false, failureJson(error)),
    );
  }

  /** Forgets a cell that is gone, and aborts the calls it left open. */
  cellEnded(id: number): void {
    const cell = this.cells.get(id);
    if (!cell) {
      return;
    }
    this.cells.delete(id);
    if (cell.open.size > 0) {
      for (const end of cell.open.values()) {
        end?.("aborted");
      }
      cell.controller.abort(new Error("the code mode cell has ended"));
    }
  }

  private cell(id: number): HostCell {
    let cell = this.cells.get(id);
    if (!cell) {
      cell = { controller: new AbortController(), namespaces: new Map(), open: new Map() };
      // One listener per call in flight is what the signal is for, not a leak.
      setMaxListeners(0, cell.controller.signal);
      this.cells.set(id, cell);
    }
    return cell;
  }

  private async perform(run: CodeModeRun, cell: HostCell, event: NativeEvent, head: CallHead): Promise<string> {
    const { signal } = cell.controller;
    switch (head.method) {
      case "scopes":
        return this.scopes(run, cell, head.namespaces ?? []);
      case "search":
        return run.searchOnHost(JSON.parse(event.body) as { query: string; limit: number }, signal);
      case "describe":
        return run.describeOnHost(head, signal);
      case "agent": {
        const input = JSON.parse(event.body) as { prompt: string; options: SwarmAgentOptions };
        const watched = this.watch(run, cell, event, { ...head, ...AGENT }, input);
        return watched.during(async () => {
          const text = await runAgent(run.swarmHost(), { ...input, head, context: run.context, signal });
          return { text, result: { content: [], details: JSON.parse(text) as unknown } };
        });
      }
      default:
        return this.call(run, cell, event, head);
    }
  }

  private async call(run: CodeModeRun, cell: HostCell, event: NativeEvent, head: CallHead): Promise<string> {
    const tool = run.tool(head.hostIndex);
    if (!tool || head.catalogId === undefined || head.toolName === undefined) {
      throw new Error(`Unknown tool id: ${head.target}.`);
    }
    const { catalogId, toolName } = head;
    const given: unknown = JSON.parse(event.body);
    // A namespace's arguments are not yet what the tool gets.
    const shown = head.method === "namespace" ? undefined : given;
    const watched = this.watch(run, cell, event, { ...head, catalogId, toolName }, shown);
    return watched.during(async () => {
      const call: NestedToolCall = {
        catalogId,
        toolName,
        tool,
        input: head.method === "namespace" ? await this.namespaceInput(cell, head, given) : given,
        toolCallId: head.toolCallId,
        parentToolCallId: head.parent,
        context: run.context,
        signal: cell.controller.signal,
        onUpdate: watched.update,
      };
      const result = checked(await run.execute(call), head);
      const text = shape(result, head.method);
      // The engine reads what it checks against a contract; everything else it only passes on.
      return { text: tool.outputSchema === undefined ? text : wellFormed(text), result };
    });
  }

  /** Reports one call to the run's listener: its start at once, its updates, and its one end. */
  private watch(run: CodeModeRun, cell: HostCell, event: NativeEvent, head: NamedCall, input: unknown): Watched {
    const { toolCallId, catalogId, toolName, parent } = head;
    const base = { cellId: String(event.id), toolCallId: parent, nestedToolCallId: toolCallId, catalogId, toolName };
    const started = performance.now();
    let open = true;
    const finish = (outcome: CodeModeCallOutcome, more: { result?: ToolResult; error?: string } = {}): void => {
      if (open) {
        open = false;
        const durationMs = performance.now() - started;
        run.emit({ ...base, type: "tool_finished", at: Date.now(), outcome, durationMs, ...more });
      }
    };
    cell.open.set(event.request, finish);
    run.emit({ ...base, type: "tool_started", at: Date.now(), ...(input === undefined ? {} : { input }) });
    return {
      update: (partial) => {
        if (open) {
          run.emit({ ...base, type: "tool_updated", at: Date.now(), partial });
          run.forwardUpdate(event.id, partial);
        }
      },
      during: async (work) => {
        try {
          const { text, result } = await work();
          finish("ok", { result });
          return text;
        } catch (error) {
          finish("error", { error: messageOf(error) });
          throw error;
        }
      },
    };
  }

  private async scopes(run: CodeModeRun, cell: HostCell, ids: readonly string[]): Promise<string> {
    const made = await Promise.all(
      run
        .namespacesById(ids)
        .map((visible) => instantiateNamespace(visible, { ...run.context, signal: cell.controller.signal })),
    );
    cell.namespaces = new Map(made.map((instance) => [instance.namespace.id, instance]));
    return toJson(
      made.map(({ namespace, scope }) => ({
        id: namespace.id,
        root: scope.root,
        callables: [...scope.callables].map(([path, { toolName }]) => [path, toolName]),
      })),
    );
  }

  private async namespaceInput(cell: HostCell, head: CallHead, args: unknown): Promise<unknown> {
    const instance = cell.namespaces.get(head.namespaceId ?? "");
    if (!instance || head.path === undefined) {
      throw new TypeError("Unknown code mode namespace function.");
    }
    const resolved = await resolveNamespaceCall(instance, head.path, args as unknown[]);
    if (resolved.toolName !== head.toolName) {
      throw new TypeError("Unknown code mode namespace function.");
    }
    return resolved.input;
  }

  private answer(event: NativeEvent, ok: boolean, text: string): void {
    this.replies.push({ cell: event.id, request: event.request, ok, text });
    if (this.replies.length === 1) {
      queueMicrotask(() => {
        const batch = this.replies;
        this.replies = [];
        this.native.reply(batch);
        this.asked();
      });
    }
  }
}

/** Refuses what is no tool result, and turns `isError` into an error with the result's own words. */
function checked(result: unknown, head: CallHead): ToolResult {
  if (typeof result !== "object" || result === null || Array.isArray(result)) {
    throw new TypeError(`tool "${head.toolName}" returned ${result === null ? "null" : typeof result} instead of a tool result { content, details? }.`); // prettier-ignore
  }
  const { isError, content, details } = result as ToolResult;
  if (isError === true) {
    const error = new Error(textOf(content) || `tool "${head.toolName}" failed.`) as Error & { details?: unknown };
    if (details !== undefined) {
      error.details = details;
    }
    throw error;
  }
  return result as ToolResult;
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) {
    return "";
  }
  return content
    .map((block: unknown) => (block as { type?: unknown; text?: unknown } | null)?.text)
    .filter((text) => typeof text === "string")
    .join("\n");
}

/** The part of a result that the guest gets, as JSON text: all of it, or its details when it has some. */
function shape(result: ToolResult, method: string): string {
  return toJson(method === "call" || method === "mcp" || !("details" in result) ? result : (result.details ?? null));
}
