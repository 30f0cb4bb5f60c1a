import type { Hex } from '../../../protocol/types.ts';
import type { UnexecutedBlock } from '../chain/unexecuted-block.ts';
import { LruMap } from '../store/lru-map.ts';

/** Bytes of transactions in all blocks that wait. */
const ROOM = 64 * 1024 * 1024;
/** Blocks that wait: a real client keeps 64 to 256 (Rust), or the headers of 96 (Go). What lies before is asked of peers. */
const MOST = 512;

/** Blocks whose parents are not known yet: they are executed when a forkchoice names them and their ancestors have come. */
export class BlockBuffer {
  readonly #blocks = new LruMap<UnexecutedBlock>(
    ROOM,
    ({ transactions }) => transactions.reduce((sum, { length }) => sum + length, 0),
    MOST,
  );

  add(block: UnexecutedBlock): void {
    this.#blocks.set(block.hash, block);
  }

  remove(hash: Hex): void {
    this.#blocks.delete(hash);
  }

  /** The waiting blocks that lead to `hash`, oldest first; the parent of the first is not among them. Empty where `hash` does not wait. */
  pathTo(hash: Hex): UnexecutedBlock[] {
    const path: UnexecutedBlock[] = [];
    for (let block = this.#blocks.get(hash); block !== undefined; block = this.#blocks.get(block.header.parentHash))
      path.push(block);
    return path.reverse();
  }
}
