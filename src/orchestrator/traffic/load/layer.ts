import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { quantity } from '../../../protocol/hex.ts';
import { jsonField } from '../../../rpc/json-object.ts';
import { Failure, messageOf } from '../../../system/failure.ts';
import { clientFor } from '../../probe/call.ts';
import { NONCE_TAKEN, TRANSACTION_TIMEOUT_MS } from '../transaction.ts';
import { emptyBlobs, type Item } from './kinds.ts';

/** A transaction that was sent. */
export interface Sent {
  readonly hash: Hex;
  readonly item: Item;
  /** Private key of its sender. */
  readonly key: Hex;
  readonly nonce: number;
  /** Milliseconds of the network's time. */
  readonly at: number;
}

/** One execution client that takes transactions, with the nonces of the senders. */
export interface Layer {
  /** Sends a transaction of an account. @throws Failure `load` with the client's words */
  send(key: Hex, item: Item): Promise<Pick<Sent, 'hash' | 'nonce'>>;
  /** Returns the receipts of the blocks after the last ones that it returned. */
  fresh(): Promise<readonly Receipt[]>;
  /** Returns the nonce of an account at the head. */
  nonceOf(key: Hex): Promise<number>;
}

/** The fields of a receipt that a load reads. */
export interface Receipt {
  readonly transactionHash: Hex;
  readonly status: Hex;
  readonly blockNumber: Hex;
  readonly logs: readonly object[];
}

/** Most wei that a transaction may cost: clients refuse fees above one ether (`--rpc.txfeecap`). */
const MAX_COST = 95n * 10n ** 16n;
const TIP_WEI = 10n ** 9n;

/** Attempts if another program takes the nonce between its reading and the transaction. */
const MAX_NONCE_ATTEMPTS = 10;

/** Opens a layer at its execution client. */
export async function openLayer(url: string): Promise<Layer> {
  const client = clientFor(url);
  const call = <T>(method: string, params: readonly unknown[] = []) =>
    client.call<T>(method, params, { timeoutMs: TRANSACTION_TIMEOUT_MS });
  const [chainId, head, block] = await Promise.all([
    call<Hex>('eth_chainId'),
    call<Hex>('eth_blockNumber'),
    call('eth_getBlockByNumber', ['latest', false]),
  ]);
  const baseFee = BigInt(String(jsonField(block, 'baseFeePerGas') ?? '0x0'));
  // Full blocks raise the base fee by an eighth each. The accounts are rich.
  const highest = baseFee * 100n + 10n ** 10n;
  const nonces = new Map<string, number>();
  let last = Number(head);

  const nonceAt = async (address: Hex, block: 'latest' | 'pending') =>
    Number(await call<Hex>('eth_getTransactionCount', [address, block]));

  async function attempt(key: Hex, item: Item): Promise<Pick<Sent, 'hash' | 'nonce'>> {
    const account = privateKeyToAccount(key);
    const nonce = nonces.get(account.address) ?? (await nonceAt(account.address, 'pending'));
    const fee = bigintMin(highest, MAX_COST / item.gas);
    const common = {
      chainId: Number(chainId),
      nonce,
      gas: item.gas,
      maxFeePerGas: fee,
      maxPriorityFeePerGas: bigintMin(TIP_WEI, fee),
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
    const hash = await call<Hex>('eth_sendRawTransaction', [raw]);
    nonces.set(account.address, nonce + 1);
    return { hash, nonce };
  }

  return {
    async send(key, item) {
      for (let count = 1; ; count++) {
        try {
          return await attempt(key, item);
        } catch (error) {
          const { address } = privateKeyToAccount(key);
          // A deposit, or another program, moved the nonce of the account.
          nonces.delete(address);
          if (NONCE_TAKEN.test(messageOf(error)) && count < MAX_NONCE_ATTEMPTS) continue;
          throw new Failure('load', `the client refused a transaction of ${address}: ${messageOf(error)}`, {
            cause: error,
          });
        }
      }
    },
    nonceOf: (key) => nonceAt(privateKeyToAccount(key).address, 'latest'),
    async fresh() {
      const newest = Number(await call<Hex>('eth_blockNumber'));
      const numbers = Array.from({ length: Math.max(0, newest - last) }, (_, index) => last + 1 + index).slice(0, 50);
      const blocks = await Promise.all(
        numbers.map((number) => call<readonly Receipt[] | null>('eth_getBlockReceipts', [quantity(number)])),
      );
      const whole = blocks.indexOf(null);
      const usable = whole < 0 ? blocks : blocks.slice(0, whole);
      last += usable.length;
      return usable.flatMap((receipts) => receipts ?? []);
    },
  };
}

function bigintMin(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
