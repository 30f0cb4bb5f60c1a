import { Common, type Hardfork, Mainnet, type StateManagerInterface } from '@ethereumjs/common';
import { createMPT } from '@ethereumjs/mpt';
import { Caches, MerkleStateManager, SimpleStateManager } from '@ethereumjs/statemanager';
import { Account, bytesToHex, createAddressFromString, hexToBytes, type KZG } from '@ethereumjs/util';
import { genesisState } from '../../../../src/nodes/execution/chain/genesis.ts';
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
  await write(state, alloc);
  if (cached) await state.flush();
  return state;
}

/**
 * Returns a state of the EVM library that copies all of itself at each checkpoint, with an alloc.
 * It has no tries: {@link rootOfCopied} computes its root.
 */
export async function copiedState(common: Common, alloc: Alloc): Promise<SimpleStateManager> {
  const state = new SimpleStateManager({ common });
  await write(state, alloc);
  return state;
}

/** Computes the root of a {@link copiedState}. */
export function rootOfCopied({ accountStack, codeStack, storageStack }: SimpleStateManager): Uint8Array {
  const [accounts, codes, words] = [accountStack.at(-1)!, codeStack.at(-1)!, storageStack.at(-1)!];
  const alloc: Alloc = {};
  for (const [address, account] of accounts)
    if (account !== undefined)
      alloc[address] = {
        nonce: String(account.nonce),
        balance: String(account.balance),
        code: bytesToHex(codes.get(address) ?? new Uint8Array(0)),
        storage: {},
      };
  for (const [key, value] of words) {
    const [address, slot] = key.split('_');
    const storage = alloc[address!]?.storage;
    if (storage !== undefined) storage[slot!] = bytesToHex(value);
  }
  return genesisState(alloc).root;
}

async function write(state: StateManagerInterface, alloc: Alloc): Promise<void> {
  for (const [key, { balance, nonce, code, storage }] of Object.entries(alloc)) {
    const address = createAddressFromString(key);
    await state.putAccount(address, new Account(BigInt(nonce ?? 0), BigInt(balance ?? 0)));
    if (code !== undefined) await state.putCode(address, hexToBytes(code as Hex));
    for (const [slot, value] of Object.entries(storage ?? {}))
      await state.putStorage(address, word(slot), stripped(hexToBytes(value as Hex)));
  }
}

const word = (slot: string) => hexToBytes(`0x${slot.slice(2).padStart(64, '0')}`);

function stripped(bytes: Uint8Array): Uint8Array {
  const from = bytes.findIndex((byte) => byte !== 0);
  return from < 0 ? new Uint8Array(0) : bytes.subarray(from);
}
