import { bytesToHex, hexToBytes } from '../../../../protocol/hex.ts';
import type { Hex } from '../../../../protocol/types.ts';
import type { StateReader } from '../../state/reader.ts';
import { EMPTY_ROOT } from '../../trie/trie.ts';
import type { ConditionState } from './condition.ts';

/** Adapts a block's state to the check of a condition. */
export function stateFor(state: StateReader): ConditionState {
  const account = (address: Hex) => state.account(hexToBytes(address));
  return {
    storageRoot: (address) => bytesToHex(account(address)?.storageRoot ?? EMPTY_ROOT),
    word: (address, slot) => toWord(state.storage(account(address), hexToBytes(slot))),
  };
}

/** Pads a storage word to 32 bytes of hex. */
export function toWord(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex').padStart(64, '0')}`;
}
