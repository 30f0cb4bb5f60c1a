import { isDeposit } from '../../protocol/codec/deposit.ts';
import { estimatedSizeScaled } from '../../protocol/execution/data-gas.ts';
import { hexToBytes } from '../../protocol/hex.ts';
import type { ExecutionPayload } from '../../protocol/types.ts';

/** Blocks that were read and are not safe yet, by their estimated size on L1 (op-batcher: `unsafeDABytes`). */
export class Backlog {
  #blocks: { readonly number: number; readonly bytes: number }[] = [];
  #bytes = 0;

  /** Estimated bytes of all blocks. The execution client uses the same estimate (specification: fjord). */
  get bytes(): number {
    return this.#bytes;
  }

  add({ blockNumber, transactions }: ExecutionPayload): void {
    let scaled = 0;
    for (const transaction of transactions)
      if (!isDeposit(transaction)) scaled += estimatedSizeScaled(hexToBytes(transaction));
    const bytes = Math.ceil(scaled / 1e6);
    this.#blocks.push({ number: blockNumber, bytes });
    this.#bytes += bytes;
  }

  /** Drops blocks up to a number: they are safe. */
  dropThrough(number: number): void {
    this.#keep((block) => block > number);
  }

  /** Drops blocks above a number: they are read again. */
  dropAbove(number: number): void {
    this.#keep((block) => block <= number);
  }

  #keep(isKept: (number: number) => boolean): void {
    const blocks = this.#blocks.filter(({ number }) => isKept(number));
    if (blocks.length === this.#blocks.length) return;
    this.#blocks = blocks;
    this.#bytes = blocks.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}
