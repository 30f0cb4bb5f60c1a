import { keccak256 } from '../hash.ts';
import type { Hex } from '../types.ts';
import type { GenesisContracts } from './contracts.ts';

/**
 * Returns the L1 contract addresses of one chain by name (`OptimismPortal`, `SystemConfig`, …).
 * They derive from name and chain id, so that chains on one L1 never share an address.
 */
export function l1Addresses(chainId: number, contracts: GenesisContracts): Readonly<Record<string, Hex>> {
  const names = Object.keys(contracts.slots).filter((slot) => slot.startsWith('l1.'));
  return Object.fromEntries(names.map((slot) => [slot.slice(3), addressOf(`rollup-devnet ${chainId} ${slot}`)]));
}

/** Where batches are sent: an address without code, 0x00 followed by 19 bytes of the hashed chain id. */
export function batchInboxAddress(chainId: number): Hex {
  return `0x00${keccak256(new TextEncoder().encode(`rollup-devnet ${chainId} batch inbox`)).slice(28)}`;
}

function addressOf(text: string): Hex {
  return `0x${keccak256(new TextEncoder().encode(text)).slice(26)}`;
}
