import type { Plan } from '../plan/plan.ts';
import type { FailureReport } from './failure-report.ts';
import type { FileCopy } from './files.ts';
import type { State } from './state.ts';

/** What the command line tells the supervisor that it started, a line of JSON each on its standard input. The first one is up or resume. */
export type Order =
  | {
      readonly kind: 'up';
      readonly home: string;
      readonly plan: Plan;
      /** By their paths, what the command line knows of large files of the plan: what they are copies of, or that it sends their text. */
      readonly rendered?: Readonly<Record<string, FileCopy | 'follows'>>;
      readonly options: StartOptions;
    }
  /** Goes on with a stopped devnet: its plan, files and data are on disk. */
  | { readonly kind: 'resume'; readonly home: string; readonly name: string; readonly options: StartOptions }
  /**
   * The text of a large file of the plan; without it, it is rendered where it is written. Also, by its path, the resolved spec, which is kept beside
   * the plan so that parts of it can be planned again.
   */
  | { readonly kind: 'text'; readonly path: string; readonly text?: string }
  /** Run on when this pipe closes. */
  | { readonly kind: 'detach' }
  /** Tear down: what was ready is deleted, what was not is kept for inspection. */
  | { readonly kind: 'interrupt' }
  /** Give nobody any more grace. */
  | { readonly kind: 'kill' };

interface StartOptions {
  /** Milliseconds until the network must be ready. */
  readonly budgetMs: number;
  /** Milliseconds after which a ready network ends by itself. */
  readonly ttlMs?: number;
}

/** What the supervisor sends through the control socket. `id`: that of the request, 0 where it could not be read. */
export type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string; readonly failure?: FailureReport }
  | { readonly id: number; readonly event: unknown };

/** What `state` answers. */
export interface StateAnswer {
  readonly state: State;
}

/** What `stop` and `down` answer when all has ended. */
export interface EndAnswer {
  readonly killed: readonly string[];
  readonly errors: readonly string[];
}
