import { LRUCache } from 'lru-cache';
import type { Hex } from '../../../protocol/types.ts';
import { invalid, type PayloadStatus } from './payload-status.ts';

/**
 * Remembered blocks, and queries after which a block is validated again.
 * The cause may have been this machine. geth: `invalidTipsets` and `invalidBlockHitEviction`.
 */
const MAX_INVALID_BLOCKS = 512;
const MAX_LOOKUPS = 128;

interface InvalidBlock {
  readonly hash: Hex;
  readonly status: PayloadStatus;
  lookups: number;
}

/**
 * Statuses of invalid blocks and their descendants (geth: `checkInvalidAncestor`, reth: `InvalidHeaderCache`).
 * In memory only: a newer program may accept them.
 */
export class InvalidBlocks {
  readonly #entries = new LRUCache<Hex, InvalidBlock>({ max: MAX_INVALID_BLOCKS });

  /** Adds a block. `latestValidHash` is its parent. Returns the status. */
  add(hash: Hex, latestValidHash: Hex, reason: string): PayloadStatus {
    const status = invalid(latestValidHash, reason);
    this.#entries.set(hash, { hash, status, lookups: 0 });
    return status;
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Returns the status of a block, or the one that it inherits from its parent. */
  statusOf(hash: Hex, parentHash: Hex = hash): PayloadStatus | undefined {
    const ownEntry = this.#entries.get(hash);
    const entry = ownEntry ?? this.#entries.get(parentHash);
    if (entry === undefined) return undefined;
    if (++entry.lookups >= MAX_LOOKUPS) {
      this.#entries.delete(entry.hash);
      this.#entries.delete(hash);
      return undefined;
    }
    if (ownEntry === undefined) this.#entries.set(hash, entry);
    const { status } = entry;
    if (entry.hash === hash) return status;
    return invalid(status.latestValidHash, `links to the invalid block ${entry.hash}: ${status.validationError}`);
  }
}
