import type { ForkSchedule } from '../../../protocol/forks/index.ts';
import type { FlavourName } from '../flavour.ts';
import type { Limits } from '../limits.ts';

/** What a reading thread is started with: the chain's file, and how this node answers. */
export interface ReadWorkerConfig {
  readonly file: string;
  /** UTF-8 of genesis.json without `alloc`. */
  readonly definition: string;
  /** This node's fork times. */
  readonly schedule: ForkSchedule;
  readonly flavour: FlavourName;
  readonly limits: Limits;
  /** Older states count as lost, as the flavour prunes them. */
  readonly isPruned: boolean;
  /** Bytes of the write-ahead log past which nobody reads until it was emptied: while anybody does, it only grows. */
  readonly maxWalBytes: number;
}

/** To the thread. `log`: it is to bring the write-ahead log into the file. `resume`: the log was emptied. */
export type ToWorker =
  | { readonly kind: 'read'; readonly id: number; readonly method: string; readonly params: readonly unknown[] }
  | { readonly kind: 'log' }
  | { readonly kind: 'resume' };

/** From the thread. `kept`: the log is in the file. `quiet`: it is, and it is long: nobody reads until it was emptied. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'kept' }
  | { readonly kind: 'quiet' }
  | ReadResponse;

/** A result as JSON, undefined where it is longer than an answer may be, and the milliseconds that it took; or what a method threw. */
export type ReadResponse =
  | { readonly kind: 'result'; readonly id: number; readonly text: string | undefined; readonly took: number }
  | {
      readonly kind: 'refused';
      readonly id: number;
      readonly code: number;
      readonly message: string;
      readonly data: unknown;
    }
  | { readonly kind: 'failed'; readonly id: number; readonly error: Error };
