/**
 * Tracks whether a gauge that follows another has something to move to: the other moved since its last movement. A
 * proposer posts nothing while the safe head stands still.
 */
export class Turn {
  #value: number | undefined;
  /** Number of the other gauge after the last own movement. */
  #other: number | undefined;

  isDue(value: number, other: number | undefined): boolean {
    const isMoved = value !== this.#value;
    this.#value = value;
    // The two values come in different answers, up to a round apart, so the next value of the other gauge is the base.
    if (isMoved) this.#other = undefined;
    else this.#other ??= other;
    return other !== undefined && this.#other !== undefined && other > this.#other;
  }
}
