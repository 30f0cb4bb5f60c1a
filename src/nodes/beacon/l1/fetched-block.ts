import { keccak256 } from '../../../protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import { encodeTransaction } from '../../rpc-types/transaction.ts';
import type { JournalTransaction } from '../chain/block.ts';
import type { FetchedBlock } from './l1-chain.ts';
import { isUnsigned, sentFields } from './pool/send-again.ts';
import type { RpcTransaction } from './pool/transaction.ts';

/** A block as anvil shows it. */
export interface RpcBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: Hex;
  readonly baseFeePerGas: Hex;
  readonly gasLimit: Hex;
  readonly miner: Hex;
  readonly transactions: readonly RpcTransaction[];
}

/** Completes a block by the network forms of its transactions. */
export async function fetchBlock(rpc: RpcClient, block: RpcBlock): Promise<FetchedBlock> {
  const raws = await rawTransactions(rpc, block.transactions);
  const blobTransactions = new Map<Hex, Uint8Array>();
  const transactions = block.transactions.map((transaction): JournalTransaction => {
    const { hash, from } = transaction;
    const raw = present(raws.get(hash), `transaction ${hash}`);
    if (Number(transaction.type) === 3) {
      blobTransactions.set(hash, hexToBytes(raw));
      return { hash, from, blobs: transaction.blobVersionedHashes ?? [] };
    }
    return isUnsigned(transaction) ? { hash, from, raw, impersonated: sentFields(transaction) } : { hash, from, raw };
  });
  const { hash, parentHash, baseFeePerGas, gasLimit, miner } = block;
  return {
    block: {
      number: Number(block.number),
      hash,
      parentHash,
      timestamp: Number(block.timestamp),
      baseFeePerGas,
      gasLimit,
      miner,
      transactions,
    },
    blobTransactions,
  };
}

/** Returns network forms by hash. anvil recovers the sender for each request, so few are requested. */
async function rawTransactions(
  rpc: RpcClient,
  transactions: readonly RpcTransaction[],
): Promise<ReadonlyMap<Hex, Hex>> {
  const raws = new Map<Hex, Hex>();
  for (const transaction of transactions) {
    const raw = encoded(transaction);
    if (raw !== undefined) raws.set(transaction.hash, bytesToHex(raw));
  }
  const others = transactions.filter(({ hash }) => !raws.has(hash));
  const outcomes = await rpc.batch<Hex>(
    others.map(({ hash }) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })),
  );
  for (const [at, { hash }] of others.entries()) {
    const outcome = outcomes[at];
    if (!outcome?.ok) throw outcome?.error ?? new Error('anvil answered fewer results than requests');
    raws.set(hash, outcome.result);
  }
  return raws;
}

/**
 * Encodes a transaction in its network form. Undefined: its hash is of something else (a transaction of an impersonated
 * account), or the form has a sidecar.
 */
function encoded(transaction: RpcTransaction): Uint8Array | undefined {
  if (Number(transaction.type) === 3) return undefined;
  try {
    const raw = encodeTransaction(transaction);
    return keccak256(raw) === transaction.hash ? raw : undefined;
  } catch {
    return undefined;
  }
}
