/** A run on the host's side: its tools, its callbacks, its legs. Policy is the gateway's; limits are the engine's. */
import type {
  CallOptions,
  CodeModeEvent,
  CodeModeExecInput,
  CodeModeResult,
  CodeModeRunOptions,
  CodeModeTelemetry,
  CodeModeTool,
  CodeModeWaitInput,
  NestedToolCall,
  RunContext,
  SwarmHost,
  ToolCatalogEntry,
  ToolResult,
} from "../index.js";
import { rawJson } from "./config.js";
import { withoutControls } from "./controls.js";
import { withDebugLines } from "./debug.js";
import type { CodeModeEngine } from "./engine.js";
import type { CallHead } from "./host.js";
import { toJson, wellFormed } from "./json.js";
import { registeredNamespaces, visibleById, type VisibleNamespace } from "./namespaces.js";
import { checkCall, checkOptions, checkTools, scopeOf, tolerant, toSpec, type SchemaUse } from "./options.js";

const MAKE = Symbol("CodeModeRun");

/** See `index.d.ts`. */
export class CodeModeRun {
  /** @internal */
  readonly context: RunContext;
  private readonly tools: CodeModeTool[];
  private readonly onEvent: ((event: CodeModeEvent) => void) | undefined;
  /** Where streaming updates of a cell go: the latest leg's callback. */
  private readonly updates = new Map<number, (partial: ToolResult) => void>();
  /** Ids of cells whose end the listener has not heard of. */
  private readonly live = new Set<string>();
  private readonly detach: () => void;
  private closed = false;
  private generated = 0;

  private constructor(
    make: typeof MAKE,
    private readonly engine: CodeModeEngine,
    private readonly key: number,
    private readonly options: CodeModeRunOptions,
    tools: readonly CodeModeTool[],
  ) {
    if (make !== MAKE) {
      throw new TypeError("a CodeModeRun is made by CodeModeEngine.openRun.");
    }
    this.context = Object.freeze({ ...options.context });
    this.tools = [...tools];
    this.onEvent = withDebugLines(options.onEvent);
    this.detach = onAbort(options.signal, () => this.close());
  }

  /** @internal */
  static open(engine: CodeModeEngine, options: CodeModeRunOptions): CodeModeRun {
    checkOptions(options);
    // Controls are never callable from a guest, whoever opens the run.
    const tools = withoutControls(options.tools);
    const direct = tools.filter(({ catalogMode }) => catalogMode === "direct-only");
    const own = tools.filter(({ catalogMode }) => catalogMode !== "direct-only");
    const client = withoutControls(options.clientTools ?? []).filter(
      ({ catalogMode }) => catalogMode !== "direct-only",
    );
    const trace = withDebugLines(options.onEvent) !== undefined;
    const spec = (schemas: SchemaUse): string =>
      `{"config":${rawJson(options.config)},${toJson({
        scope: scopeOf(options.context),
        tools: own.map((tool, index) => toSpec(tool, index, schemas)),
        clientTools: client.map((tool, index) => toSpec(tool, own.length + index, schemas)),
        hostSearch: options.searchCatalog !== undefined,
        hostDescribe: options.describeTool !== undefined,
        swarm: options.swarm !== undefined,
        swarmConcurrency: options.swarm?.maxConcurrent,
        restartSafe: options.restartSafe === true,
        trace,
        visibleTools: ["exec", "wait", ...direct.map(({ name }) => name)],
        namespaces: registeredNamespaces(),
      }).slice(1)}`;
    const key = tolerant((schemas) => engine.native.openRun(wellFormed(spec(schemas))));
    const run = new CodeModeRun(MAKE, engine, key, options, [...own, ...client]);
    engine.runs.set(key, run);
    if (options.signal?.aborted === true || engine.closed) {
      run.close();
    }
    return run;
  }

  /** See `index.d.ts`. */
  async exec(input: CodeModeExecInput, call: CallOptions = {}): Promise<CodeModeResult> {
    checkCall("exec", input, call);
    const toolCallId = call.toolCallId ?? `exec_${++this.generated}`;
    return this.start(call, (leg) => {
      const aborted = call.signal?.aborted === true;
      const text = `{"input":${inputJson(input)},"toolCallId":${JSON.stringify(toolCallId)},"aborted":${aborted}}`;
      return this.engine.native.exec(this.key, leg, wellFormed(text));
    });
  }

