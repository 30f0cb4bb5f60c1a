import { asList, rlpDecode, rlpEncode } from '../../../protocol/codec/rlp.ts';
import { withdrawalItem, withdrawalOf } from '../../../protocol/codec/withdrawals.ts';
import type { Withdrawal } from '../../../protocol/types.ts';

/** The part of a block that is stored beside header and receipts (geth: `types.Body`). */
interface BlockBody {
  readonly transactions: readonly Uint8Array[];
  readonly withdrawals: readonly Withdrawal[];
}

/** Encodes the transactions as an RLP list. Withdrawals, if a block has them, follow as one nested list. */
export function encodeBody({ transactions, withdrawals }: BlockBody): Uint8Array {
  if (withdrawals.length === 0) return rlpEncode(transactions);
  return rlpEncode([...transactions, withdrawals.map(withdrawalItem)]);
}

/** Inverse of {@link encodeBody}. @throws ProtocolError rlp-malformed */
export function decodeBody(body: Uint8Array): BlockBody {
  const items = asList(rlpDecode(body), 'body');
  const last = items.at(-1);
  const withdrawals = last === undefined || last instanceof Uint8Array ? [] : last.map(withdrawalOf);
  return {
    transactions: items.flatMap((item) => (item instanceof Uint8Array ? [item] : [])),
    withdrawals,
  };
}
