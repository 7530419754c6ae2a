/**
 * The surface adapter: what a gateway puts in front of the model. Hides the tools of a run behind `exec` and `wait`, and
 * fails closed when it cannot. Runs on the gateway's thread.
 */
import type {
  applyCodeMode,
  CodeModeEngine,
  CodeModeFailedResult,
  CodeModeHooks,
  CodeModeResult,
  CodeModeRun,
  CodeModeRunOptions,
  CodeModeSurface,
  CodeModeTool,
  ResolvedCodeModeConfig,
  ToolResult,
} from "../index.js";
import { markControl, withoutControls } from "./controls.js";
import { debugSurface } from "./debug.js";
import { CodeModeError } from "./errors.js";
import { askBeforeToolCall } from "./hooks.js";
import { native } from "./native.js";
import { checkOptions } from "./options.js";
import { payloadProblem } from "./payload.js";

type SurfaceOptions = CodeModeRunOptions & { engine?: CodeModeEngine | undefined; hooks?: CodeModeHooks | undefined };

/** What the adapter needs of the rest of the package. */
export interface SurfaceParts {
  resolveConfig(raw: unknown): ResolvedCodeModeConfig;
  defaultEngine(): Pick<CodeModeEngine, "openRun">;
}

/** Makes {@link applyCodeMode} out of its parts. */
export function surfaceAdapter(parts: SurfaceParts): typeof applyCodeMode {
  return (options) => {
    checkOptions(options);
    const config = parts.resolveConfig(options.config);
    const tools = withoutControls(options.tools);
    const clientTools = withoutControls(options.clientTools ?? []);
    if (!config.enabled || tools.length + clientTools.length === 0) {
      return notEngaged(options.tools);
    }
    const direct = [...tools, ...clientTools].filter(({ catalogMode }) => catalogMode === "direct-only");
    const clash = direct.find(({ name }) => name === "exec" || name === "wait");
    if (clash) {
      throw unavailable(`a direct-only tool is called ${clash.name}, which is a code mode control.`);
    }
    const run = openRun(parts, { ...options, tools, clientTools });
    return new EngagedSurface(run, config, direct, [...tools, ...clientTools], options);
  };
}

function openRun(parts: SurfaceParts, options: SurfaceOptions): CodeModeRun {
  const { engine, hooks: _hooks, ...runOptions } = options;
  try {
    return (engine ?? parts.defaultEngine()).openRun(runOptions);
  } catch (error) {
    // Misuse by the gateway's programmer stays what it is; it shows no tools either.
    if (error instanceof TypeError || error instanceof RangeError) {
      throw error;
    }
    throw unavailable(error instanceof Error ? error.message : String(error), error);
  }
}

function notEngaged(tools: readonly CodeModeTool[]): CodeModeSurface {
  return { engaged: false, tools, catalogToolCount: 0, assertPayload() {}, dispose() {} };
}

class EngagedSurface implements CodeModeSurface {
  readonly engaged = true;
  readonly tools: readonly CodeModeTool[];
  readonly catalogToolCount: number;
  private readonly exec: CodeModeTool;
  /** Why the surface no longer runs anything. */
  private failure: string | undefined;

  constructor(
    readonly run: CodeModeRun,
    config: ResolvedCodeModeConfig,
    private readonly direct: readonly CodeModeTool[],
    private readonly all: readonly CodeModeTool[],
    private readonly options: SurfaceOptions,
  ) {
    this.exec = this.execTool(config);
    this.tools = Object.freeze([this.exec, this.waitTool(), ...direct]);
    this.catalogToolCount = run.telemetry().catalogSize;
    debugSurface(
      this.tools.map(({ name }) => name),
      this.catalogToolCount,
    );
  }

  assertPayload(payload: readonly unknown[]): void {
    const hidden = this.all.filter((tool) => !this.direct.includes(tool));
    const problem = payloadProblem(payload, { exec: this.exec, direct: this.direct, hidden });
    if (problem !== undefined) {
      this.failure = `code mode payload ${problem}.`;
      this.run.close();
      throw unavailable(this.failure);
    }
  }

  dispose(): void {
    this.run.close();
  }

  private execTool(config: ResolvedCodeModeConfig): CodeModeTool {
    const { run } = this;
    return markControl({
      name: "exec",
      label: "Code mode",
      // Read at each use: client tools may join the catalog later.
      get description() {
        return run.execDescription;
      },
      parameters: execParameters(config),
      execute: (toolCallId, input: unknown, signal, onUpdate) => this.execute(toolCallId, input, signal, onUpdate),
    } satisfies CodeModeTool);
  }

  private async execute(
    toolCallId: string,
    raw: unknown,
    signal?: AbortSignal,
    onUpdate?: (partial: ToolResult) => void,
  ): Promise<ToolResult> {
    if (this.failure !== undefined) {
      return toolResult(this.failed("runtime_unavailable", this.failure));
    }
    const context = this.options.context ?? {};
    const asked = await askBeforeToolCall(this.options.hooks, asRecord(raw), { toolCallId, context, signal });
    if ("refused" in asked) {
      return toolResult(this.failed("invalid_input", asked.refused));
    }
    return toolResult(await this.run.exec(asked.input, { toolCallId, signal, onUpdate }));
  }

  private waitTool(): CodeModeTool {
    return markControl({
      name: "wait",
      label: "Code mode wait",
      description: native().waitDescription(),
      parameters: WAIT_PARAMETERS,
      execute: async (toolCallId, input: unknown, signal, onUpdate) =>
        this.failure === undefined
          ? toolResult(await this.run.wait(asRecord(input), { toolCallId, signal, onUpdate }))
          : toolResult(this.failed("runtime_unavailable", this.failure)),
    } satisfies CodeModeTool);
  }

  private failed(code: "invalid_input" | "runtime_unavailable", error: string): CodeModeFailedResult {
    return {
      status: "failed",
      error,
      code,
      detailCode: code,
      output: [],
      telemetry: this.run.telemetry(),
      replaySafe: this.options.restartSafe === true,
    };
  }
}

const WAIT_PARAMETERS = {
  type: "object",
  properties: { runId: { type: "string", description: 'The runId of a result with status "waiting".' } },
  required: ["runId"],
};

function execParameters(config: ResolvedCodeModeConfig): object {
  return {
    type: "object",
    properties: {
      code: { type: "string", description: "The program: the body of an async function. Always give this." },
      command: { type: "string", description: "Alias of code. Leave it out." },
      language: { type: "string", enum: [...config.languages], description: "Language of the program." },
      restartSafe: {
        type: "boolean",
        description: "Allow read-only calls only, so that the program could be repeated after a restart.",
      },
    },
  };
}

function toolResult(result: CodeModeResult): ToolResult {
  return { content: [{ type: "text", text: JSON.stringify(result) }], details: result };
}

/** Input of a model: anything that is no object is as good as an empty one, which the run refuses with its own words. */
function asRecord(input: unknown): Record<string, unknown> {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? (input as Record<string, unknown>) : {};
}

function unavailable(reason: string, cause?: unknown): CodeModeError {
  return new CodeModeError("runtime_unavailable", reason, cause === undefined ? undefined : { cause });
}