  /** See `index.d.ts`. */
  async wait(input: CodeModeWaitInput, call: CallOptions = {}): Promise<CodeModeResult> {
    checkCall("wait", input, call);
    const toolCallId = call.toolCallId ?? `wait_${++this.generated}`;
    return this.start(call, (leg) => {
      const scope = toJson(call.context === undefined ? null : scopeOf(call.context));
      const text = `{"input":${inputJson(input)},"toolCallId":${JSON.stringify(toolCallId)},"scope":${scope}}`;
      return this.engine.native.wait(this.key, leg, wellFormed(text));
    });
  }

  /** See `index.d.ts`. */
  addClientTools(tools: readonly CodeModeTool[]): void {
    checkTools(tools, "client tools");
    const first = this.tools.length;
    this.tools.push(...tools);
    tolerant((schemas) => {
      const specs = tools
        .map((tool, index) => ({ tool, spec: toSpec(tool, first + index, schemas) }))
        .filter(({ tool }) => tool.catalogMode !== "direct-only");
      this.engine.native.addClientTools(this.key, wellFormed(toJson(specs.map(({ spec }) => spec))));
    });
  }

  /** See `index.d.ts`. */
  get execDescription(): string {
    return this.engine.native.execDescription(this.key) ?? "";
  }

  /** See `index.d.ts`. */
  get catalog(): readonly ToolCatalogEntry[] {
    return JSON.parse(this.engine.native.catalog(this.key) ?? "[]") as ToolCatalogEntry[];
  }

  /** See `index.d.ts`. */
  telemetry(): CodeModeTelemetry {
    this.lastTelemetry = this.engine.native.telemetry(this.key) ?? this.lastTelemetry;
    return JSON.parse(this.lastTelemetry) as CodeModeTelemetry;
  }
  private lastTelemetry = "{}";

  /** See `index.d.ts`. */
  close(): void {
    if (this.closed) {
      return;
    }
    this.lastTelemetry = this.engine.native.telemetry(this.key) ?? this.lastTelemetry;
    this.closed = true;
    this.detach();
    this.engine.native.closeRun(this.key);
    // Events of the cells that end now are still on their way; the last one deletes the run.
    if (this.live.size === 0) {
      setImmediate(() => this.engine.runs.delete(this.key));
    }
  }

  // ---- what the host side of nested calls needs of a run

  /** @internal */
  tool(index: number | undefined): CodeModeTool | undefined {
    return index === undefined ? undefined : this.tools[index];
  }

  /** @internal Through the gateway's own executor when there is one. */
  async execute(call: NestedToolCall): Promise<ToolResult> {
    if (this.options.callTool) {
      return this.options.callTool(call);
    }
    if (typeof call.tool.execute !== "function") {
      throw new TypeError(`tool "${call.toolName}" has no execute function and the run has no callTool.`);
    }
    return call.tool.execute(call.toolCallId, call.input, call.signal, call.onUpdate);
  }

  /** @internal */
  async searchOnHost({ query, limit }: { query: string; limit: number }, signal: AbortSignal): Promise<string> {
    const entries = this.catalog.filter(({ source }) => source !== "mcp");
    const found = await this.options.searchCatalog?.({ query, limit, entries, context: this.context, signal });
    if (!Array.isArray(found)) {
      throw new TypeError("searchCatalog must return an array of tool ids.");
    }
    const ids = (found as readonly (string | { id: string })[]).map((hit) => (typeof hit === "string" ? hit : hit.id));
    return wellFormed(toJson(ids.slice(0, limit)));
  }

  /** @internal */
  async describeOnHost(head: CallHead, signal: AbortSignal): Promise<string> {
    const tool = this.tool(head.hostIndex);
    const entry = this.catalog.find(({ id }) => id === head.catalogId);
    if (!tool || !entry) {
      throw new Error(`Unknown tool id: ${head.target}.`);
    }
    const given = await this.options.describeTool?.({ id: entry.id, entry, tool, context: this.context, signal });
    return wellFormed(toJson(given ?? null));
  }

