import type { L1Chain } from '../../../protocol/derivation/ports.ts';
import type { BlobSource } from './blobs.ts';
import type { L1Client } from './client.ts';
import type { L1Tracker } from './l1-tracker.ts';
import { prefetchBlocks } from './prefetch.ts';

/**
 * Limits the view of L1 to blocks `confirmations` behind the head (op-node: `NewConfDepth`).
 * `ahead`: blocks fetched in advance, with receipts and transactions, for a reader of consecutive blocks.
 */
export function confDepth(
  client: L1Client,
  heads: L1Tracker,
  blobs: BlobSource,
  confirmations: number,
  ahead = 0,
): L1Chain {
  const isThere = (number: number) => heads.latest !== undefined && number <= heads.latest.number - confirmations;
  const read =
    ahead === 0
      ? (number: number) => client.headerByNumber(number)
      : prefetchBlocks({
          read: (number) => client.blockByNumber(number),
          mayRead: (number) => isThere(number) && heads.at(number) === undefined,
          blocks: ahead,
          warm: (header) => client.receipts(header.hash),
        });
  return {
    async headerByNumber(number) {
      const head = heads.latest;
      if (head === undefined) throw new Error('the L1 head is not known yet');
      if (!isThere(number) && !(number === 0 && head.number === 0)) return null;
      return heads.at(number) ?? read(number);
    },
    headerByHash: (hash) => client.headerByHash(hash),
    receipts: (hash) => client.receipts(hash),
    transactions: (hash) => client.transactions(hash),
    async blobs(header, versionedHashes) {
      const transactions = await client.transactions(header.hash);
      if (transactions === null) return null;
      const all = transactions.flatMap(({ blobVersionedHashes = [] }) => blobVersionedHashes);
      return blobs(
        header,
        versionedHashes.map((hash) => ({ hash, index: all.indexOf(hash) })),
      );
    },
  };
}
