import { quantity } from '../hex.ts';
import type { Hex } from '../types.ts';
import type { GenesisAccount, GenesisAlloc } from './file/account.ts';

/** An account as genesis files spell it. */
export interface GenesisAccountJson {
  readonly balance: Hex;
  readonly nonce?: Hex;
  readonly code?: Hex;
  readonly storage?: Readonly<Record<Hex, Hex>>;
}

/** Makes the `alloc` object of a genesis file. */
export function allocJson(alloc: GenesisAlloc): Readonly<Record<Hex, GenesisAccountJson>> {
  const json: Record<Hex, GenesisAccountJson> = {};
  for (const [address, account] of alloc) json[address] = accountJson(account);
  return json;
}

/**
 * Renders the `alloc` object; accounts that are one object are serialised once.
 * It is a pure function of the alloc, so its result can be cached.
 */
export function renderAlloc(alloc: GenesisAlloc): string {
  const texts = new Map<GenesisAccount, string>();
  const parts: string[] = [];
  for (const [address, account] of alloc) {
    const text = texts.get(account) ?? JSON.stringify(accountJson(account));
    texts.set(account, text);
    parts.push(`"${address}":${text}`);
  }
  return `{${parts.join(',')}}`;
}

function accountJson({ balance, nonce, code, storage }: GenesisAccount): GenesisAccountJson {
  return {
    balance: quantity(balance),
    ...(nonce === 0 ? {} : { nonce: quantity(nonce) }),
    ...(code === '0x' ? {} : { code }),
    ...(Object.keys(storage).length === 0 ? {} : { storage }),
  };
}
