import { type BlockHeader, decodeHeader, encodeHeader } from '../../../protocol/codec/header.ts';
import { asList, rlpDecode, rlpEncode, rlpListOfEncoded } from '../../../protocol/codec/rlp.ts';
import { transactionType } from '../../../protocol/codec/transaction.ts';
import { orderedTrieRoot } from '../../../protocol/codec/trie.ts';
import { withdrawalItem, withdrawalOf, withdrawalsRoot } from '../../../protocol/codec/withdrawals.ts';
import { ProtocolError } from '../../../protocol/errors.ts';
import { keccak256 } from '../../../protocol/hash.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex, Withdrawal } from '../../../protocol/types.ts';

/** A block that has not been executed yet. `hash` is the hash of its header, whose transactionsRoot is checked. */
export interface UnexecutedBlock {
  readonly hash: Hex;
  readonly header: BlockHeader;
  /** EIP-2718 encodings. */
  readonly transactions: readonly Uint8Array[];
  /** Plain Ethereum only. */
  readonly withdrawals: readonly Withdrawal[];
}

/**
 * Encodes a whole block as RLP: header, transactions, empty ommers, and withdrawals if the header commits to them.
 * Counterpart in geth: `Block.EncodeRLP`.
 */
export function encodeBlock({ header, transactions, withdrawals }: Omit<UnexecutedBlock, 'hash'>): Uint8Array {
  const items = transactions.map((raw) => (transactionType(raw) === 0 ? raw : rlpEncode(raw)));
  const parts = [encodeHeader(header), rlpListOfEncoded(items), rlpEncode([])];
  if (header.withdrawalsRoot !== undefined) parts.push(rlpEncode(withdrawals.map(withdrawalItem)));
  return rlpListOfEncoded(parts);
}

/**
 * Inverse of {@link encodeBlock} (geth: `Block.DecodeRLP`).
 * @throws ProtocolError rlp-malformed, or payload-invalid on a block with ommers or unknown fields
 */
export function decodeBlock(bytes: Uint8Array): UnexecutedBlock {
  const parts = asList(rlpDecode(bytes), 'block');
  const header = decodeHeader(rlpEncode(asList(parts[0], 'header')));
  const encoded = encodeHeader(header);
  if (parts.length !== (header.withdrawalsRoot === undefined ? 3 : 4))
    throw invalid(`a block of ${parts.length} parts`);
  if (keccak256(rlpEncode(asList(parts[0], 'header'))) !== keccak256(encoded))
    throw invalid('a header with unknown fields');
  if (asList(parts[2], 'ommers').length > 0) throw invalid('a block with ommers');
  const withdrawals = parts[3] === undefined ? [] : asList(parts[3], 'withdrawals').map(withdrawalOf);
  if (withdrawals.length > 0 && withdrawalsRoot(withdrawals) !== header.withdrawalsRoot)
    throw invalid('withdrawals that differ from the withdrawalsRoot');
  const transactions = asList(parts[1], 'transactions').map((item) =>
    item instanceof Uint8Array ? item : rlpEncode(item),
  );
  if (bytesToHex(orderedTrieRoot(transactions)) !== header.transactionsRoot)
    throw invalid('transactions that differ from the transactionsRoot');
  return { hash: keccak256(encoded), header, transactions, withdrawals };
}

function invalid(problem: string): ProtocolError {
  return new ProtocolError('payload-invalid', 'drop', `block: ${problem}`, { field: 'block' });
}
