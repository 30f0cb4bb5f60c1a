import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { jsonField } from '../../../rpc/json-object.ts';
import { Failure, messageOf } from '../../../system/failure.ts';
import { clientFor } from '../../probe/call.ts';
import { ANSWER } from '../transaction.ts';
import { emptyBlobs, type Item } from './kinds.ts';

/** A transaction that was sent. */
export interface Sent {
  readonly hash: Hex;
  readonly item: Item;
  /** Milliseconds of the network's time. */
  readonly at: number;
}

/** One execution client that takes transactions, with the nonces of the senders. */
export interface Layer {
  /** Sends a transaction of an account and returns its hash. @throws Failure `load` with the client's words */
  send(key: Hex, item: Item): Promise<Hex>;
  /** Returns the receipts of the blocks after the last ones that it returned. */
  fresh(): Promise<readonly Receipt[]>;
}

/** The fields of a receipt that a load reads. */
export interface Receipt {
  readonly transactionHash: Hex;
  readonly status: Hex;
  readonly blockNumber: Hex;
  readonly logs: readonly object[];
}

/** Opens a layer at its execution client. */
export async function openLayer(url: string): Promise<Layer> {
  const client = clientFor(url);
  const call = <T>(method: string, params: readonly unknown[] = []) =>
    client.call<T>(method, params, { timeoutMs: ANSWER });
  const [chainId, head, block] = await Promise.all([
    call<Hex>('eth_chainId'),
    call<Hex>('eth_blockNumber'),
    call('eth_getBlockByNumber', ['latest', false]),
  ]);
  const baseFee = BigInt(String(jsonField(block, 'baseFeePerGas') ?? '0x0'));
  // Full blocks raise the base fee by an eighth each. The accounts are rich.
  const fee = baseFee * 100n + 10n ** 10n;
  const nonces = new Map<string, Promise<number>>();
  let last = Number(head);

  async function nonceOf(address: Hex): Promise<number> {
    const next = (nonces.get(address) ?? firstNonce(address)).then((nonce) => nonce);
    nonces.set(
      address,
      next.then((nonce) => nonce + 1),
    );
    return next;
  }

  const firstNonce = async (address: Hex) => Number(await call<Hex>('eth_getTransactionCount', [address, 'pending']));

  return {
    async send(key, item) {
      const account = privateKeyToAccount(key);
      const nonce = await nonceOf(account.address);
      const common = {
        chainId: Number(chainId),
        nonce,
        gas: item.gas,
        maxFeePerGas: fee,
        maxPriorityFeePerGas: 10n ** 9n,
        value: item.value,
        data: item.data,
        ...(item.to === undefined ? {} : { to: item.to }),
      };
      const raw =
        item.blobs === undefined
          ? await account.signTransaction({ ...common, type: 'eip1559' })
          : await account.signTransaction({
              ...{ ...common, to: item.to ?? account.address, type: 'eip4844', maxFeePerBlobGas: fee },
              ...emptyBlobs(item.blobs),
            });
      try {
        return await call<Hex>('eth_sendRawTransaction', [raw]);
      } catch (error) {
        throw new Failure(
          'load',
          `the client refused transaction ${nonce} of ${account.address}: ${messageOf(error)}`,
          {
            cause: error,
          },
        );
      }
    },
    async fresh() {
      const newest = Number(await call<Hex>('eth_blockNumber'));
      const numbers = Array.from({ length: Math.max(0, newest - last) }, (_, index) => last + 1 + index).slice(0, 50);
      const blocks = await Promise.all(
        numbers.map((number) => call<readonly Receipt[] | null>('eth_getBlockReceipts', [`0x${number.toString(16)}`])),
      );
      const whole = blocks.indexOf(null);
      const usable = whole < 0 ? blocks : blocks.slice(0, whole);
      last += usable.length;
      return usable.flatMap((receipts) => receipts ?? []);
    },
  };
}
