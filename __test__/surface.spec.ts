import { describe, expect, it, vi } from "vitest";
import type {
  CodeModeEngine,
  CodeModeExecInput,
  CodeModeHooks,
  CodeModeResult,
  CodeModeRun,
  CodeModeRunOptions,
  CodeModeTelemetry,
  CodeModeTool,
  ResolvedCodeModeConfig,
} from "../index.js";
import { isCodeModeControlTool } from "../ts/controls.js";
import { CodeModeError } from "../ts/errors.js";
import { surfaceAdapter } from "../ts/surface.js";

const telemetry = { catalogSize: 0 } as CodeModeTelemetry;
const completed: CodeModeResult = { status: "completed", value: 1, output: [], telemetry, replaySafe: false };

/** An engine that records what it is asked. */
function fakeEngine() {
  const opened: CodeModeRunOptions[] = [];
  const exec = vi.fn(async (_input: CodeModeExecInput, _call?: object) => completed);
  const wait = vi.fn(async (_input: object, _call?: object) => completed);
  const close = vi.fn();
  const openRun = (options: CodeModeRunOptions) => {
    opened.push(options);
    const catalog = options.tools.filter((item) => item.catalogMode !== "direct-only");
    return {
      exec,
      wait,
      close,
      telemetry: () => ({ ...telemetry, catalogSize: catalog.length }),
      execDescription: "the description",
      catalog,
    } as unknown as CodeModeRun;
  };
  return { opened, exec, wait, close, engine: { openRun } as unknown as CodeModeEngine };
}

const applyCodeMode = surfaceAdapter({
  resolveConfig: (raw) =>
    ({
      enabled: raw === true || (raw as { enabled?: unknown } | undefined)?.enabled === true,
      languages: ["javascript", "typescript"],
    }) as ResolvedCodeModeConfig,
  defaultEngine: () => {
    throw new Error("the addon could not be loaded");
  },
});

const tool = (name: string, more: Partial<CodeModeTool> = {}): CodeModeTool => ({
  name,
  description: `about ${name}`,
  parameters: {},
  ...more,
});
const names = (tools: readonly CodeModeTool[]) => tools.map(({ name }) => name);

function engaged(tools: CodeModeTool[], hooks?: CodeModeHooks, more: Partial<CodeModeRunOptions> = {}) {
  const fake = fakeEngine();
  const surface = applyCodeMode({ config: true, tools, engine: fake.engine, hooks, ...more });
  const [exec, wait] = surface.tools as [Required<CodeModeTool>, Required<CodeModeTool>];
  return { ...fake, surface, execTool: exec, waitTool: wait };
}

describe("activation", () => {
  it.each([undefined, false, {}, { timeoutMs: 5 }, "true"])(
    "is off for %j: the input comes back unchanged",
    (config) => {
      const tools = [tool("read")];
      const surface = applyCodeMode({ config, tools });
      expect(surface).toMatchObject({ engaged: false, catalogToolCount: 0 });
      expect(surface.tools).toBe(tools);
      expect(surface.run).toBeUndefined();
      surface.assertPayload([{ name: "anything" }]);
      surface.dispose();
    },
  );

  it("is off without any tools, also when only Tool Search controls are there", () => {
    const fake = fakeEngine();
    for (const tools of [[], [tool("tool_search"), tool("tool_call")]]) {
      const surface = applyCodeMode({ config: true, tools, engine: fake.engine });
      expect(surface.engaged).toBe(false);
      expect(surface.tools).toBe(tools);
    }
    expect(fake.opened).toEqual([]);
  });

  it("hides everything but direct-only tools behind exec and wait", () => {
    const { surface, opened } = engaged([tool("read"), tool("computer", { catalogMode: "direct-only" }), tool("exec")]);
    expect(names(surface.tools)).toEqual(["exec", "wait", "computer"]);
    expect(surface.catalogToolCount).toBe(2);
    expect(names(opened[0]!.tools)).toEqual(["read", "computer", "exec"]);
    expect(surface.tools[0]).not.toBe(opened[0]!.tools[2]);
    expect(Object.isFrozen(surface.tools)).toBe(true);
  });

  it("drops Tool Search controls and our own from both sides, but not another owner's tool of that name", () => {
    const { surface } = engaged([tool("read")]);
    const second = engaged([
      ...surface.tools,
      { ...surface.tools[0]! },
      tool("tool_search_code"),
      tool("tool_describe"),
      tool("tool_call", { source: "mcp", sourceName: "s", mcp: { serverName: "s", toolName: "tool_call" } }),
      tool("tool_search", { source: "plugin", pluginId: "p" }),
    ]);
    expect(names(second.opened[0]!.tools)).toEqual(["tool_call", "tool_search"]);
    expect(names(second.surface.tools)).toEqual(["exec", "wait"]);
  });

  it("tells controls by identity: copies count, names do not", () => {
    const { surface } = engaged([tool("exec")]);
    expect(surface.tools.map(isCodeModeControlTool)).toEqual([true, true]);
    expect(isCodeModeControlTool({ ...surface.tools[0] })).toBe(true);
    expect(isCodeModeControlTool(tool("exec"))).toBe(false);
    expect(isCodeModeControlTool(JSON.parse(JSON.stringify(surface.tools[0])))).toBe(false);
    expect(isCodeModeControlTool(null)).toBe(false);
  });

  it("describes its parameters flatly", () => {
    const { execTool, waitTool } = engaged([tool("read")]);
    expect(execTool.description).toBe("the description");
    expect(JSON.stringify([execTool.parameters, waitTool.parameters])).not.toMatch(/anyOf|oneOf|allOf/u);
    expect(execTool.parameters).toMatchObject({
      type: "object",
      properties: {
        code: { type: "string" },
        command: { type: "string" },
        language: { type: "string", enum: ["javascript", "typescript"] },
        restartSafe: { type: "boolean" },
      },
    });
    expect(waitTool.parameters).toMatchObject({ properties: { runId: { type: "string" } }, required: ["runId"] });
  });
});

