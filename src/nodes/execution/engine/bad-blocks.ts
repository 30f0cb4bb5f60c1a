import { decodeDeposit } from '../../../protocol/codec/deposit.ts';
import type { UnexecutedBlock } from '../chain/unexecuted-block.ts';
import { decodeTransaction, isDeposit } from '../transaction/transaction.ts';

/** Maximum bytes of transactions in all kept blocks. Payloads themselves have no size limit. */
const MAX_BAD_BLOCK_BYTES = 32 * 1024 * 1024;

/** The bad blocks that a client keeps. */
export interface BadBlockRetention {
  readonly most: number;
  /** The order of the answer. The last blocks are evicted first. */
  readonly first: 'newest' | 'highest';
  /** Descendants of an invalid block are kept as well. */
  readonly descendants: boolean;
}

/** Invalid blocks for `debug_getBadBlocks`, in memory only. geth: `rawdb.WriteBadBlock`, reth: `BadBlockStore`. */
export class BadBlocks {
  readonly retention: BadBlockRetention;
  #blocks: readonly UnexecutedBlock[] = [];

  constructor(retention: BadBlockRetention) {
    this.retention = retention;
  }

  get all(): readonly UnexecutedBlock[] {
    return this.#blocks;
  }

  /** Adds a block. One whose transactions cannot be decoded is not kept, because it cannot be shown. */
  add(block: UnexecutedBlock): void {
    if (this.#blocks.some(({ hash }) => hash === block.hash) || !isReadable(block)) return;
    const { most, first } = this.retention;
    const blocks =
      first === 'newest'
        ? [block, ...this.#blocks]
        : [...this.#blocks, block].sort((a, b) => b.header.number - a.header.number);
    let left = MAX_BAD_BLOCK_BYTES;
    this.#blocks = blocks.slice(0, most).filter((one) => {
      left -= sizeOf(one);
      return left >= 0;
    });
  }
}

function sizeOf({ transactions }: UnexecutedBlock): number {
  return transactions.reduce((sum, raw) => sum + raw.length, 0);
}

function isReadable({ transactions }: UnexecutedBlock): boolean {
  try {
    for (const raw of transactions)
      if (isDeposit(raw)) decodeDeposit(raw);
      else decodeTransaction(raw);
    return true;
  } catch {
    return false;
  }
}
