/**
 * Public contract of `code-mode`, written by hand; `ts/` implements it and takes its types from here.
 *
 * Units: names ending in `Ms` are milliseconds, in `Seconds` seconds, in `Bytes` bytes. Threading: everything here runs
 * on the thread that loaded the package; no call holds it for longer than the JSON work of its own payload.
 */
/// <reference lib="esnext.disposable" />

// ------------------------------------------------------------------------------------------------ engine and run

/** Sizes of an engine. Every field is optional; a value that is not an integer in range is a `RangeError`. */
export interface CodeModeEngineOptions {
  /** Threads that run guest code. Default: the number of cores, at most 4. */
  workerThreads?: number | undefined;
  /** Cells that may lie suspended at once; a further one fails with `too many suspended code mode runs.` Default 64. */
  maxSuspendedRuns?: number | undefined;
  /** Cells that may be alive and not suspended at once; further ones queue. Default 256. */
  maxActiveCells?: number | undefined;
}

/**
 * Owns the worker threads, the memory slots, the suspended cells and the process-wide limits. One per process is
 * normal. An idle engine never keeps the process alive.
 */
export class CodeModeEngine implements AsyncDisposable {
  /** @throws RangeError when an option is out of range; an Error with code `runtime_unavailable` when the addon cannot start. */
  constructor(options?: CodeModeEngineOptions);
  /** Opens a run: its scope, catalog and limits. The run is closed by its own `close`, its signal, or the engine's `close`. */
  openRun(options: CodeModeRunOptions): CodeModeRun;
  /** Counters since the engine started, and gauges of now. */
  stats(): EngineStats;
  /** Aborts all cells, drops all snapshots and joins the threads. Later calls fail with `runtime_unavailable`. Idempotent. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The engine shared by this process, started at the first call. A closed one is replaced at the next call. */
export function defaultEngine(): CodeModeEngine;

/** Counters and gauges of one engine. */
export interface EngineStats {
  /** Worker threads alive. */
  workers: number;
  /** Cells with a leg in progress. */
  activeCells: number;
  /** Cells waiting for a worker or a slot. */
  queuedCells: number;
  /** Cells suspended as snapshots. */
  suspendedCells: number;
  /** Bytes of all stored images, compressed. */
  snapshotBytes: number;
  /** Cells started since the engine started. */
  cellsStarted: number;
  /** Cells that reached a final state. */
  cellsFinished: number;
  /** Times guest code was ended from outside because it did not stop at its deadline. */
  hardStops: number;
  /** Cells ended by a crash of their VM. */
  crashes: number;
  /** Worker threads given up and replaced. */
  lostWorkers: number;
  /** Replies that came after their cell had ended and were dropped. */
  lateReplies: number;
  /** 1 once the TypeScript transform has been loaded, else 0. */
  typescriptInitialisations: number;
  /** Memory slots with an address range reserved. */
  slotsReserved: number;
  /** Reserved slots whose memory is still committed. */
  slotsWarm: number;
}

/**
 * The scope of a run: who runs it, for what session. Copied into every nested call. Fields beyond the named ones
 * (sender, channel, sandbox, …) are carried along untouched.
 */
export interface RunContext {
  agentId?: string | undefined;
  sessionId?: string | undefined;
  sessionKey?: string | undefined;
  runId?: string | undefined;
  /** The gateway's configuration, handed to namespace scopes as `ctx.config`. */
  config?: unknown;
  [extra: string]: unknown;
}

/** What a run is made of. */
export interface CodeModeRunOptions {
  /** The raw `tools.codeMode` value; resolved and clamped inside. A result of {@link resolveCodeModeConfig} is one too. */
  config?: unknown;
  /** The scope of the run. */
  context?: RunContext | undefined;
  /** The effective tools, after the gateway's own policy. Of two with one catalog id the later one counts. */
  tools: readonly CodeModeTool[];
  /** Tools the client of this run brought along. */
  clientTools?: readonly CodeModeTool[] | undefined;
  /** The gateway's executor path: policy, approvals, hooks, audit. Default: the tool's own `execute`. */
  callTool?: ((call: NestedToolCall) => Promise<ToolResult>) | undefined;
  /** A lookup on the host's side. Default: the built-in ranking. */
  searchCatalog?: CatalogSearch | undefined;
  /** A description on the host's side. Default: the tool's own schemas. */
  describeTool?: CatalogDescribe | undefined;
  /** Sub-agents. Absent: the guest globals `agents`, `phase` and `log` do not exist. */
  swarm?: SwarmHost | undefined;
  /** Host-forced restart safety; a guest's `restartSafe: false` cannot clear it. */
  restartSafe?: boolean | undefined;
  /** Closes the run. */
  signal?: AbortSignal | undefined;
  /** Receives the events of the run in order. A throwing listener harms nothing. */
  onEvent?: ((event: CodeModeEvent) => void) | undefined;
}

/** One prepared agent run. Made by {@link CodeModeEngine.openRun} only. */
export class CodeModeRun {
  private constructor();
  /**
   * Runs one program. Resolves to a {@link CodeModeResult} for everything a model or a guest can cause; rejects with a
   * TypeError for misuse by the host's programmer only.
   */
  exec(input: CodeModeExecInput, call?: CallOptions): Promise<CodeModeResult>;
  /** Resumes a suspended cell. Resolves and rejects as {@link CodeModeRun.exec} does. */
  wait(input: CodeModeWaitInput, call?: CallOptions): Promise<CodeModeResult>;
  /** Adds client tools to the catalog; cells already running keep the catalog they started with. */
  addClientTools(tools: readonly CodeModeTool[]): void;
  /** What the model reads as the description of `exec`. Byte-identical for an equal tool set. */
  readonly execDescription: string;
  /** The whole catalog as the host sees it, MCP included, sorted by id with client tools last. */
  readonly catalog: readonly ToolCatalogEntry[];
  /** Counters of the run so far. */
  telemetry(): CodeModeTelemetry;
  /** Aborts the run's cells and drops their snapshots. Idempotent. */
  close(): void;
}

/** What belongs to one call of `exec` or `wait` rather than to the run. */
export interface CallOptions {
  /** The model's tool call id. Nested ids are made from the first exec's one; generated when absent. */
  toolCallId?: string | undefined;
  /** The assistant turn the call belongs to. */
  assistantTurnId?: string | undefined;
  /** Aborts the cell. */
  signal?: AbortSignal | undefined;
  /** Receives streaming updates of nested calls. */
  onUpdate?: ((partial: ToolResult) => void) | undefined;
  /** The caller's scope, checked by `wait` against that of the suspended cell. Default: the run's. */
  context?: RunContext | undefined;
}

// ------------------------------------------------------------------------------------------------ inputs and results

/** Languages a cell can be written in. */
export type CodeModeLanguage = "javascript" | "typescript";

/** Input of `exec`, as the model sends it. One of `code` and `command` is needed; if both are given they must be equal. */
export interface CodeModeExecInput {
  /** The program: the body of an async function. */
  code?: string | undefined;
  /** Alias of `code`, for hook policies and trusted rewrites. */
  command?: string | undefined;
  /** Default "javascript". */
  language?: CodeModeLanguage | undefined;
  /** Refuses calls that could not be repeated after a restart. */
  restartSafe?: boolean | undefined;
}

/** Input of `wait`. */
export interface CodeModeWaitInput {
  /** The `runId` of a waiting result. */
  runId?: string | undefined;
  /** Alias of `runId`. */
  run_id?: string | undefined;
}

/** One item emitted by `text`, `json` or `console`. */
export type CodeModeOutput = { type: "text"; text: string } | { type: "json"; value: unknown };

/** A nested call that has not settled. */
export interface CodeModePendingToolCall {
  id: string;
  /** "call", "callValue", "search", "describe", "namespace", "mcp", "timer", "agent", … */
  method: string;
  /** Catalog id, when the call names a tool. */
  toolId?: string;
}

/** What every result carries. */
export interface CodeModeResultBase {
  /** What the guest emitted since the previous result of the same cell. */
  output: CodeModeOutput[];
  telemetry: CodeModeTelemetry;
  /** True when everything the cell did may be repeated after a restart. */
  replaySafe: boolean;
}

/** The guest returned. */
export interface CodeModeCompletedResult extends CodeModeResultBase {
  status: "completed";
  value: unknown;
}

/** The cell is suspended; `wait` with this `runId` resumes it. */
export interface CodeModeWaitingResult extends CodeModeResultBase {
  status: "waiting";
  /** `cm_<uuid>`. */
  runId: string;
  reason: "pending_tools" | "yield";
  pendingToolCalls: CodeModePendingToolCall[];
}

/** The cell failed; its state is gone, unless a `wait` was refused before it touched the cell. */
export interface CodeModeFailedResult extends CodeModeResultBase {
  status: "failed";
  error: string;
  code: CodeModeErrorCode;
  detailCode: CodeModeErrorDetailCode;
  /** Where in the user's own source, both counted from 1. */
  location?: { line: number; column: number };
}

/** What `exec` and `wait` resolve to. */
export type CodeModeResult = CodeModeCompletedResult | CodeModeWaitingResult | CodeModeFailedResult;

/** The coarse code of a failure. */
export type CodeModeErrorCode =
  | "invalid_input"
  | "runtime_unavailable"
  | "timeout"
  | "aborted"
  | "output_limit_exceeded"
  | "snapshot_limit_exceeded"
  | "internal_error";

/** The fine code of a failure. */
export type CodeModeErrorDetailCode =
  | CodeModeErrorCode
  | "unsupported_language"
  | "module_access_denied"
  | "typescript_transform_failed"
  | "snapshot_expired"
  | "too_many_pending_tool_calls"
  | "memory_limit_exceeded"
  | "nested_tool_failed"
  | "snapshot_restore_failed";

/** Thrown at the host's programmer where there is no result to carry a failure: engine start, surface activation. */
export class CodeModeError extends Error {
  constructor(code: CodeModeErrorCode, message: string, options?: ErrorOptions);
  readonly code: CodeModeErrorCode;
}

/** Counters of a run, cumulative. No secrets, environment values or tool inputs. */
export interface CodeModeTelemetry {
  catalogSize: number;
  sources: { openclaw: number; mcp: number; client: number };
  searchCount: number;
  describeCount: number;
  callCount: number;
  /** Names of the tools the model sees. */
  visibleTools: string[];
  execCount: number;
  waitCount: number;
  /** Catalog ids called so far, each once, in order of the first call. */
  calledToolIds: string[];
  limitFailures: { timeout: number; memory: number; snapshot: number; output: number };
  snapshots: { taken: number; restored: number; expired: number; dropped: number };
}

// ------------------------------------------------------------------------------------------------ tools and catalog

/** A JSON Schema. */
export type JsonSchema = object | boolean;

/** One block of a tool result. Only JSON crosses to the guest. */
export type ContentBlock =
  | { type: "text"; text: string }
  | { type: "image"; data: string; mimeType: string }
  | { type: string; [field: string]: unknown };

/** What a tool gives back. */
export interface ToolResult {
  content: ContentBlock[];
  /** The structured value; what `callValue` and `outputSchema` speak of. */
  details?: unknown;
  /** The structured value of an MCP tool, as its server gave it. Guests of MCP calls see it. */
  structuredContent?: unknown;
  isError?: boolean | undefined;
}

/** Where a tool comes from. "plugin" becomes "openclaw" in the catalog, with `sourceName` the plugin id. */
export type CodeModeToolSource = "openclaw" | "plugin" | "mcp" | "client";

/** Operations of an MCP server that are not tools of it. */
export type McpOperation = "resources.list" | "resources.read" | "prompts.list" | "prompts.get";

/** Which server and tool an MCP entry stands for. */
export interface McpToolBinding {
  serverName: string;
  /** The tool's own name on its server; for an operation, the operation's name. */
  toolName: string;
  operation?: McpOperation | undefined;
}

/** A tool as a gateway of the pi / OpenClaw family holds it. */
export interface CodeModeTool {
  name: string;
  label?: string | undefined;
  description: string;
  /** JSON Schema of the input. */
  parameters: JsonSchema;
  /** Runs the tool; needed unless the run has `callTool`. */
  execute?(
    toolCallId: string,
    // `unknown` would refuse tools whose input is typed.
    // oxlint-disable-next-line typescript/no-explicit-any
    input: any,
    signal?: AbortSignal,
    onUpdate?: (partial: ToolResult) => void,
  ): Promise<ToolResult> | ToolResult;
  /** Default "openclaw". */
  source?: CodeModeToolSource | undefined;
  /** Owner of the tool: plugin id, MCP server, client. */
  sourceName?: string | undefined;
  pluginId?: string | undefined;
  /** JSON Schema of `ToolResult.details`; trusted on openclaw and plugin tools only. */
  outputSchema?: JsonSchema | undefined;
  /** Stays visible to the model and never enters the catalog. */
  catalogMode?: "direct-only" | undefined;
  /** "sequential" tools run alone, in order. Default "parallel". */
  executionMode?: "parallel" | "sequential" | undefined;
  /** The tool may be repeated after a restart without harm. */
  replaySafe?: boolean | undefined;
  mcp?: McpToolBinding | undefined;
}

/** A tool call made by a guest, on its way through the gateway's executor. */
export interface NestedToolCall {
  catalogId: string;
  toolName: string;
  tool: CodeModeTool;
  /** Plain JSON. */
  input: unknown;
  /** `<parent exec toolCallId>/<tool name>/<n>`. */
  toolCallId: string;
  /** Tool call id of the exec that started the cell; the same after a `wait`. */
  parentToolCallId: string;
  context: RunContext;
  /** Aborts when the cell, the run or the engine ends. */
  signal: AbortSignal;
  onUpdate: (partial: ToolResult) => void;
}

/** A catalog entry. The guest sees these without `mcp`, and no entries of MCP tools at all. */
export interface ToolCatalogEntry {
  /** `<source>:<owner>:<tool-name>`. */
  id: string;
  name: string;
  label?: string;
  description: string;
  source: "openclaw" | "mcp" | "client";
  sourceName?: string;
  /** Compact TypeScript hint of the input. */
  input: string;
  /** Compact TypeScript hint of the output; only complete and trusted ones. */
  output?: string;
  mcp?: McpToolBinding;
}

/** Answers `tools.search`: ids, best first. Ids that the guest may not see are dropped. */
export type CatalogSearch = (request: {
  query: string;
  /** Already defaulted and clamped. */
  limit: number;
  /** The guest's view of the catalog. */
  entries: readonly ToolCatalogEntry[];
  context: RunContext;
  signal: AbortSignal;
}) => MaybePromise<readonly (string | { id: string })[]>;

/** Answers `tools.describe`; undefined means the tool's own schemas. */
export type CatalogDescribe = (request: {
  id: string;
  entry: ToolCatalogEntry;
  tool: CodeModeTool;
  context: RunContext;
  signal: AbortSignal;
}) => MaybePromise<{ parameters?: JsonSchema; outputSchema?: JsonSchema } | undefined>;

/** A value or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

// ------------------------------------------------------------------------------------------------ configuration

/** A configuration with every field settled. */
export interface ResolvedCodeModeConfig {
  enabled: boolean;
  runtime: "quickjs";
  mode: "only";
  languages: CodeModeLanguage[];
  /** Wall clock of one exec or wait. 100 … 60,000, default 10,000. */
  timeoutMs: number;
  /** Guest heap. 1 MiB … 1 GiB, default 64 MiB. */
  memoryLimitBytes: number;
  /** 1,024 … 10 MiB, default 65,536. */
  maxOutputBytes: number;
  /** Stored image. 1,024 … 256 MiB, default 10 MiB. */
  maxSnapshotBytes: number;
  /** In flight at once. 1 … 128, default 16. */
  maxPendingToolCalls: number;
  /** 1 … 86,400, default 900. */
  snapshotTtlSeconds: number;
  /** 1 … 50, default 50. */
  maxSearchLimit: number;
  /** 1 … maxSearchLimit, default 8. */
  searchDefaultLimit: number;
  /** A trailing expression statement is the value of a program without a top-level `return`. Default true. */
  implicitReturn: boolean;
  /** What happens to output over the limit. Default "fail". */
  outputOverflow: "fail" | "truncate";
}

/** One mistake in a configuration. */
export interface ConfigIssue {
  /** `tools.codeMode.<field>`; `tools.codeMode` for the value as a whole. */
  path: string;
  message: string;
}

/** Settles a raw `tools.codeMode` value, an agent's own merged over it field by field. Never throws. */
export function resolveCodeModeConfig(raw: unknown, agentRaw?: unknown): ResolvedCodeModeConfig;

/** Reports what {@link resolveCodeModeConfig} silently corrects: unknown keys, wrong types, numbers out of range. */
export function validateCodeModeConfig(raw: unknown): ConfigIssue[];

// ------------------------------------------------------------------------------------------------ surface

/** What a hook sees of an `exec` call before it runs. `params.code` and `params.command` are the same text. */
export interface BeforeToolCallEvent {
  toolName: "exec";
  toolKind: "code_mode_exec";
  /** Left out when the given language is neither. */
  toolInputKind?: CodeModeLanguage;
  toolCallId: string;
  params: Record<string, unknown>;
  context: RunContext;
  signal?: AbortSignal;
}

/** What a hook decides. A changed `code` or `command` is copied to the other; changing both differently fails the call. */
export interface BeforeToolCallDecision {
  params?: Record<string, unknown> | undefined;
  block?: boolean | undefined;
  blockReason?: string | undefined;
}

/** Hooks of the gateway around `exec`. A hook that throws blocks the call. */
export interface CodeModeHooks {
  beforeToolCall?: (event: BeforeToolCallEvent) => MaybePromise<BeforeToolCallDecision | void>;
}

/** A tool as the model sees it on an engaged surface. */
export type CodeModeControlTool = CodeModeTool & { execute: NonNullable<CodeModeTool["execute"]> };

/** What a gateway puts in front of the model. */
export interface CodeModeSurface {
  /** False: code mode is off or there are no tools, and `tools` is the input unchanged. */
  readonly engaged: boolean;
  /** `exec`, `wait` and the direct-only tools; or the input unchanged. */
  readonly tools: readonly CodeModeTool[];
  readonly run?: CodeModeRun;
  /** Tools hidden in the catalog. */
  readonly catalogToolCount: number;
  /**
   * Checks the list about to be handed to the provider: exactly one `exec`, one `wait` and the approved direct-only
   * tools, in the shape of tools or of provider payloads. Otherwise closes the run and throws.
   * @throws CodeModeError with code `runtime_unavailable`.
   */
  assertPayload(tools: readonly unknown[]): void;
  /** Closes the run. Idempotent. */
  dispose(): void;
}

/**
 * Hides the tools of a run behind `exec` and `wait`. Called once the gateway knows the effective tools.
 * @throws CodeModeError with code `runtime_unavailable` when the engine cannot start; ordinary tools are never shown instead.
 */
export function applyCodeMode(
  options: CodeModeRunOptions & { engine?: CodeModeEngine | undefined; hooks?: CodeModeHooks | undefined },
): CodeModeSurface;

/** Whether a tool is the `exec` or `wait` of a code mode surface. Known by identity, never by name. */
export function isCodeModeControlTool(tool: unknown): boolean;

// ------------------------------------------------------------------------------------------------ plugin namespaces

declare const namespaceCallable: unique symbol;
// Without this, every declaration of a .d.ts module is exported, the symbol above too.
export {};

/** A scope member that stands for a call of one catalog tool. Made by {@link createCodeModeNamespaceTool} only. */
export interface NamespaceCallable {
  readonly [namespaceCallable]: true;
}

/** What `createScope` gets: the run's scope and its abort signal. */
export type CodeModeNamespaceContext = RunContext & { signal: AbortSignal };

/** A namespace a plugin offers to guests. */
export interface CodeModeNamespaceRegistration {
  id: string;
  /** The guest global; a JavaScript identifier that is not taken. */
  globalName: string;
  /** Read by the model. */
  description: string;
  /** Tools that must be in the catalog and owned by the plugin; calls can go to these only. */
  requiredToolNames: readonly string[];
  /** Read by the model, after the description. */
  prompt?: string | undefined;
  /** Runs once per cell, after its source was accepted. JSON values, nested objects and callables; no functions. */
  createScope(ctx: CodeModeNamespaceContext): MaybePromise<object>;
}

/** Registers a namespace for this process. @throws TypeError naming what is wrong with the registration. */
export function registerCodeModeNamespaceForPlugin(pluginId: string, registration: CodeModeNamespaceRegistration): void;

/**
 * Marks a scope member as callable. `inputMapper` turns the guest's arguments into the tool's input; the default is the
 * first argument, or `{}` when there is none.
 */
export function createCodeModeNamespaceTool(
  toolName: string,
  inputMapper?: (args: unknown[]) => unknown,
): NamespaceCallable;

/** Removes a plugin's namespaces. Cells already running keep what they have. */
export function clearCodeModeNamespacesForPlugin(pluginId: string): void;

/** Removes every namespace; for tests. */
export function clearCodeModeNamespacesForTest(): void;

// ------------------------------------------------------------------------------------------------ swarm

/** Options of `agents.run`. */
export interface SwarmAgentOptions {
  label?: string;
  model?: string;
  thinking?: string;
  fastMode?: boolean;
  agentId?: string;
  /** JSON Schema of the structured result. */
  schema?: object;
  phase?: string;
}

/** How a sub-agent ended. */
export interface SwarmOutcome {
  /** "completed", or the name of a failure. */
  status: string;
  text?: string | undefined;
  /** The structured result, when a schema was given. */
  structured?: unknown;
  error?: string | undefined;
}

/** The gateway's side of `agents`, `phase` and `log`. */
export interface SwarmHost {
  /** Sub-agents at work at once; further ones queue. Default 8. */
  maxConcurrent?: number | undefined;
  spawn(request: {
    prompt: string;
    options: SwarmAgentOptions;
    /** Nested id of the call. */
    toolCallId: string;
    parentToolCallId: string;
    context: RunContext;
    signal: AbortSignal;
  }): Promise<{ runId: string }>;
  wait(request: { runId: string; context: RunContext; signal: AbortSignal }): Promise<SwarmOutcome>;
  note?(note: { kind: "phase" | "log"; text: string; parentToolCallId: string; context: RunContext }): void;
}

// ------------------------------------------------------------------------------------------------ events

/** What every event carries. */
export interface CodeModeEventBase {
  /** Milliseconds since the epoch. */
  at: number;
  cellId: string;
  /** Tool call id of the exec that started the cell. */
  toolCallId: string;
}

/** Final states of a cell. */
export type CodeModeCellState = "completed" | "failed" | "expired" | "aborted";

/** How a nested call ended. "aborted": the cell ended first. */
export type CodeModeCallOutcome = "ok" | "error" | "aborted";

/** Limits that a `limit_hit` event can name. */
export type CodeModeLimit = "timeout" | "memory" | "snapshot" | "output" | "pending_tool_calls" | "suspended_runs";

/** One thing that happened in a run. Order of delivery is the order in which things happened. */
export type CodeModeEvent =
  | (CodeModeEventBase & { type: "cell_started"; language: CodeModeLanguage; restartSafe: boolean })
  | (CodeModeEventBase & {
      type: "cell_suspended";
      runId: string;
      reason: "pending_tools" | "yield";
      /** Bytes of the stored image, compressed. */
      imageBytes: number;
      /** Length of the leg that ended here. */
      durationMs: number;
      /** Nested calls that have not settled. */
      pendingCallIds: string[];
    })
  | (CodeModeEventBase & {
      type: "cell_resumed";
      runId: string;
      /** Tool call id of the wait. */
      waitToolCallId: string;
      /** Time the cell lay suspended. */
      durationMs: number;
    })
  | (CodeModeEventBase & {
      type: "cell_finished";
      state: CodeModeCellState;
      code?: CodeModeErrorCode;
      detailCode?: CodeModeErrorDetailCode;
      /** From the start of the cell. */
      durationMs: number;
    })
  | (CodeModeEventBase & CodeModeCallEvent & { type: "tool_started"; input?: unknown })
  | (CodeModeEventBase & CodeModeCallEvent & { type: "tool_updated"; partial?: ToolResult })
  | (CodeModeEventBase &
      CodeModeCallEvent & {
        type: "tool_finished";
        outcome: CodeModeCallOutcome;
        durationMs: number;
        result?: ToolResult;
        error?: string;
      })
  | (CodeModeEventBase & { type: "limit_hit"; limit: CodeModeLimit; message: string })
  | (CodeModeEventBase & { type: "notice"; kind: "phase" | "log" | "late_reply"; message: string });

/** What events of nested calls carry. Inputs and results are the gateway's own objects; they are never logged. */
export interface CodeModeCallEvent {
  /** The nested id. */
  nestedToolCallId: string;
  catalogId: string;
  toolName: string;
}

/** A nested call in a transcript, under its exec. */
export interface TranscriptCall {
  toolCallId: string;
  parentToolCallId: string;
  catalogId: string;
  toolName: string;
  startedAt: number;
  /** Absent while the call runs. */
  finishedAt?: number;
  outcome: CodeModeCallOutcome | "running";
  input?: unknown;
  result?: ToolResult;
  error?: string;
  /** Number of streaming updates. */
  updates: number;
}

/** A stretch of a cell's life, for a timeline. */
export interface TranscriptSpan {
  state: "running" | "suspended";
  startedAt: number;
  /** Absent while the stretch lasts. */
  finishedAt?: number;
}

/** One cell in a transcript: its exec, the calls under it, the stretches of its life. */
export interface TranscriptCell {
  cellId: string;
  /** Tool call id of its exec. */
  toolCallId: string;
  language: CodeModeLanguage;
  startedAt: number;
  finishedAt?: number;
  state: CodeModeCellState | "running" | "waiting";
  code?: CodeModeErrorCode;
  detailCode?: CodeModeErrorDetailCode;
  /** In order of their start. */
  calls: TranscriptCall[];
  spans: TranscriptSpan[];
  limits: { at: number; limit: CodeModeLimit; message: string }[];
  notices: { at: number; kind: "phase" | "log" | "late_reply"; message: string }[];
}

/** Projects events, of one or more runs, into a transcript: cells in order of their start. */
export function projectTranscript(events: Iterable<CodeModeEvent>): TranscriptCell[];

/** How a timeline is drawn. */
export interface TimelineOptions {
  /** Heading of the page. Default "code mode timeline". */
  title?: string | undefined;
}

/** A timeline in three forms. Names and messages in it are escaped; inputs and results of tools are not in it. */
export interface RenderedTimeline {
  /** A page that needs nothing from elsewhere and holds no script. */
  html: string;
  /** The picture of the page alone. */
  svg: string;
  /** Lines for a terminal, without control characters. */
  text: string;
}

/** Draws the events of one or more runs: legs, suspensions, nested calls in lanes, failures, limits. */
export function renderTimeline(events: Iterable<CodeModeEvent>, options?: TimelineOptions): RenderedTimeline;
