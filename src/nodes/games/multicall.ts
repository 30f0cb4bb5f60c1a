import { concatAll, u256be } from '../../protocol/bytes.ts';
import type { Hex } from '../../protocol/types.ts';
import { addressWord, bytesTail, calldata } from './abi.ts';

/** Multicall3: at this address on every chain, several calls in one transaction. */
export const MULTICALL3: Hex = '0xca11bde05977b3631167028862be2a173976ca11';

/** Encodes Multicall3's `aggregate`: all calls succeed or none does. */
export function aggregate(calls: readonly { readonly to: Hex; readonly data: Uint8Array }[]): Uint8Array {
  const items = calls.map(({ to, data }) => concatAll([addressWord(to), u256be(64), bytesTail(data)]));
  let offset = items.length * 32;
  const offsets = items.map((item) => {
    const word = u256be(offset);
    offset += item.length;
    return word;
  });
  return calldata('aggregate((address,bytes)[])', u256be(32), u256be(items.length), ...offsets, ...items);
}
