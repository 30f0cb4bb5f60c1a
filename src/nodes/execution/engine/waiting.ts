import type { Hex } from '../../../protocol/types.ts';
import type { Candidate } from '../chain/candidate.ts';
import { LruMap } from '../store/lru-map.ts';

/** Blocks that wait at once, and bytes of transactions in one that may. */
const MOST = 64;
const LARGEST = 8 * 1024 * 1024;

/** Blocks whose parents are not known yet: they are executed when a forkchoice names them and their ancestors have come. */
export class WaitingBlocks {
  readonly #blocks = new LruMap<Candidate>(MOST);

  add(block: Candidate): void {
    const size = block.transactions.reduce((sum, { length }) => sum + length, 0);
    if (size <= LARGEST) this.#blocks.set(block.hash, block);
  }

  remove(hash: Hex): void {
    this.#blocks.delete(hash);
  }

  /** The waiting blocks that lead to `hash`, oldest first; the parent of the first is not among them. Empty where `hash` does not wait. */
  leadingTo(hash: Hex): Candidate[] {
    const path: Candidate[] = [];
    for (let block = this.#blocks.get(hash); block !== undefined; block = this.#blocks.get(block.header.parentHash))
      path.push(block);
    return path.reverse();
  }
}