describe("failing closed", () => {
  const unavailable = (message: string) => new CodeModeError("runtime_unavailable", message);

  it("throws when the engine cannot start, and shows nothing", () => {
    expect(() => applyCodeMode({ config: true, tools: [tool("read")] })).toThrow(
      unavailable("the addon could not be loaded"),
    );
    try {
      applyCodeMode({ config: true, tools: [tool("read")] });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ name: "CodeModeError", code: "runtime_unavailable" });
    }
  });

  it("throws when a direct-only tool would stand in for a control", () => {
    expect(() => engaged([tool("wait", { catalogMode: "direct-only" })])).toThrow(
      unavailable("a direct-only tool is called wait, which is a code mode control."),
    );
  });

  const shell = tool("exec");
  const computer = tool("computer", { catalogMode: "direct-only" });
  const all = [tool("read"), shell, computer];
  const declared = (name: string) => ({ name, description: "cut by the provider" });

  it.each([
    ["our tools", (tools: readonly unknown[]) => tools],
    ["copies", (tools: readonly unknown[]) => tools.map((item) => ({ ...(item as object) }))],
    ["plain declarations", () => [declared("exec"), declared("wait"), declared("computer")]],
    ["wrapped functions", () => ["exec", "wait", "computer"].map((name) => ({ type: "function", function: { name } }))],
    ["tool specs", () => ["exec", "wait", "computer"].map((name) => ({ toolSpec: { name } }))],
    ["one holder", () => [{ functionDeclarations: ["computer", "wait", "exec"].map(declared) }]],
  ])("passes a payload of %s", (_shape, payload) => {
    const { surface, close } = engaged(all);
    surface.assertPayload(payload(surface.tools));
    expect(close).not.toHaveBeenCalled();
  });

  it.each([
    ["a hidden tool", ["exec", "wait", "computer", "read"].map(declared), "shows a tool that code mode hides: read"],
    ["an unknown tool", ["exec", "wait", "computer", "x"].map(declared), "shows a tool that code mode hides: x"],
    ["the shell's exec", [shell, declared("wait"), declared("computer")], "shows a tool that code mode hides: exec"],
    ["a copy of it", [{ ...shell }, declared("wait"), declared("computer")], "shows a tool that code mode hides: exec"],
    ["exec twice", ["exec", "exec", "wait", "computer"].map(declared), "shows a tool twice: exec"],
    ["no wait", ["exec", "computer"].map(declared), "lacks a tool: wait"],
    ["no direct-only tool", ["exec", "wait"].map(declared), "lacks a tool: computer"],
    ["nothing", [], "lacks a tool: exec"],
    ["a tool without a name", [{ type: "web_search" }], "holds a tool without a name"],
    ["no tool at all", [null], "holds a tool without a name"],
  ])("refuses a payload with %s", async (_what, payload, problem) => {
    const { surface, close, execTool, waitTool, exec, wait } = engaged(all);
    expect(() => surface.assertPayload(payload)).toThrow(unavailable(`code mode payload ${problem}.`));
    expect(close).toHaveBeenCalledOnce();
    for (const control of [execTool, waitTool]) {
      const { details } = await control.execute("c", { code: "1", runId: "cm_x" });
      expect(details).toMatchObject({
        status: "failed",
        code: "runtime_unavailable",
        detailCode: "runtime_unavailable",
      });
    }
    expect(exec).not.toHaveBeenCalled();
    expect(wait).not.toHaveBeenCalled();
  });
});

