import type { Hex } from '../../../protocol/types.ts';
import { LruMap } from '../store/lru-map.ts';
import { invalid, type PayloadStatus } from './payload-status.ts';

/**
 * Remembered blocks, and queries after which a block is validated again.
 * The cause may have been this machine. geth: `invalidTipsets` and `invalidBlockHitEviction`.
 */
const REMEMBERED = 512;
const PATIENCE = 128;

interface Refusal {
  readonly hash: Hex;
  readonly status: PayloadStatus;
  asked: number;
}

/** Statuses of invalid blocks and their descendants. In memory only: a newer program may accept them. */
export class InvalidBlocks {
  readonly #refusals = new LruMap<Refusal>(REMEMBERED);

  /** Adds a block. `latestValidHash` is its parent. Returns the status. */
  add(hash: Hex, latestValidHash: Hex, reason: string): PayloadStatus {
    const status = invalid(latestValidHash, reason);
    this.#refusals.set(hash, { hash, status, asked: 0 });
    return status;
  }

  /** Returns the status of a block, or the one that it inherits from its parent. */
  verdict(hash: Hex, parentHash: Hex = hash): PayloadStatus | undefined {
    const own = this.#refusals.get(hash);
    const refusal = own ?? this.#refusals.get(parentHash);
    if (refusal === undefined) return undefined;
    if (++refusal.asked >= PATIENCE) {
      this.#refusals.delete(refusal.hash);
      this.#refusals.delete(hash);
      return undefined;
    }
    if (own === undefined) this.#refusals.set(hash, refusal);
    const { status } = refusal;
    if (refusal.hash === hash) return status;
    return invalid(status.latestValidHash, `links to the invalid block ${refusal.hash}: ${status.validationError}`);
  }
}
