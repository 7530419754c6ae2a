/** Sub-agents: `agents.run`, `phase` and `log` over a host whose agents are real agent loops with scripted models. */
import { Agent } from "@mariozechner/pi-agent-core";
import { fauxAssistantMessage, registerFauxProvider } from "@mariozechner/pi-ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CodeModeEngine, CodeModeEvent, CodeModeResult, CodeModeRun, SwarmHost, SwarmOutcome } from "../index.js";
import { answering, openRun, testEngine, valueOf } from "./helpers.js";

type Spawn = Parameters<SwarmHost["spawn"]>[0];

/** Answers of the scripted model: text for the prompt, or a failure. */
type Script = (prompt: string) => string | Promise<string>;

/** Runs each sub-agent as an agent loop of its own in this process. */
class AgentSwarm implements SwarmHost {
  readonly spawned: Spawn[] = [];
  readonly waited: string[] = [];
  readonly notes: Parameters<NonNullable<SwarmHost["note"]>>[0][] = [];
  atWork = 0;
  mostAtWork = 0;
  private readonly runs = new Map<string, Promise<SwarmOutcome>>();

  constructor(
    private readonly script: Script,
    readonly maxConcurrent?: number,
  ) {}

  async spawn(request: Spawn): Promise<{ runId: string }> {
    this.spawned.push(request);
    const runId = `sub-${this.spawned.length}`;
    this.runs.set(runId, this.work(request));
    return { runId };
  }

  async wait({ runId }: { runId: string }): Promise<SwarmOutcome> {
    this.waited.push(runId);
    return this.runs.get(runId)!;
  }

  note(note: this["notes"][number]): void {
    this.notes.push(note);
  }

  private async work({ prompt, options, signal }: Spawn): Promise<SwarmOutcome> {
    this.atWork += 1;
    this.mostAtWork = Math.max(this.mostAtWork, this.atWork);
    const provider = registerFauxProvider();
    provider.setResponses([async () => fauxAssistantMessage(await this.script(prompt))]);
    const agent = new Agent({ initialState: { model: provider.getModel(), tools: [] } });
    signal.addEventListener("abort", () => agent.abort(), { once: true });
    await agent.prompt(prompt);
    provider.unregister();
    this.atWork -= 1;
    const { errorMessage, messages } = agent.state;
    if (errorMessage !== undefined) {
      return { status: signal.aborted ? "aborted" : "failed", error: errorMessage };
    }
    const last = messages.at(-1);
    const block = last?.role === "assistant" ? last.content[0] : undefined;
    const text = block?.type === "text" ? block.text : "";
    return { status: "completed", text, structured: options.schema === undefined ? undefined : JSON.parse(text) };
  }
}

let engine: CodeModeEngine;
beforeAll(() => {
  engine = testEngine();
});
afterAll(() => engine.close());

function swarmRun(swarm: SwarmHost, config: object = {}, events: CodeModeEvent[] = []): CodeModeRun {
  return openRun(
    engine,
    { ...config },
    {
      swarm,
      tools: [answering("read_file", () => "text"), answering("read", () => "text")],
      context: { agentId: "main", sessionId: "s" },
      onEvent: (event) => events.push(event),
    },
  );
}

async function run(swarm: SwarmHost, code: string): Promise<CodeModeResult> {
  return swarmRun(swarm).exec({ code }, { toolCallId: "call-1" });
}

const echo = () => new AgentSwarm((prompt) => `did ${prompt}`);
const gate = () => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

describe("agents.run", () => {
  it("gives the text of the agent, and passes its options on", async () => {
    const swarm = echo();
    const code = `return agents.run("look", { label: "l", model: "m", thinking: "high", fastMode: true, agentId: "a", phase: "p" })`;
    expect(valueOf(await run(swarm, code))).toBe("did look");
    expect(swarm.spawned).toMatchObject([
      {
        prompt: "look",
        options: { label: "l", model: "m", thinking: "high", fastMode: true, agentId: "a", phase: "p" },
        toolCallId: "call-1/agent/1",
        parentToolCallId: "call-1",
        context: { agentId: "main", sessionId: "s" },
      },
    ]);
    expect(swarm.waited).toEqual(["sub-1"]);
  });

  it("gives the structured result when a schema was given, null when there is none", async () => {
    const swarm = new AgentSwarm(() => '{"rows":[1,2]}');
    expect(valueOf(await run(swarm, `return agents.run("count", { schema: { type: "object" } })`))).toEqual({
      rows: [1, 2],
    });
    const none: SwarmHost = {
      spawn: async () => ({ runId: "x" }),
      wait: async () => ({ status: "completed", text: "t" }),
    };
    expect(valueOf(await run(none, `return agents.run("count", { schema: {} })`))).toBe(null);
    const silent: SwarmHost = { spawn: async () => ({ runId: "x" }), wait: async () => ({ status: "completed" }) };
    expect(valueOf(await run(silent, `return agents.run("count")`))).toBe("");
  });

  it("runs many side by side, and tools beside them", async () => {
    const swarm = echo();
    const code = `const parts = await Promise.all([agents.run("a"), tools.read_file({}), agents.run("b")]); return parts`;
    expect(valueOf(await run(swarm, code))).toEqual(["did a", "text", "did b"]);
    expect(swarm.spawned.map(({ toolCallId }) => toolCallId)).toEqual(["call-1/agent/1", "call-1/agent/3"]);
  });

  it("queues agents beyond maxConcurrent, in order", async () => {
    const swarm = new AgentSwarm(async (prompt) => {
      await new Promise(setImmediate);
      return prompt;
    }, 2);
    const code = `return Promise.all(Array.from({ length: 7 }, (_, index) => agents.run("p" + index)))`;
    expect(valueOf(await run(swarm, code))).toEqual(["p0", "p1", "p2", "p3", "p4", "p5", "p6"]);
    expect(swarm.mostAtWork).toBe(2);
    expect(swarm.spawned.map(({ prompt }) => prompt)).toEqual(["p0", "p1", "p2", "p3", "p4", "p5", "p6"]);
  });
});

