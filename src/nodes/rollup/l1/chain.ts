import type { L1Chain } from '../../../protocol/derivation/ports.ts';
import type { BlobSource } from './blobs.ts';
import type { L1Client } from './client.ts';
import type { L1Heads } from './heads.ts';

/** L1 as derivation or the sequencer may see it: blocks newer than `confirmations` behind the head do not exist yet. */
export function l1Chain(client: L1Client, heads: L1Heads, blobs: BlobSource, confirmations: number): L1Chain {
  return {
    async headerByNumber(number) {
      const head = heads.latest;
      if (head === undefined) throw new Error('the L1 head is not known yet');
      if (number > head.number - confirmations && !(number === 0 && head.number === 0)) return null;
      return heads.at(number) ?? client.headerByNumber(number);
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
