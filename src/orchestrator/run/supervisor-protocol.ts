import type { Plan } from '../plan/plan.ts';
import type { Event } from './events.ts';
import type { FailureReport } from './failure-report.ts';
import type { FileCopy } from './files.ts';
import type { State } from './state.ts';

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

interface StartOptions {
  /** Deadline (ms) for the network to be ready. */
  readonly budgetMs: number;
  /** Time (ms) after which a ready network ends by itself. */
  readonly ttlMs?: number;
}

/** An answer on the control socket. `id` is that of the request, 0 where it was unreadable. */
export type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string; readonly failure?: FailureReport }
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