  /** @internal */
  swarmHost(): SwarmHost | undefined {
    return this.options.swarm;
  }

  /** @internal */
  namespacesById(ids: readonly string[]): VisibleNamespace[] {
    return visibleById(ids);
  }

  /** @internal A note of the guest's swarm: `{kind, text}`. */
  note(parentToolCallId: string, body: string, cellId: string): void {
    const { kind, text } = JSON.parse(body) as { kind: "phase" | "log"; text: string };
    // Fire and forget: a note that the host cannot take is lost without harm.
    harmless(() => this.options.swarm?.note?.({ kind, text, parentToolCallId, context: this.context }));
    this.emit({ type: "notice", at: Date.now(), cellId, toolCallId: parentToolCallId, kind, message: text });
  }

  /** @internal An event of the engine, as JSON text. */
  traced(text: string): void {
    const event = JSON.parse(text) as CodeModeEvent;
    this.emit(event);
    if (event.type === "cell_finished") {
      this.live.delete(event.cellId);
      if (this.closed && this.live.size === 0) {
        this.engine.runs.delete(this.key);
      }
    }
  }

  /** @internal A throwing listener harms nothing. */
  emit(event: CodeModeEvent): void {
    harmless(() => this.onEvent?.(event));
  }

  /** @internal */
  forwardUpdate(cell: number, partial: ToolResult): void {
    harmless(() => this.updates.get(cell)?.(partial));
  }

  /** One leg: its abort signal, its streaming updates, its result. */
  private async start(call: CallOptions, begin: (leg: number) => number | string): Promise<CodeModeResult> {
    const leg = this.engine.leg(begin);
    if ("status" in leg) {
      return leg;
    }
    const { cell, result } = leg;
    const { signal, onUpdate } = call;
    if (this.onEvent) {
      this.live.add(String(cell));
    }
    if (onUpdate) {
      this.updates.set(cell, onUpdate);
      this.engine.whenGone(cell, () => this.updates.delete(cell));
    }
    if (signal) {
      // The signal of a leg that leaves its cell suspended goes on to stand for the cell.
      const abort = (): void => this.engine.native.abortCell(cell);
      this.engine.whenGone(cell, onAbort(signal, abort));
      if (signal.aborted) {
        abort();
      }
    }
    const settled = await result;
    if (settled.status !== "waiting") {
      this.engine.cellGone(cell);
    }
    return settled;
  }
}

/** Calls a listener of the host. What it throws, or rejects with, is its own fault; the run goes on. */
function harmless(listener: () => unknown): void {
  try {
    const answer = listener();
    if (typeof answer === "object" && answer !== null) {
      Promise.resolve(answer).catch(() => {});
    }
  } catch {
    // As said above.
  }
}

/** JSON text of a model's input; what JSON cannot hold counts as a wrong value, which the engine refuses in words. */
function inputJson(input: object): string {
  try {
    return JSON.stringify(input) ?? "{}";
  } catch {
    return '{"code":false}';
  }
}

/** What to do when a signal aborts. One listener per signal: a gateway's signal may stand for many cells at once. */
const waiting = new WeakMap<AbortSignal, { undo: Set<() => void>; listener: () => void }>();

function onAbort(signal: AbortSignal | undefined, undo: () => void): () => void {
  if (!signal) {
    return () => {};
  }
  const known = waiting.get(signal) ?? listen(signal);
  known.undo.add(undo);
  return () => {
    known.undo.delete(undo);
    if (known.undo.size === 0 && waiting.get(signal) === known) {
      waiting.delete(signal);
      signal.removeEventListener("abort", known.listener);
    }
  };
}

function listen(signal: AbortSignal): { undo: Set<() => void>; listener: () => void } {
  const undo = new Set<() => void>();
  const known = { undo, listener: () => undo.forEach((abort) => abort()) };
  waiting.set(signal, known);
  signal.addEventListener("abort", known.listener, { once: true });
  return known;
}
