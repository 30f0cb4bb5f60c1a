import { getContractAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Hex } from '../../../src/protocol/types.ts';
import type { RpcClient } from '../../../src/rpc/client/client.ts';

/** User transactions that fit into a block. */
export const TRANSACTIONS = 5;
/** Transactions in the pool: enough for the blocks that a sequencer builds at once after an absence. */
const STOCK = 120 * TRANSACTIONS;
/** Transactions that are sent at once. */
const BATCH = 50;
/**
 * Creation code of a contract that burns 250,000 gas in little time.
 * It gives the curve addition (address 6) a point that is on no curve, which costs all gas of the call. The 128 bytes
 * of memory begin with 0xff: PUSH1 ff PUSH0 MSTORE8, STATICCALL(250000, 6, 0, 128, 0, 0), STOP. Its creation: PUSH17 …
 * MSTORE, RETURN.
 */
const BURNER = '60ff5f535f5f60805f60066203d090fa00';
const CREATION: Hex = `0x70${BURNER}5f526011600ff3`;
/** Bytes that cannot be compressed. They fill the execution clients' block cache before memory is measured. */
const DATA: Hex = `0x${'00'.repeat(8192)}`;
/** Gas of one call: the burnt gas, the data, and the overhead. */
const BURNT = 21_000n + 4n * 8192n + 250_000n + 150n;

/** Keeps a pool full of transactions. A block of `gasLimit` holds five of them. */
export function traffic(chainId: number, privateKey: Hex, gasLimit: bigint) {
  const account = privateKeyToAccount(privateKey);
  const gas = gasLimit - BURNT * BigInt(TRANSACTIONS) + BURNT / 2n;
  const signed = new Map<number, Promise<Hex>>();
  const burner = getContractAddress({ from: account.address, nonce: 0n });
  const transaction = (nonce: number) => {
    const existing = signed.get(nonce);
    if (existing) return existing;
    const raw = account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce,
      value: 0n,
      gas,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
      ...(nonce === 0 ? { data: CREATION } : { to: burner, data: DATA }),
    });
    signed.set(nonce, raw);
    return raw;
  };
  return {
    /** Sends missing transactions, also those that an execution client dropped. Rejects if it does not answer. */
    async refill(rpc: RpcClient): Promise<void> {
      const count = async (block: string) =>
        Number(await rpc.call<Hex>('eth_getTransactionCount', [account.address, block]));
      const [mined, pending] = await Promise.all([count('latest'), count('pending')]);
      for (const nonce of signed.keys()) if (nonce < mined - 2000) signed.delete(nonce);
      const missing = Array.from(
        { length: Math.min(BATCH, Math.max(0, mined + STOCK - pending)) },
        (_, index) => pending + index,
      );
      const raw = await Promise.all(missing.map(transaction));
      const outcomes = await rpc.batch(raw.map((one) => ({ method: 'eth_sendRawTransaction', params: [one] })));
      for (const outcome of outcomes)
        if (!outcome.ok && !/known|nonce too low/.test(outcome.error.message)) throw outcome.error;
    },
  };
}
