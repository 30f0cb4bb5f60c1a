import { decodeDeposit } from '../../../protocol/codec/deposit.ts';
import type { UnexecutedBlock } from '../chain/unexecuted-block.ts';
import { decodeTransaction, isDeposit } from '../transaction/transaction.ts';

/** Bytes of transactions that refused blocks may take together: an engine's payloads have no limit of their own. */
const MOST_BYTES = 32 * 1024 * 1024;

/** What a client keeps of the blocks that it refused. */
export interface BadBlockRetention {
  readonly most: number;
  /** Which come first, and are kept. */
  readonly first: 'newest' | 'highest';
  /** Blocks upon a refused one count too. */
  readonly descendants: boolean;
}

/** Blocks that broke the rules, whole, so that somebody can look at them. In memory only. */
export class BadBlocks {
  readonly retention: BadBlockRetention;
  #blocks: readonly UnexecutedBlock[] = [];

  constructor(retention: BadBlockRetention) {
    this.retention = retention;
  }

  get all(): readonly UnexecutedBlock[] {
    return this.#blocks;
  }

  /** A block whose transactions cannot be decoded is not kept: there is no way to show it. */
  add(block: UnexecutedBlock): void {
    if (this.#blocks.some(({ hash }) => hash === block.hash) || !isReadable(block)) return;
    const { most, first } = this.retention;
    const blocks =
      first === 'newest'
        ? [block, ...this.#blocks]
        : [...this.#blocks, block].sort((a, b) => b.header.number - a.header.number);
    let left = MOST_BYTES;
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