describe("calls", () => {
  it("returns the result as compact JSON and as details", async () => {
    const { execTool, waitTool, exec, wait, surface, close } = engaged([tool("read")]);
    const { signal } = new AbortController();
    const onUpdate = () => {};
    const shown = { content: [{ type: "text", text: JSON.stringify(completed) }], details: completed };
    expect(await execTool.execute("call-1", { code: "1" }, signal, onUpdate)).toEqual(shown);
    expect(exec).toHaveBeenCalledExactlyOnceWith({ code: "1" }, { toolCallId: "call-1", signal, onUpdate });
    expect(await waitTool.execute("call-2", { runId: "cm_x" }, signal)).toEqual(shown);
    expect(wait).toHaveBeenCalledExactlyOnceWith(
      { runId: "cm_x" },
      { toolCallId: "call-2", signal, onUpdate: undefined },
    );
    surface.dispose();
    expect(close).toHaveBeenCalledOnce();
  });

  it.each([null, undefined, "ls", 5, ["a"]])("hands input that is no object on as an empty one: %j", async (input) => {
    const { execTool, waitTool, exec, wait } = engaged([tool("read")]);
    await execTool.execute("c", input);
    await waitTool.execute("c", input);
    expect(exec.mock.calls[0]?.[0]).toEqual({});
    expect(wait.mock.calls[0]?.[0]).toEqual({});
  });
});

describe("hooks", () => {
  const ran = async (hook: CodeModeHooks["beforeToolCall"], input: object, restartSafe?: boolean) => {
    const { execTool, exec } = engaged(
      [tool("read")],
      { beforeToolCall: hook! },
      { context: { agentId: "a" }, restartSafe },
    );
    const { details } = await execTool.execute("call-1", input);
    return { input: exec.mock.calls[0]?.[0], details };
  };

  it.each([
    [{ code: "1" }, "javascript"],
    [{ command: "1", language: "typescript" }, "typescript"],
    [{ code: "1", command: "1", language: "python" }, undefined],
  ])("shows %j mirrored, with its kind", async (input, kind) => {
    const hook = vi.fn();
    await ran(hook, input);
    const [event] = hook.mock.calls[0] as [Record<string, unknown>];
    expect(event).toMatchObject({
      toolName: "exec",
      toolKind: "code_mode_exec",
      toolCallId: "call-1",
      params: { code: "1", command: "1" },
      context: { agentId: "a" },
    });
    expect(event.toolInputKind).toBe(kind);
    expect("toolInputKind" in event).toBe(kind !== undefined);
  });

  it.each([
    [{ code: "2" }, "2"],
    [{ command: "3" }, "3"],
    [{ code: "4", command: "4" }, "4"],
    [{ code: "1", command: "5" }, "5"],
    [{}, "1"],
    [{ code: undefined }, "1"],
  ])("copies the rewrite %j to the other field", async (params, source) => {
    const { input } = await ran(() => ({ params }), { code: "1", language: "typescript" });
    expect(input).toEqual({ code: source, command: source, language: "typescript" });
  });

  it("runs the original when the hook says nothing", async () => {
    const { input } = await ran(async () => {}, { code: "1" });
    expect(input).toEqual({ code: "1", command: "1" });
  });

  it.each([
    [() => ({ params: { code: "2", command: "3" } }), "code and command must match when both are provided."],
    [() => ({ block: true, blockReason: "not on weekends" }), "not on weekends"],
    [() => ({ block: true }), "code mode exec was blocked by a hook."],
    [() => Promise.reject(new Error("policy down")), "code mode exec hook failed: policy down"],
  ] as const)("refuses: %s", async (hook, error) => {
    const { input, details } = await ran(hook, { code: "1" });
    expect(input).toBeUndefined();
    expect(details).toEqual({
      status: "failed",
      error,
      code: "invalid_input",
      detailCode: "invalid_input",
      output: [],
      telemetry: { ...telemetry, catalogSize: 1 },
      replaySafe: false,
    });
  });

  it.each([{}, { code: 5 }, { code: "1", command: "2" }, { command: null }])(
    "leaves input that cannot be mirrored to the run's own checks: %j",
    async (given) => {
      const hook = vi.fn();
      const { input } = await ran(hook, given);
      expect(hook).not.toHaveBeenCalled();
      expect(input).toEqual(given);
    },
  );
});