describe("an agent that outlasts its exec", () => {
  it("is spawned once, under one id, and its answer reaches the program after wait", async () => {
    const { open, opened } = gate();
    const swarm = new AgentSwarm(async (prompt) => {
      await opened;
      return `late ${prompt}`;
    });
    const cell = swarmRun(swarm, { timeoutMs: 150 });
    const code = `const first = await agents.run("a"); const second = await agents.run("b"); return [first, second]`;
    const first = await cell.exec({ code }, { toolCallId: "call-1" });
    expect(first).toMatchObject({ status: "waiting", pendingToolCalls: [{ method: "agent" }] });
    const runId = first.status === "waiting" ? first.runId : "";
    // A wait that ends with the agent still at work changes nothing.
    expect(await cell.wait({ runId }, { toolCallId: "call-2" })).toMatchObject({ status: "waiting", runId });
    expect(swarm.spawned).toHaveLength(1);
    open();
    expect(valueOf(await cell.wait({ runId }, { toolCallId: "call-3" }))).toEqual(["late a", "late b"]);
    expect(swarm.spawned.map(({ toolCallId, parentToolCallId }) => [toolCallId, parentToolCallId])).toEqual([
      ["call-1/agent/1", "call-1"],
      ["call-1/agent/2", "call-1"],
    ]);
    expect(swarm.waited).toEqual(["sub-1", "sub-2"]);
  });

  it("is aborted with its program", async () => {
    const controller = new AbortController();
    const swarm = new AgentSwarm(() => new Promise(() => {}));
    const result = swarmRun(swarm).exec(
      { code: `await agents.run("a")` },
      { toolCallId: "c", signal: controller.signal },
    );
    await expect.poll(() => swarm.spawned.length).toBe(1);
    controller.abort();
    expect(await result).toMatchObject({ status: "failed", code: "aborted" });
    expect(swarm.spawned[0]!.signal.aborted).toBe(true);
  });

  it("may be started by a restart-safe program, which calls nothing unsafe", async () => {
    const swarm = echo();
    const cell = swarmRun(swarm);
    let result = await cell.exec({ code: `return agents.run("a")`, restartSafe: true }, { toolCallId: "call-1" });
    expect(result).toMatchObject({ status: "waiting", replaySafe: true });
    result = await cell.wait({ runId: result.status === "waiting" ? result.runId : "" });
    expect(valueOf(result)).toBe("did a");
    expect(swarm.spawned).toHaveLength(1);
  });
});

