import { keccak256 } from '../../../protocol/hash.ts';
import { bytesToHex, hexToBytes, quantity } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import { encodeTransaction } from '../../rpc-types/transaction.ts';
import type { JournalTransaction } from '../chain/block.ts';
import type { Anvil, FetchedBlock, RpcTransaction } from './anvil-types.ts';
import { setNextBaseFee } from './base-fee.ts';
import { restoreBlockHashes } from './block-hashes.ts';
import { checkPool } from './pool-check.ts';
import { orderPool } from './pool-order.ts';
import { replaying } from './replay.ts';
import { isUnsigned, sentFields } from './send-again.ts';

interface RpcBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: Hex;
  readonly baseFeePerGas: Hex;
  readonly gasLimit: Hex;
  readonly miner: Hex;
  readonly transactions: readonly RpcTransaction[];
}

/** Creates the calls to anvil over its RPC. */
export function anvil(rpc: RpcClient): Anvil {
  let last: { gasLimit: Hex; miner: Hex } | undefined;

  /** Returns network forms by hash. anvil recovers the sender for each that it is asked for, so few are. */
  async function rawTransactions(transactions: readonly RpcTransaction[]): Promise<ReadonlyMap<Hex, Hex>> {
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

  async function fetched(block: RpcBlock): Promise<FetchedBlock> {
    const raws = await rawTransactions(block.transactions);
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
    last = { gasLimit, miner };
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

  async function hashAt(block: string): Promise<Hex | undefined> {
    return (await rpc.call<{ hash: Hex } | null>('eth_getBlockByNumber', [block, false]))?.hash;
  }

  async function mine(timestamp: number): Promise<FetchedBlock> {
    const [block] = await rpc.call<RpcBlock[]>('evm_mine_detailed', [{ timestamp: quantity(timestamp) }]);
    if (block === undefined) throw new Error('anvil mined no block');
    return fetched(block);
  }

  return {
    chainId: async () => Number(await rpc.call<Hex>('eth_chainId')),
    instance: async () => (await rpc.call<{ instanceId: string }>('anvil_metadata')).instanceId,
    head: async () => Number(await rpc.call<Hex>('eth_blockNumber')),
    headHash: () => hashAt('latest'),
    hash: (number) => hashAt(quantity(number)),
    async block(number) {
      const block = await rpc.call<RpcBlock | null>('eth_getBlockByNumber', [quantity(number), true]);
      return block && fetched(block);
    },
    async change({ method, params }) {
      await rpc.call(method, params);
    },
    restoreBlockHashes: () => restoreBlockHashes(rpc),
    setNextBaseFee: (number) => setNextBaseFee(rpc, number),
    checkPool: () => checkPool(rpc),
    orderPool: () => orderPool(rpc),
    mine,
    ...replaying(rpc, mine, () => last),
  };
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
