import { decodeBlob } from '../../codec/blob.ts';
import { hexToBytes, sameHex } from '../../hex.ts';
import { present } from '../../present.ts';
import type { Hex, L1Header, L1Transaction } from '../../types.ts';
import { DerivationError } from '../error.ts';
import type { DerivationLog, L1Chain, Rollup } from '../ports.ts';

const BLOB_TRANSACTION = 3;

/** A piece of the batcher's data and its place on L1. */
export interface BatcherInput {
  /** Hash of the L1 transaction. */
  readonly transaction: Hex;
  /** Versioned hash of the blob that holds the data; absent: it is calldata. */
  readonly blob?: Hex;
  readonly data: Uint8Array;
}

/**
 * Returns the data of the batcher's transactions in an L1 block, in order.
 * Counterparts: `DataSourceFactory.OpenData`, `CalldataSource`, `BlobDataSource` (op-node), `EthereumDataSource`
 * (kona).
 * That is calldata; once the blob rules are active at the L1 block's time, the blobs of blob transactions instead of
 * their calldata.
 * @throws DerivationError (reset) if L1 no longer has the block or its blobs
 */
export async function readBatcherData(
  rollup: Rollup,
  { l1, log }: { readonly l1: Pick<L1Chain, 'transactions' | 'blobs'>; readonly log?: DerivationLog },
  block: L1Header,
  batcher: Hex,
): Promise<BatcherInput[]> {
  const transactions = await l1.transactions(block.hash);
  if (transactions === null) throw missingData(block, 'transactions');
  const inbox = rollup.config.batch_inbox_address;
  const ofBatcher = transactions.filter((transaction) => isBatcherTransaction(transaction, inbox, batcher));

  const { blobs: readsBlobs } = rollup.rulesAt(block.timestamp).batches;
  const hashesOf = ({ type, blobVersionedHashes = [] }: L1Transaction) =>
    readsBlobs && type === BLOB_TRANSACTION ? blobVersionedHashes : null;
  const hashes = ofBatcher.flatMap((transaction) => hashesOf(transaction) ?? []);
  const blobs = hashes.length === 0 ? [] : await l1.blobs(block, hashes);
  if (blobs?.length !== hashes.length) throw missingData(block, `${hashes.length} blobs`);

  let position = 0;
  return ofBatcher.flatMap((each): BatcherInput[] => {
    const blobHashes = hashesOf(each);
    const transaction = each.hash;
    if (blobHashes === null) return [{ transaction, data: hexToBytes(each.input) }];
    return blobHashes.flatMap((hash) => {
      const blob = present(blobs[position++], 'blob of a batcher transaction');
      try {
        return [{ transaction, blob: hash, data: decodeBlob(blob) }];
      } catch (error) {
        log?.('warn', 'dropped a blob that does not follow the blob encoding', { hash, reason: String(error) });
        return [];
      }
    });
  });
}

/**
 * Tells whether the batcher sent a transaction to the inbox (op-node: `isValidBatchTx`).
 * Transaction types newer than blobs do not count (specification: L1 Retrieval).
 */
function isBatcherTransaction(transaction: L1Transaction, inbox: Hex, batcher: Hex): boolean {
  const { type, to, from } = transaction;
  return type <= BLOB_TRANSACTION && to !== null && sameHex(to, inbox) && sameHex(from, batcher);
}

function missingData(block: L1Header, what: string): DerivationError {
  return new DerivationError('reset', `L1 does not have the ${what} of block ${block.number} (${block.hash})`);
}
