type AgentRunOptions = {
  /** A short name for people. */
  label?: string;
  model?: string;
  thinking?: string;
  fastMode?: boolean;
  /** Which agent runs; without it the calling one. */
  agentId?: string;
  /** JSON Schema of the answer; with it the result is the structured value, without it text. */
  schema?: Record<string, unknown>;
  /** The phase this run is shown under. */
  phase?: string;
};

/** Why a run failed. */
interface SwarmAgentError extends Error {
  name: "SwarmAgentError";
  runId: string;
  status: string;
}

declare namespace agents {
  /**
   * Start an agent, wait for it, and return its answer. Rejects with a SwarmAgentError.
   * Runs beyond the host's cap wait for their turn, so start many and await Promise.all.
   */
  function run(prompt: string, options?: AgentRunOptions): Promise<unknown>;
}

/** Name the phase of work that begins now. */
declare function phase(title: string): void;

/** Leave a note for people. */
declare function log(message: string): void;
