import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { Outcome, RpcClient } from '../../../rpc/client/client.ts';
import { RpcError } from '../../../rpc/error.ts';
import type { JournalBlock, JournalTransaction } from '../chain/block.ts';
import type { Anvil, FetchedBlock, Refusal, RpcTransaction } from './anvil.ts';
import { setNextBaseFee } from './base-fee.ts';

/** Attempts to mine a block again without foreign transactions in it. */
const ATTEMPTS = 50;

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

/**
 * Says that anvil mined a block on another parent than the journal's.
 * Since the head was read, anvil was restarted or its chain changed. The block is rolled back, because the chain on it
 * would look like a reorg of the whole journal.
 */
export class MovedError extends Error {
  override readonly name = 'MovedError';
}

type Senders = Pick<Anvil, 'replay' | 'restorePool' | 'takeBack'>;
type Pool = Readonly<Record<'pending' | 'queued', Readonly<Record<string, Readonly<Record<string, { hash: Hex }>>>>>>;

/** Creates the replay. `last`: the settings that anvil inherited from the previous block. */
export function replaying(
  rpc: RpcClient,
  mine: (timestamp: number) => Promise<FetchedBlock>,
  last: () => { readonly gasLimit: Hex; readonly miner: Hex } | undefined,
): Senders {
  /** Network forms of foreign transactions, for example of a batcher that sends while L1 is restored. */
  const foreignTransactions = new Set<Hex>();

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
  async function rollBack(made: FetchedBlock, own: ReadonlySet<Hex>): Promise<void> {
    for (const { hash, raw } of made.block.transactions) {
      const blobs = made.blobTransactions.get(hash);
      const form = raw ?? (blobs && bytesToHex(blobs));
      if (!own.has(hash) && form !== undefined) foreignTransactions.add(form);
    }
    const { pending, queued } = await rpc.call<Pool>('txpool_content');
    const waiting = [pending, queued]
      .flatMap((part) => Object.values(part))
      .flatMap((byNonce) => Object.values(byNonce));
    const others = waiting.filter(({ hash }) => !own.has(hash));
    const outcomes = await rpc.batch<Hex | null>(
      others.map(({ hash }) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })),
    );
    for (const form of outcomes.flatMap(resultOf)) foreignTransactions.add(form);
    await rpc.call('anvil_rollback', [1]);
    await setNextBaseFee(rpc, made.block.number - 1);
    await rpc.call('anvil_dropAllTransactions');
  }

  return {
    takeBack: (made) => rollBack(made, new Set()),
    async replay(block, parent, raw) {
      const own = new Set(block.transactions.map(({ hash }) => hash));
      for (let attempt = 1; ; attempt++) {
        const made = await make(block, raw);
        if (made.block.parentHash !== parent) {
          await rollBack(made, own);
          throw new MovedError(`expected block ${block.number} on ${parent}, found parent ${made.block.parentHash}`);
        }
        const isDisturbed = made.block.transactions.some(({ hash }) => !own.has(hash));
        if (made.block.hash === block.hash || !isDisturbed || attempt === ATTEMPTS) return made;
        await rollBack(made, own);
      }
    },
    async restorePool() {
      const forms = [...foreignTransactions];
      foreignTransactions.clear();
      // A transaction that no longer fits is rejected.
      if (forms.length > 0)
        await rpc.batch(forms.map((form) => ({ method: 'eth_sendRawTransaction', params: [form] })));
    },
  };
}

/** Sends a transaction of a former block. @throws RpcError where L1 rejects it */
export async function sendAgain(
  rpc: RpcClient,
  { from, impersonated }: Pick<JournalTransaction, 'from' | 'impersonated'>,
  raw: Hex | undefined,
): Promise<void> {
  if (impersonated !== undefined) {
    await rpc.call('anvil_impersonateAccount', [from]);
    await rpc.call('eth_sendTransaction', [impersonated]);
    await rpc.call('anvil_stopImpersonatingAccount', [from]);
  } else if (raw === undefined) throw new RpcError(0, 'its blobs are missing from the data folder');
  else await rpc.call('eth_sendRawTransaction', [raw], { timeoutMs: 60_000 });
}

function resultOf(outcome: Outcome<Hex | null>): readonly Hex[] {
  return outcome.ok && outcome.result !== null ? [outcome.result] : [];
}

/** Returns true for a transaction of an impersonated account. */
export function isUnsigned({ r, s }: RpcTransaction): boolean {
  return BigInt(r ?? 0) === 0n && BigInt(s ?? 0) === 0n;
}

/** Returns the fields to send an unsigned transaction again; `gasPrice` only without a fee cap. */
export function sentFields(transaction: RpcTransaction): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const name of SENT_FIELDS) {
    if (name === 'gasPrice' && transaction.maxFeePerGas !== undefined) continue;
    if (transaction[name] !== undefined && transaction[name] !== null) fields[name] = transaction[name];
  }
  return fields;
}
