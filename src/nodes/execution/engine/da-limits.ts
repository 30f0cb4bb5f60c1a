import { estimatedSizeScaled } from '../../../protocol/execution/data-gas.ts';

/**
 * Maximum bytes of data availability of blocks built here, as the batcher sets them (op-geth: `MaxDATxSize`,
 * `MaxDABlockSize`; op-reth: `OpDAConfig`).
 * undefined: no limit.
 */
export interface DaLimits {
  transaction: number | undefined;
  block: number | undefined;
}

/** Counts the estimated bytes of pooled transactions in a compressed batch. */
export class DaBudget {
  readonly #limits: DaLimits;
  #used = 0;

  constructor(limits: DaLimits) {
    this.#limits = limits;
  }

  /** Returns whether a transaction fits. Call `take` for one that is included. */
  fits(raw: Uint8Array): boolean {
    const { transaction, block } = this.#limits;
    if (transaction === undefined && block === undefined) return true;
    const size = sizeOf(raw);
    return size <= (transaction ?? size) && this.#used + size <= (block ?? Number.POSITIVE_INFINITY);
  }

  take(raw: Uint8Array): void {
    if (this.#limits.block !== undefined) this.#used += sizeOf(raw);
  }
}

function sizeOf(raw: Uint8Array): number {
  return Math.floor(estimatedSizeScaled(raw) / 1e6);
}
