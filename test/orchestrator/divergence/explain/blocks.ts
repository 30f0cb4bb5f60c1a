import { type BlockHeader, encodeHeader } from '../../../../src/protocol/codec/header.ts';
import { type RlpItem, rlpDecode, rlpEncode } from '../../../../src/protocol/codec/rlp.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';

/** A hash of one digit. */
export const word = (digit: string): Hex => `0x${digit.repeat(64)}`;

/** The header of block 2, with other values in some fields. */
export function blockHeader(more: Partial<BlockHeader> = {}): BlockHeader {
  return {
    ...{ parentHash: word('1'), beneficiary: `0x${'2'.repeat(40)}`, stateRoot: word('3') },
    ...{ transactionsRoot: word('4'), receiptsRoot: word('5'), logsBloom: `0x${'0'.repeat(512)}` },
    ...{ number: 2, gasLimit: 30_000_000n, gasUsed: 21_000n, timestamp: 1004n, extraData: '0x', mixHash: word('6') },
    baseFeePerGas: 7n,
    ...more,
  };
}

/** A block as `debug_getRawBlock` returns it. A legacy transaction stands in it as a list, a typed one as a string. */
export function rawOf(header: BlockHeader, transactions: readonly Hex[]): Hex {
  const items = transactions.map((raw): RlpItem => {
    const bytes = hexToBytes(raw);
    return (bytes[0] ?? 0) >= 0xc0 ? rlpDecode(bytes) : bytes;
  });
  return bytesToHex(rlpEncode([rlpDecode(encodeHeader(header)), items, []]));
}
