/** A block of one node. */
export interface BlockRef {
  readonly number: number;
  readonly hash: string;
}

/** The newest block of a node. */
export interface HeadRef extends BlockRef {
  readonly parentHash?: string;
  /** Unix seconds. */
  readonly time: number;
}

/** Blocks of one node that are remembered. */
const MAX_WINDOW_BLOCKS = 64;

/** The newest known blocks of one node, all of one chain: a block of another chain empties it. */
export class BlockWindow {
  readonly #hashes = new Map<number, string>();
  #head: HeadRef | undefined;

  get head(): HeadRef | undefined {
    return this.#head;
  }

  /** Known hashes by number. */
  get hashes(): ReadonlyMap<number, string> {
    return this.#hashes;
  }

  /**
   * Records an answer. Returns the earlier head if the node has left its chain: it reorganised or was rewound.
   * `pinned`: numbers that are never forgotten.
   */
  observe(head: HeadRef, blocks: readonly BlockRef[], pinned: ReadonlySet<number>): HeadRef | undefined {
    const before = this.#head;
    const parent = head.parentHash === undefined ? [] : [{ number: head.number - 1, hash: head.parentHash }];
    const chain = [...blocks, ...parent, head].filter(({ number }) => number >= 0 && number <= head.number);
    const hasLeft =
      (before !== undefined && head.number < before.number) ||
      chain.some(({ number, hash }) => (this.#hashes.get(number) ?? hash) !== hash);
    if (hasLeft) this.#hashes.clear();
    for (const { number, hash } of chain) this.#hashes.set(number, hash);
    this.#head = head;
    this.#forget(pinned);
    return hasLeft ? before : undefined;
  }

  #forget(pinned: ReadonlySet<number>): void {
    if (this.#hashes.size <= MAX_WINDOW_BLOCKS) return;
    const oldest = [...this.#hashes.keys()].filter((number) => !pinned.has(number)).sort((a, b) => a - b);
    for (const number of oldest.slice(0, this.#hashes.size - MAX_WINDOW_BLOCKS)) this.#hashes.delete(number);
  }
}
