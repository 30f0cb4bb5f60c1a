import { LRUCache } from 'lru-cache';
import type { Hex } from '../../../protocol/types.ts';
import type { UnexecutedBlock } from '../chain/unexecuted-block.ts';

/** Maximum bytes of transactions in all buffered blocks. */
const MAX_BUFFER_BYTES = 64 * 1024 * 1024;
/**
 * Maximum number of buffered blocks. op-reth buffers 64 to 256 blocks, op-geth the headers of 96.
 * Older ancestors are fetched from peers.
 */
const MAX_BUFFERED_BLOCKS = 512;

/**
 * Buffers blocks with an unknown parent until a forkchoice names them and their ancestors have arrived.
 * Counterparts: `BlockBuffer` of reth, `headerQueue` of geth.
 */
export class BlockBuffer {
  readonly #blocks = new LRUCache<Hex, UnexecutedBlock>({
    max: MAX_BUFFERED_BLOCKS,
    maxSize: MAX_BUFFER_BYTES,
    sizeCalculation: ({ transactions }) => transactions.reduce((sum, { length }) => sum + length, 1),
  });

  add(block: UnexecutedBlock): void {
    this.#blocks.set(block.hash, block);
  }

  remove(hash: Hex): void {
    this.#blocks.delete(hash);
  }

  clear(): void {
    this.#blocks.clear();
  }

  /** Returns the buffered blocks that lead to `hash`, oldest first. Empty if `hash` is not buffered. */
  pathTo(hash: Hex): UnexecutedBlock[] {
    const path: UnexecutedBlock[] = [];
    for (let block = this.#blocks.get(hash); block !== undefined; block = this.#blocks.get(block.header.parentHash))
      path.push(block);
    return path.reverse();
  }
}
