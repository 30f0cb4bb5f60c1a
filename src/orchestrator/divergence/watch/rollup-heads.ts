import type { Moment } from '../../health/gauge/gauge.ts';
import type { BlockRef, BlockWindow } from '../../health/gauge/head-window.ts';

export const ROLLUP_HEADS = ['unsafe', 'safe', 'finalized'] as const;
export type RollupHead = (typeof ROLLUP_HEADS)[number];

/** A head of a rollup node that its own execution client does not have at that height. */
export interface Mismatch {
  readonly head: RollupHead;
  readonly block: BlockRef;
  /** Hash of the execution client's block. */
  readonly other: string;
  readonly since: Moment;
}

const NO_BLOCK = /^0x0*$/;

/**
 * Compares the heads of one rollup node with the blocks of its execution client. Rollup nodes are thereby compared with
 * each other too, because all execution clients are.
 */
export class RollupHeads {
  readonly #open = new Map<RollupHead, BlockRef>();
  readonly #equal = new Map<RollupHead, string>();
  readonly #mismatches = new Map<RollupHead, Mismatch>();

  /** Heights that wait for the execution client's block. */
  get open(): readonly number[] {
    return [...this.#open.values()].map(({ number }) => number);
  }

  get mismatches(): readonly Mismatch[] {
    return [...this.#mismatches.values()];
  }

  /** Records a head. One that waits for its comparison is kept, so that heads that move fast are compared too. */
  report(head: RollupHead, block: BlockRef): void {
    if (NO_BLOCK.test(block.hash) || this.#open.has(head)) return;
    if (this.#equal.get(head) !== block.hash) this.#open.set(head, block);
  }

  /** Compares the reported heads. Returns the heights that the execution client must be asked for. */
  judge(window: BlockWindow, at: Moment): readonly number[] {
    const heights: number[] = [];
    for (const [head, block] of this.#open) {
      const other = window.hashes.get(block.number);
      if (other === undefined && block.number <= (window.head?.number ?? -1)) {
        heights.push(block.number);
        continue;
      }
      this.#open.delete(head);
      if (other === undefined) continue;
      if (other === block.hash) {
        this.#equal.set(head, block.hash);
        this.#mismatches.delete(head);
      } else {
        this.#equal.delete(head);
        this.#mismatches.set(head, { head, block, other, since: this.#mismatches.get(head)?.since ?? at });
      }
    }
    return heights;
  }
}
