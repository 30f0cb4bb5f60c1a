import type { Hex } from 'viem';
import { present } from '../../../protocol/present.ts';
import { Failure } from '../../../system/failure.ts';
import type { ChainView } from '../../plan/plan.ts';
import type { Item } from './kinds.ts';

/** Accounts of a load. A deposit moves its sender's nonce on L2, so that accounts of their own make deposits. */
export interface Senders {
  /** Number of accounts that take turns. */
  readonly count: number;
  /** Returns the private key for the transaction of a number. */
  keyOf(item: Item, index: number): Hex;
}

/** Accounts that send: pools take a bounded number of transactions of each. */
const MAX_SENDERS = 8;

/**
 * Returns the funded accounts that send. A chain with one account has it for both.
 * @throws Failure `load` if no key is known
 */
export function sendersOf({ name, accounts }: ChainView): Senders {
  const keys = accounts.flatMap(({ role, privateKey }) => (role === undefined && privateKey ? [privateKey] : []));
  if (keys.length === 0) throw new Failure('load', `${name} has no funded account whose key is known`);
  const senders = keys.slice(0, Math.max(1, Math.min(MAX_SENDERS, keys.length - 1)));
  const depositors = keys.length === 1 ? keys : keys.slice(senders.length, senders.length + MAX_SENDERS);
  return {
    count: senders.length,
    keyOf({ depositGas }, index) {
      const keys = depositGas === undefined ? senders : depositors;
      return present(keys[index % keys.length], 'key of a sender');
    },
  };
}
