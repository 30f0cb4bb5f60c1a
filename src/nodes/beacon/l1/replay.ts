import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import { RpcError } from '../../../rpc/error.ts';
import type { JournalBlock, JournalTransaction } from '../chain/block.ts';
import { setNextBaseFee } from './base-fee.ts';
import type { FetchedBlock, L1Chain } from './l1-chain.ts';
import { type PooledTransaction, readPool, sendPool } from './pool/pool.ts';
import { sendAgain } from './pool/send-again.ts';
import type { Refusal } from './pool/transaction.ts';

/** Attempts to mine a block again without foreign transactions in it. */
const MAX_ATTEMPTS = 50;

/**
 * Says that anvil mined a block on another parent than the journal's.
 * Since the head was read, anvil was restarted or its chain changed. The block is rolled back, because the chain on it
 * would look like a reorg of the whole journal.
 */
export class MovedError extends Error {
  override readonly name = 'MovedError';
}

type Senders = Pick<L1Chain, 'replay' | 'restorePool' | 'takeBack'>;

/** Creates the replay. `last`: the settings that anvil inherited from the previous block. */
export function replaying(
  rpc: RpcClient,
  mine: (timestamp: number) => Promise<FetchedBlock>,
  last: () => { readonly gasLimit: Hex; readonly miner: Hex } | undefined,
): Senders {
  /** Foreign transactions by hash, for example of a batcher that sends while L1 is restored. */
  const foreignTransactions = new Map<Hex, PooledTransaction>();

  async function make(block: JournalBlock, raw: (transaction: JournalTransaction) => Hex | undefined) {
    await rpc.call('anvil_setNextBlockBaseFeePerGas', [block.baseFeePerGas]);
    const before = last();
    if (before !== undefined && before.gasLimit !== block.gasLimit)
      await rpc.call('evm_setBlockGasLimit', [block.gasLimit]);
    if (before !== undefined && before.miner !== block.miner) await rpc.call('anvil_setCoinbase', [block.miner]);
    const refused: Refusal[] = [];
    for (const transaction of block.transactions) {
      try {
        await sendAgain(rpc, transaction, raw(transaction));
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        refused.push({ hash: transaction.hash, reason: error.message });
      }
    }
    return { ...(await mine(block.timestamp)), refused };
  }

  /** Rolls the block back, empties the pool, and remembers the foreign transactions of both. */
  async function rollBack(newest: FetchedBlock, ownHashes: ReadonlySet<Hex>): Promise<void> {
    const mined = newest.block.transactions.map((transaction): PooledTransaction => {
      const blobs = newest.blobTransactions.get(transaction.hash);
      return blobs === undefined ? transaction : { ...transaction, raw: bytesToHex(blobs) };
    });
    for (const transaction of [...mined, ...(await readPool(rpc))])
      if (!ownHashes.has(transaction.hash)) foreignTransactions.set(transaction.hash, transaction);
    await rpc.call('anvil_rollback', [1]);
    await setNextBaseFee(rpc, newest.block.number - 1);
    await rpc.call('anvil_dropAllTransactions');
  }

  return {
    takeBack: (newest) => rollBack(newest, new Set()),
    async replay(block, parent, raw) {
      const ownHashes = new Set(block.transactions.map(({ hash }) => hash));
      for (let attempt = 1; ; attempt++) {
        const result = await make(block, raw);
        if (result.block.parentHash !== parent) {
          await rollBack(result, ownHashes);
          throw new MovedError(`expected block ${block.number} on ${parent}, found parent ${result.block.parentHash}`);
        }
        const isDisturbed = result.block.transactions.some(({ hash }) => !ownHashes.has(hash));
        if (result.block.hash === block.hash || !isDisturbed || attempt === MAX_ATTEMPTS) return result;
        await rollBack(result, ownHashes);
      }
    },
    async restorePool() {
      const foreign = [...foreignTransactions.values()];
      foreignTransactions.clear();
      // A transaction that no longer fits is rejected.
      await sendPool(rpc, foreign);
    },
  };
}
