import type { ForkSchedule } from '../../../protocol/forks/index.ts';
import type { FlavourName } from '../flavours/flavour.ts';
import type { Limits } from '../limits.ts';

/** Start data of the read worker: the chain's file and the configuration of the node. */
export interface ReadWorkerConfig {
  readonly file: string;
  /** UTF-8 of genesis.json without `alloc`. */
  readonly definition: string;
  /** This node's fork times. */
  readonly schedule: ForkSchedule;
  readonly flavour: FlavourName;
  readonly limits: Limits;
  /** Older states are treated as pruned. */
  readonly isPruned: boolean;
  /** Size of the write-ahead log in bytes above which reads pause until it is truncated. Any reader lets it grow. */
  readonly maxWalBytes: number;
}

/** Messages to the worker. `log`: checkpoint the write-ahead log. `resume`: the log was truncated. */
export type ToWorker =
  | { readonly kind: 'read'; readonly id: number; readonly method: string; readonly params: readonly unknown[] }
  | { readonly kind: 'log' }
  | { readonly kind: 'resume' };

/** Messages from the worker. `kept`: the checkpoint is done. `quiet`: it is done, and reads pause until `resume`. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'kept' }
  | { readonly kind: 'quiet' }
  | ReadResponse;

/** Result of a read: JSON with its duration in milliseconds, or the error. `text` is undefined above the size limit. */
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
