import { hexToBytes, quantity } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import type { RpcClient } from '../../rpc/client.ts';
import { RpcError } from '../../rpc/error.ts';
import type { JournalBlock, JournalTransaction } from './block.ts';

/** anvil as this program drives it. anvil answers the calls of one batch in any order, so calls that depend on each other go one by one. */
export interface Anvil {
  chainId(): Promise<number>;
  head(): Promise<number>;
  headHash(): Promise<Hex | undefined>;
  /** Hash of a block; undefined where the chain is shorter. */
  hash(number: number): Promise<Hex | undefined>;
  /** null where the chain is shorter. */
  block(number: number): Promise<FetchedBlock | null>;
  /** Makes a block of what waits in the pool. @throws RpcError where the time is not after the head's */
  mine(timestamp: number): Promise<FetchedBlock>;
  /** Makes a journalled block again, as near to it as anvil can; tells which transactions it refused. */
  replay(block: JournalBlock, raw: (transaction: JournalTransaction) => Hex | undefined): Promise<ReplayedBlock>;
}

/** A block with its transactions' network forms; `rawOf` gives a type 3 transaction with its sidecar. */
export interface FetchedBlock {
  readonly block: JournalBlock;
  /** Network forms of the type 3 transactions by hash. */
  readonly blobTransactions: ReadonlyMap<Hex, Uint8Array>;
}

interface ReplayedBlock extends FetchedBlock {
  readonly refused: readonly { readonly hash: Hex; readonly reason: string }[];
}

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

interface RpcTransaction {
  readonly hash: Hex;
  readonly type: Hex;
  readonly from: Hex;
  readonly r?: Hex;
  readonly s?: Hex;
  readonly maxFeePerGas?: Hex;
  readonly blobVersionedHashes?: readonly Hex[];
  readonly [field: string]: unknown;
}

const SENT_FIELDS = [
  'from',
  'to',
  'gas',
  'value',
  'nonce',
  'input',
  'accessList',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
] as const;

export function anvil(rpc: RpcClient): Anvil {
  let last: { gasLimit: Hex; miner: Hex } | undefined;

  async function fetched(block: RpcBlock): Promise<FetchedBlock> {
    const outcomes = await rpc.batch(
      block.transactions.map(({ hash }) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })),
    );
    const blobTransactions = new Map<Hex, Uint8Array>();
    const transactions = block.transactions.map((transaction, at): JournalTransaction => {
      const outcome = outcomes[at]!;
      if (!outcome.ok) throw outcome.error;
      const raw = outcome.result as Hex;
      const { hash, from } = transaction;
      if (Number(transaction.type) === 3) {
        blobTransactions.set(hash, hexToBytes(raw));
        return { hash, from, blobs: transaction.blobVersionedHashes ?? [] };
      }
      const unsigned = BigInt(transaction.r ?? 0) === 0n && BigInt(transaction.s ?? 0) === 0n;
      return unsigned ? { hash, from, raw, impersonated: sentFields(transaction) } : { hash, from, raw };
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
    return fetched(block!);
  }

  return {
    chainId: async () => Number(await rpc.call<Hex>('eth_chainId')),
    head: async () => Number(await rpc.call<Hex>('eth_blockNumber')),
    headHash: () => hashAt('latest'),
    hash: (number) => hashAt(quantity(number)),
    async block(number) {
      const block = await rpc.call<RpcBlock | null>('eth_getBlockByNumber', [quantity(number), true]);
      return block && fetched(block);
    },
    mine,
    async replay(block, raw) {
      await rpc.call('anvil_setNextBlockBaseFeePerGas', [block.baseFeePerGas]);
      if (last !== undefined && last.gasLimit !== block.gasLimit)
        await rpc.call('evm_setBlockGasLimit', [block.gasLimit]);
      if (last !== undefined && last.miner !== block.miner) await rpc.call('anvil_setCoinbase', [block.miner]);
      const refused: { hash: Hex; reason: string }[] = [];
      for (const transaction of block.transactions) {
        try {
          await send(transaction, raw(transaction));
        } catch (error) {
          if (!(error instanceof RpcError)) throw error;
          refused.push({ hash: transaction.hash, reason: error.message });
        }
      }
      return { ...(await mine(block.timestamp)), refused };
    },
  };

  async function send(transaction: JournalTransaction, raw: Hex | undefined): Promise<void> {
    if (transaction.impersonated !== undefined) {
      await rpc.call('anvil_impersonateAccount', [transaction.from]);
      await rpc.call('eth_sendTransaction', [transaction.impersonated]);
      await rpc.call('anvil_stopImpersonatingAccount', [transaction.from]);
    } else if (raw === undefined) throw new RpcError(0, 'its blobs are missing from the data folder');
    else await rpc.call('eth_sendRawTransaction', [raw], { timeoutMs: 60_000 });
  }
}

/** The fields by which an unsigned transaction is sent again; a legacy gas price only where there is no fee cap. */
function sentFields(transaction: RpcTransaction): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const name of SENT_FIELDS) {
    if (name === 'gasPrice' && transaction.maxFeePerGas !== undefined) continue;
    if (transaction[name] !== undefined && transaction[name] !== null) fields[name] = transaction[name];
  }
  return fields;
}
