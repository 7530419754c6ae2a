/** Compile-time proof that the built package is what index.d.ts says. Checked by `tsc --noEmit`; never run. */
import type * as contract from "../index.js";
import type * as built from "../ts/index.js";

type Values = Omit<typeof contract, "CodeModeRun" | "CodeModeEngine">;
declare const values: Omit<typeof built, "CodeModeRun" | "CodeModeEngine">;
values satisfies Values;

/** Classes with private parts are compared by what can be called on them. */
type Public<T> = { [Key in keyof T]: T[Key] };
declare const engine: InstanceType<typeof built.CodeModeEngine>;
engine satisfies Public<contract.CodeModeEngine>;
declare const run: ReturnType<typeof engine.openRun>;
run satisfies Public<contract.CodeModeRun>;

/** The union of results is exhaustive. */
export function statusOf(result: contract.CodeModeResult): string {
  switch (result.status) {
    case "completed":
      return typeof result.value;
    case "waiting":
      return result.runId;
    case "failed":
      return result.detailCode;
    default:
      return result satisfies never;
  }
}
