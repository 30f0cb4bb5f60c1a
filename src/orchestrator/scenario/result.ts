import type { StepResult } from './step.ts';

/** The outcome of a scenario, as `devnet run --json` prints it. Keys are only ever added. */
export interface ScenarioResult {
  readonly name: string;
  /** Whether all steps passed and the network was torn down. */
  readonly passed: boolean;
  readonly seed: number;
  readonly seconds: number;
  readonly steps: readonly StepResult[];
  /** The head of every node after the last step. */
  readonly heads: Readonly<Record<string, { readonly number: number; readonly hash: string } | null>>;
  /** What failed while the network was torn down after the steps. Absent: nothing. */
  readonly teardown?: string;
  /** The folder with all logs, kept if the scenario failed. */
  readonly folder?: string;
}
