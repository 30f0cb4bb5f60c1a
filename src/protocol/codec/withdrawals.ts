import { ProtocolError } from '../errors.ts';
import { bytesToHex, hexToSized, quantity } from '../hex.ts';
import type { Hex, Withdrawal } from '../types.ts';
import { type JsonObject, jsonFields } from './json.ts';
import { asBigInt, asBytes, asList, type RlpItem, rlpEncode, rlpUint } from './rlp.ts';
import { orderedTrieRoot } from './trie.ts';

/** Reads the withdrawals of a document; `what` names the document in errors. */
export type WithdrawalsReader = (list: readonly unknown[], what: string) => readonly Withdrawal[];

/** Decodes the withdrawals of an Engine API document (EIP-4895). @throws ProtocolError json-malformed */
export const withdrawalsFromJson: WithdrawalsReader = (list, what) =>
  list.map((item, index) => {
    const json = jsonFields(item, `${what}.withdrawals[${index}]`);
    return {
      index: json.bigint('index'),
      validatorIndex: json.bigint('validatorIndex'),
      address: json.data('address', 20),
      amount: json.bigint('amount'),
    };
  });

/** Encodes withdrawals as the Engine API spells them (geth: `Withdrawals`). */
export function withdrawalsToJson(list: readonly Withdrawal[]): JsonObject[] {
  return list.map(({ index, validatorIndex, address, amount }) => ({
    index: quantity(index),
    validatorIndex: quantity(validatorIndex),
    address,
    amount: quantity(amount),
  }));
}

/** Computes the withdrawalsRoot of an Ethereum header (geth: `DeriveSha`, alloy: `calculate_withdrawals_root`). */
export function withdrawalsRoot(list: readonly Withdrawal[]): Hex {
  return bytesToHex(orderedTrieRoot(list.map((withdrawal) => rlpEncode(withdrawalItem(withdrawal)))));
}

/** Returns a withdrawal as RLP holds it (EIP-4895). */
export function withdrawalItem({ index, validatorIndex, address, amount }: Withdrawal): RlpItem {
  return [rlpUint(index), rlpUint(validatorIndex), hexToSized(address, 20), rlpUint(amount)];
}

/** Inverse of {@link withdrawalItem}. @throws ProtocolError rlp-malformed */
export function withdrawalOf(item: RlpItem): Withdrawal {
  const [index, validatorIndex, address, amount] = asList(item, 'withdrawal', 4);
  return {
    index: asBigInt(index, 'index'),
    validatorIndex: asBigInt(validatorIndex, 'validatorIndex'),
    address: bytesToHex(asBytes(address, 'address')),
    amount: asBigInt(amount, 'amount'),
  };
}

/** Requires an empty list, because a rollup processes no withdrawals. @throws ProtocolError payload-invalid */
export function noWithdrawals(list: readonly unknown[], what: string): readonly [] {
  if (list.length === 0) return [];
  throw new ProtocolError('payload-invalid', 'drop', `${what}.withdrawals must be empty, has ${list.length}`, {
    field: 'withdrawals',
  });
}
