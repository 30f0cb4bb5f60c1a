import { joinBlobTransaction, splitBlobTransaction } from '../../../../protocol/codec/blobs/sidecar.ts';
import { asList } from '../../../../protocol/codec/rlp.ts';
import { decodeTransaction, transactionType } from '../../../../protocol/codec/transaction.ts';
import { keccak256 } from '../../../../protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../protocol/hex.ts';
import type { Hex } from '../../../../protocol/types.ts';
import { encodeTransaction } from '../../../rpc-types/transaction.ts';
import type { JournalTransaction } from '../../chain/block.ts';
import type { RpcBlock } from '../fetched-block.ts';
import type { FetchedBlock } from '../l1-chain.ts';
import type { BuiltPayload } from './engine-calls.ts';

/** Returns the network forms of a payload's blob transactions by hash: those of a block have no sidecars. */
export function blobTransactionsOf({ executionPayload, blobsBundle }: BuiltPayload): ReadonlyMap<Hex, Uint8Array> {
  const { blobs, commitments, proofs } = blobsBundle;
  const perBlob = blobs.length === 0 ? 1 : proofs.length / blobs.length;
  const forms = new Map<Hex, Uint8Array>();
  let from = 0;
  for (const raw of executionPayload.transactions.map(hexToBytes)) {
    if (transactionType(raw) !== 3) continue;
    const to = from + asList(decodeTransaction(raw).fields.blobVersionedHashes, 'blob hashes').length;
    const sidecar = {
      version: perBlob === 1 ? (0 as const) : (1 as const),
      blobs: blobs.slice(from, to).map(hexToBytes),
      commitments: commitments.slice(from, to).map(hexToBytes),
      proofs: proofs.slice(from * perBlob, to * perBlob).map(hexToBytes),
    };
    forms.set(keccak256(raw), joinBlobTransaction({ raw, sidecar }));
    from = to;
  }
  return forms;
}

/** Returns the form in a block of a transaction in its network form. */
export function formInBlock(network: Hex): Hex {
  const bytes = hexToBytes(network);
  const split = transactionType(bytes) === 3 ? splitBlobTransaction(bytes) : undefined;
  return split === undefined ? network : bytesToHex(split.raw);
}

/** Completes a block of the RPC. `blobTransaction` finds the network form of a type 3 transaction. */
export function fetchedOf(block: RpcBlock, blobTransaction: (hash: Hex) => Uint8Array | undefined): FetchedBlock {
  const blobTransactions = new Map<Hex, Uint8Array>();
  const transactions = block.transactions.map((transaction): JournalTransaction => {
    const { hash, from, blobVersionedHashes } = transaction;
    if (Number(transaction.type) !== 3) return { hash, from, raw: bytesToHex(encodeTransaction(transaction)) };
    const network = blobTransaction(hash);
    if (network !== undefined) blobTransactions.set(hash, network);
    return { hash, from, blobs: blobVersionedHashes ?? [] };
  });
  const { hash, parentHash, baseFeePerGas, gasLimit, miner } = block;
  const place = { number: Number(block.number), hash, parentHash, timestamp: Number(block.timestamp) };
  return { block: { ...place, baseFeePerGas, gasLimit, miner, transactions }, blobTransactions };
}

/** Returns the network form of a transaction of a block that was read. */
export function networkFormOf(block: FetchedBlock, { hash, raw }: JournalTransaction): Hex | undefined {
  const blobs = block.blobTransactions.get(hash);
  return blobs === undefined ? raw : bytesToHex(blobs);
}
