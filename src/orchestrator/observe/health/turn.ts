/**
 * Whether a gauge that moves after another one has something to move to: the other one moved since its own last
 * movement. A proposer posts nothing while the safe head stands.
 */
export class Turn {
  #own: number | undefined;
  /** The other gauge's number after the last own movement. */
  #other: number | undefined;

  isDue(own: number, other: number | undefined): boolean {
    const isMoved = own !== this.#own;
    this.#own = own;
    // The two come in different answers, up to a round apart: the next value of the other one is the base.
    if (isMoved) this.#other = undefined;
    else this.#other ??= other;
    return other !== undefined && this.#other !== undefined && other > this.#other;
  }
}
