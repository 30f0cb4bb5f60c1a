import type { FinalityReading } from './gauge/reading.ts';

/**
 * Tracks whether a node's finalized head can move. A block becomes final with the L1 block that it was derived from.
 * If L1 finality takes epochs, a finalized head does not move for long.
 */
export class Finality {
  #due: { readonly block: number; readonly l1: number } | undefined;

  /** Records a node's answer. Returns whether its finalized head is due to move. */
  isDue({ derived, finalL1, safe, finalized }: FinalityReading): boolean {
    if (this.#due !== undefined && (finalized >= this.#due.block || safe < this.#due.block)) this.#due = undefined;
    if (this.#due === undefined && safe > finalized) this.#due = { block: safe, l1: derived };
    return this.#due !== undefined && finalL1 >= this.#due.l1;
  }
}
