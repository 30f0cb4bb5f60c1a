import type { Hex } from '../../../protocol/types.ts';
import type { Candidate } from '../chain/candidate.ts';
import { LruMap } from '../store/lru-map.ts';

/** Bytes of transactions in all blocks that wait. */
const ROOM = 64 * 1024 * 1024;
/** Blocks that wait: a real client keeps 64 to 256 (Rust), or the headers of 96 (Go). What lies before is asked of peers. */
const MOST = 512;

/** Blocks whose parents are not known yet: they are executed when a forkchoice names them and their ancestors have come. */
export class WaitingBlocks {
  readonly #blocks = new LruMap<Candidate>(
    ROOM,
    ({ transactions }) => transactions.reduce((sum, { length }) => sum + length, 0),
    MOST,
  );

  add(block: Candidate): void {
    this.#blocks.set(block.hash, block);
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
