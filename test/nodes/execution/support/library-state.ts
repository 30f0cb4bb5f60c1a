import { Common, type Hardfork, Mainnet } from '@ethereumjs/common';
import { createMPT } from '@ethereumjs/mpt';
import { Caches, MerkleStateManager } from '@ethereumjs/statemanager';
import { Account, createAddressFromString, hexToBytes, type KZG } from '@ethereumjs/util';
import type { Hex } from '../../../../src/protocol/types.ts';
import { type Alloc, CHAIN_ID } from './genesis.ts';

/** Returns the EVM library's own description of a hardfork on the test chain. */
export function libraryCommon(hardfork: string): Common {
  // The library requires KZG to create a blob transaction, and does not call it for one without its blobs.
  const customCrypto = { kzg: {} as KZG };
  return new Common({ chain: { ...Mainnet, chainId: CHAIN_ID }, hardfork: hardfork as Hardfork, customCrypto });
}

/** Returns the EVM library's own state manager with an alloc. `cached` enables its fast but partly wrong caches. */
export async function libraryState(common: Common, alloc: Alloc, cached = false): Promise<MerkleStateManager> {
  const trie = await createMPT({ useKeyHashing: true, common });
  const state = new MerkleStateManager({ trie, common, ...(cached ? { caches: new Caches() } : {}) });
  for (const [key, { balance, nonce, code, storage }] of Object.entries(alloc)) {
    const address = createAddressFromString(key);
    await state.putAccount(address, new Account(BigInt(nonce ?? 0), BigInt(balance ?? 0)));
    if (code !== undefined) await state.putCode(address, hexToBytes(code as Hex));
    for (const [slot, value] of Object.entries(storage ?? {}))
      await state.putStorage(address, word(slot), stripped(hexToBytes(value as Hex)));
  }
  if (cached) await state.flush();
  return state;
}

const word = (slot: string) => hexToBytes(`0x${slot.slice(2).padStart(64, '0')}`);

function stripped(bytes: Uint8Array): Uint8Array {
  const from = bytes.findIndex((byte) => byte !== 0);
  return from < 0 ? new Uint8Array(0) : bytes.subarray(from);
}
