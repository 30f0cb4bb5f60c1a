import type { FileCopy } from '../folder/files.ts';
import type { Plan } from '../plan/plan.ts';
import type { AfterCommand } from '../processes/after.ts';
import type { StartTimes } from '../processes/deadlines.ts';
import type { Event } from '../state/events.ts';
import type { FailureReport } from '../state/failure-report.ts';
import type { State } from '../state/state.ts';
import type { ErrorFacts } from './refusals.ts';

/**
 * A message of the command line to the supervisor that it started, a line of JSON each.
 * The first one is `up` or `resume`.
 */
export type Order =
  | {
      readonly kind: 'up';
      readonly home: string;
      readonly plan: Plan;
      /** How the supervisor gets large files, by path: as copies, or as texts that follow. */
      readonly rendered?: Readonly<Record<string, FileCopy | 'follows'>>;
      readonly options: StartOptions;
      /** Begins with the data of a snapshot's folder, at its time (Unix ms). */
      readonly from?: { readonly folder: string; readonly at: number };
      /** Commands that run when the nodes agree. The network is ready when they are done. */
      readonly after: readonly AfterCommand[];
    }
  /** Resumes a stopped devnet. Its plan, files and data are on disk. */
  | { readonly kind: 'resume'; readonly home: string; readonly name: string; readonly options: StartOptions }
  /**
   * The text of a large file. Without a text the supervisor renders the file itself.
   * Also the resolved spec, kept beside the plan so that parts of it can be planned again.
   */
  | { readonly kind: 'text'; readonly path: string; readonly text?: string }
  /** Keep running when this pipe closes. */
  | { readonly kind: 'detach' }
  /** Tear down. A network that was ready is deleted, any other is kept for inspection. */
  | { readonly kind: 'interrupt' }
  /** Kill processes without further grace. */
  | { readonly kind: 'kill' };

interface StartOptions extends StartTimes {
  /** Factor of the wall times after which a process does not follow the clock any more. Default: 1. */
  readonly patience?: number;
  /** Whether the network is ready only when every node has a safe block. */
  readonly untilSafe?: boolean;
  /** Time (ms) after which a ready network ends by itself. */
  readonly ttlMs?: number;
}

/** An answer on the control socket. `id` is that of the request, 0 if it was unreadable. */
export type Answer =
  | { readonly id: number; readonly result: unknown }
  | ({ readonly id: number; readonly error: string; readonly failure?: FailureReport } & ErrorFacts)
  | { readonly id: number; readonly event: Event };

/** The answer to `state`. */
export interface StateAnswer {
  readonly state: State;
}

/** The answer to `stop` and `down`, after the end. */
export interface EndAnswer {
  readonly killed: readonly string[];
  readonly errors: readonly string[];
}
