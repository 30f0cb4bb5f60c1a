import type { Hex } from '../../../protocol/types.ts';
import { LruMap } from '../store/lru-map.ts';
import { invalid, type PayloadStatus } from './payload-status.ts';

/** Blocks that are remembered, and askings after which a verdict is made anew: what refused it may have been this machine. As in the Go client. */
const REMEMBERED = 512;
const PATIENCE = 128;

interface Refusal {
  readonly hash: Hex;
  readonly status: PayloadStatus;
  asked: number;
}

/** Blocks that broke the rules, and blocks upon them. In memory only: a newer program may judge otherwise. */
export class InvalidBlocks {
  readonly #refusals = new LruMap<Refusal>(REMEMBERED);

  /** `latestValidHash`: the block's parent. Returns the verdict. */
  add(hash: Hex, latestValidHash: Hex, reason: string): PayloadStatus {
    const status = invalid(latestValidHash, reason);
    this.#refusals.set(hash, { hash, status, asked: 0 });
    return status;
  }

  /** The verdict on a block, or that which it inherits from its parent. */
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
