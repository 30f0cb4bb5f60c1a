import type { BlockHeader } from '../../../protocol/codec/header.ts';
import type { Hex, Withdrawal } from '../../../protocol/types.ts';
import type { BlockReceipts } from '../block/receipt.ts';
import type { CanonicalBlock } from '../store/chain-store.ts';
import { decodeTransaction, isDeposit, type SignedTransaction } from '../transaction/transaction.ts';

/** A block whose parts are decoded (geth: `types.Block`). */
export interface Block {
  readonly hash: Hex;
  readonly header: BlockHeader;
  /** EIP-2718 encodings. */
  readonly transactions: readonly Uint8Array[];
  /** Plain Ethereum only. */
  readonly withdrawals: readonly Withdrawal[];
  readonly receipts: BlockReceipts;
}

/** Blocks in an order, each read on access. A deep reorganisation holds only hashes in memory. */
export class BlockPath implements Iterable<Block> {
  readonly hashes: readonly Hex[];
  readonly #read: (hash: Hex) => Block;

  constructor(hashes: readonly Hex[], read: (hash: Hex) => Block) {
    this.hashes = hashes;
    this.#read = read;
  }

  get length(): number {
    return this.hashes.length;
  }

  *[Symbol.iterator](): Iterator<Block> {
    for (const hash of this.hashes) yield this.#read(hash);
  }
}

/** Returns the signed transactions of a block, with their senders. */
export function signedTransactions(block: Block): SignedTransaction[] {
  return block.transactions.filter((raw) => !isDeposit(raw)).map(decodeTransaction);
}

/** Returns the index entries of a canonical block. */
export function toCanonical({ hash, header, receipts }: Block): CanonicalBlock {
  const values = new Set<Hex>();
  for (const receipt of receipts.receipts)
    for (const log of receipt.logs) {
      values.add(log.address);
      for (const topic of log.topics) values.add(topic);
    }
  return {
    hash,
    number: header.number,
    transactions: receipts.receipts.map(({ transactionHash }) => transactionHash),
    logValues: [...values],
  };
}