describe("a failure", () => {
  const caught = `catch (error) {
    return [error instanceof Error, error.name, error.message, error.runId, error.status];
  }`;

  it("is a SwarmAgentError with runId and status", async () => {
    const swarm = new AgentSwarm(() => {
      throw new Error("the model is gone");
    });
    const result = await run(swarm, `try { return await agents.run("a") } ${caught}`);
    expect(valueOf(result)).toEqual([true, "SwarmAgentError", "the model is gone", "sub-1", "failed"]);
  });

  it("says the status when the host gave no reason", async () => {
    const host: SwarmHost = { spawn: async () => ({ runId: "r-1" }), wait: async () => ({ status: "cancelled" }) };
    const said = [true, "SwarmAgentError", "sub-agent ended with status cancelled", "r-1", "cancelled"];
    expect(valueOf(await run(host, `try { return await agents.run("a") } ${caught}`))).toEqual(said);
  });

  it("uncaught, fails the cell with its message", async () => {
    const host: SwarmHost = {
      spawn: async () => ({ runId: "r-1" }),
      wait: async () => ({ status: "failed", error: "out of money" }),
    };
    const result = await run(host, `await agents.run("a")`);
    expect(result).toMatchObject({ status: "failed", error: expect.stringContaining("out of money") });
  });

  it.each<[string, SwarmHost, unknown[]]>([
    [
      "spawn rejects",
      { spawn: () => Promise.reject(new Error("no room")), wait: async () => ({ status: "completed" }) },
      [true, "Error", "no room", null, null],
    ],
    [
      "wait rejects",
      { spawn: async () => ({ runId: "r" }), wait: () => Promise.reject(new Error("lost")) },
      [true, "SwarmAgentError", "lost", "r", "error"],
    ],
    [
      "spawn gives nothing",
      { spawn: async () => undefined as never, wait: async () => ({ status: "completed" }) },
      [true, "Error", "the swarm host's spawn gave no runId.", null, null],
    ],
    [
      "wait gives nothing",
      { spawn: async () => ({ runId: "r" }), wait: async () => null as never },
      [true, "SwarmAgentError", "the swarm host's wait gave no status.", "r", "error"],
    ],
  ])("of the host is catchable: %s", async (_what, host, said) => {
    const result = await run(host, `try { return await agents.run("a") } ${caught}`);
    expect((valueOf(result) as unknown[]).map((item) => item ?? null)).toEqual(said);
  });
});

describe("wrong arguments", () => {
  it.each([
    ["agents.run()", "agents.run needs a non-empty prompt string."],
    ["agents.run('')", "agents.run needs a non-empty prompt string."],
    ["agents.run(5)", "agents.run needs a non-empty prompt string."],
    ["agents.run('a', 'b')", "agents.run options must be an object."],
    ["agents.run('a', [])", "agents.run options must be an object."],
    ["agents.run('a', { label: 1 })", "agents.run option label must be a string."],
    ["agents.run('a', { fastMode: 'yes' })", "agents.run option fastMode must be a boolean."],
    ["agents.run('a', { schema: 'x' })", "agents.run option schema must be a JSON Schema object."],
    ["agents.run('a', { budget: 1 })", "agents.run does not know the option budget."],
    ["(async () => phase(1))()", "phase needs a string."],
    ["(async () => log({}))()", "log needs a string."],
  ])("%s is a TypeError, and nothing is sent", async (call, message) => {
    const swarm = echo();
    const code = `try { await ${call} } catch (error) { return [error instanceof TypeError, error.message] }`;
    expect(valueOf(await run(swarm, code))).toEqual([true, message]);
    expect(swarm.spawned).toEqual([]);
    expect(swarm.notes).toEqual([]);
  });
});

describe("phase and log", () => {
  it("are notes in order, to the host and as events, and need no answer", async () => {
    const swarm = echo();
    const events: CodeModeEvent[] = [];
    const cell = swarmRun(swarm, {}, events);
    const code = `phase("gather"); log("one"); await agents.run("a"); return [phase("report"), log("two")]`;
    expect(valueOf(await cell.exec({ code }, { toolCallId: "call-1" }))).toEqual([null, null]);
    const notes = [
      ["phase", "gather"],
      ["log", "one"],
      ["phase", "report"],
      ["log", "two"],
    ];
    await expect.poll(() => swarm.notes.map(({ kind, text }) => [kind, text])).toEqual(notes);
    expect(swarm.notes[0]).toMatchObject({ parentToolCallId: "call-1", context: { agentId: "main" } });
    const seen = events.flatMap((event) => (event.type === "notice" ? [[event.kind, event.message]] : []));
    expect(seen).toEqual(notes);
  });

  it("harm nothing when the host cannot take them", async () => {
    const swarm = Object.assign(echo(), {
      note: () => {
        throw new Error("no");
      },
    });
    expect(valueOf(await run(swarm, `phase("a"); return 1`))).toBe(1);
  });
});

describe("the globals", () => {
  it("have types that a program can read", async () => {
    const file = valueOf(await run(echo(), `return API.read("agents.d.ts")`)) as { content: string; bytes: number };
    expect(file.content).toContain("function run(prompt: string, options?: AgentRunOptions): Promise<unknown>;");
    expect(file.content).toContain("declare function phase(title: string): void;");
    expect(file.bytes).toBe(Buffer.byteLength(file.content));
  });

  it("do not exist without a host", async () => {
    const cell = openRun(engine);
    const code = `return [typeof agents, typeof phase, typeof log, (await API.list()).files.length]`;
    expect(valueOf(await cell.exec({ code }))).toEqual(["undefined", "undefined", "undefined", 0]);
  });

  it("cannot be changed by a program", async () => {
    const code = `try { agents.run = 1 } catch {} try { agents = 1 } catch {} return typeof agents.run`;
    expect(valueOf(await run(echo(), code))).toBe("function");
  });
});
