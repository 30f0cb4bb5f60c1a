import type { Hex } from '../../types.ts';

/** Address (20 bytes, lower case) → account (geth: `GenesisAlloc`). Accounts that are alike may be one object. */
export type GenesisAlloc = ReadonlyMap<Hex, GenesisAccount>;

/** An account of the genesis state (geth: `types.Account`, alloy: `GenesisAccount`). */
export interface GenesisAccount {
  /** wei */
  readonly balance: bigint;
  readonly nonce: number;
  readonly code: Hex;
  /** 32-byte key → 32-byte value, none zero. */
  readonly storage: Readonly<Record<Hex, Hex>>;
}
