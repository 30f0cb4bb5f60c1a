import type { Evidence } from './step.ts';

export type StepStatus = 'passed' | 'failed' | 'skipped';

/** The outcome of one step. Keys are only ever added. */
export interface StepResult {
  /** Its place in the scenario, from 1; of a step within another one as `4.2`. */
  readonly number: string;
  /** The step as one line. */
  readonly step: string;
  readonly status: StepStatus;
  readonly seconds: number;
  /** What the step found; of a failed one also `error`, the state of every node and the network's problems. */
  readonly evidence: Evidence;
  /** `file:line` */
  readonly at: string;
}

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
  /** The folder with all logs, kept where the scenario failed. */
  readonly folder?: string;
}
