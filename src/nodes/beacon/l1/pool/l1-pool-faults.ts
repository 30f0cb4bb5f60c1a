import type { Hex } from '../../../../protocol/types.ts';
import type { PoolFault } from '../../../../system/channel/l1-requests.ts';

/** A transaction that waits in the pool. */
export interface Waiting {
  readonly hash: Hex;
  readonly from: Hex;
  readonly nonce: number;
}

/** Faults of L1's pool. All calls come while no block is made but by the caller. */
export interface L1PoolFaults {
  readonly all: readonly PoolFault[];
  /** Finds a transaction of the pool. @throws TransportError */
  find(hash: string): Promise<Waiting | undefined>;
  /** Adds a fault, or replaces the one of its id. */
  add(fault: PoolFault): void;
  /** Removes the other faults, so that their transactions get into the next block. */
  keep(ids: readonly string[]): void;
  /** Takes transactions out of the pool before the block of a slot, whose time is in ms. @throws TransportError */
  before(time: number): Promise<void>;
  /** Whether a new block has a transaction that came after `before`, and that a fault is for. @throws TransportError */
  concerns(transactions: readonly { readonly from: Hex }[]): Promise<boolean>;
  /** Puts held transactions into the pool again after a block. @throws TransportError */
  after(): Promise<void>;
}
