import { quantity } from '../../../protocol/hex.ts';
import type { Inspector } from '../../inspect/inspector.ts';
import { ask, type Layer } from '../../inspect/layer.ts';
import type { Party } from '../../inspect/trace.ts';
import { partyOf } from '../../inspect/transaction.ts';
import type { TransactionIndex } from './transaction-index.ts';

/** Transactions of one answer: the newest. */
const MAX_SHOWN_TRANSACTIONS = 100;

/** An address of a layer as the page shows it. */
export interface AddressView extends Party {
  /** `l1`, or `<chain>/<node>`. */
  readonly place: string;
  /** wei */
  readonly balance: string;
  readonly nonce: number;
  readonly codeBytes: number;
  /** The word of the slot that was asked for; null if the slot is no number. */
  readonly storage: string | null;
  /** The first block whose transactions are answer, and whether older ones are not searched any more. */
  readonly searchedFrom: number;
  readonly isComplete: boolean;
  readonly transactions: readonly {
    readonly hash: string;
    readonly block: number;
    readonly from: Party;
    readonly to: Party | null;
    readonly creates: boolean;
    readonly value: string;
  }[];
}

/** Reads an address. `slot`: of its storage, decimal or hexadecimal. */
export async function addressOf(
  inspector: Inspector,
  layer: Layer,
  { address, slot, index }: { readonly address: string; readonly slot: string; readonly index: TransactionIndex },
): Promise<AddressView> {
  const position = slotOf(slot);
  const [balance, nonce, code, storage, answer] = await Promise.all([
    ask<string>(layer, 'eth_getBalance', address, 'latest'),
    ask<string>(layer, 'eth_getTransactionCount', address, 'latest'),
    ask<string>(layer, 'eth_getCode', address, 'latest'),
    position === null ? null : ask<string>(layer, 'eth_getStorageAt', address, position, 'latest'),
    index.of(layer, address),
  ]);
  const others = answer.transactions.slice(0, MAX_SHOWN_TRANSACTIONS).flatMap(({ to }) => (to === null ? [] : [to]));
  await inspector.identify(layer, [...(code === '0x' ? [] : [address]), ...others]);
  const party = partyOf(inspector, layer);
  return {
    ...party(address),
    place: layer.label,
    balance: String(BigInt(balance)),
    ...{ nonce: Number(nonce), codeBytes: code.length / 2 - 1, storage },
    ...{ searchedFrom: answer.from, isComplete: answer.isComplete },
    transactions: answer.transactions.slice(0, MAX_SHOWN_TRANSACTIONS).map(({ hash, block, from, to, value }) => ({
      ...{ hash, block, from: party(from), to: to === null ? null : party(to), creates: to === null },
      value: String(BigInt(value)),
    })),
  };
}

function slotOf(word: string): string | null {
  if (!/^(\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(word)) return null;
  const slot = BigInt(word);
  return slot >= 2n ** 256n ? null : quantity(slot);
}
