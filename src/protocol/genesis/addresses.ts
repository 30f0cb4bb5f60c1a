import { keccak256 } from '../hash.ts';
import type { Hex } from '../types.ts';
import type { GenesisContracts, SlotValues } from './contracts.ts';
import type { WithdrawalSystem } from './inputs.ts';

/** Slots that hold the addresses of a chain's contracts and of implementations of its own. */
const ADDRESS_SLOT = /^(l1|implementation)\./;

/**
 * Returns the L1 contract addresses of one chain by name (`OptimismPortal`, `SystemConfig`, …).
 * They derive from name and chain id, so that chains on one L1 never share an address.
 */
export function l1Addresses(
  chainId: number,
  contracts: GenesisContracts,
  system: WithdrawalSystem = 'output-oracle',
): Readonly<Record<string, Hex>> {
  const deployed = [...contracts.l1.perChain, ...contracts.l1.systems[system]].flatMap(({ address }) => address);
  const names = deployed.flatMap((part) => (typeof part === 'object' && part.slot.startsWith('l1.') ? part.slot : []));
  return Object.fromEntries(names.map((slot) => [slot.slice(3), addressOf(chainId, slot)]));
}

/** Returns the address slots of a chain, also of contracts that it does not have. */
export function addressSlots(chainId: number, { slots }: GenesisContracts): SlotValues {
  const names = Object.keys(slots).filter((slot) => ADDRESS_SLOT.test(slot));
  return Object.fromEntries(names.map((slot) => [slot, addressOf(chainId, slot).slice(2)]));
}

/**
 * Computes the batch inbox: an address without code, 0x00 followed by 19 bytes of the hashed chain id.
 * Counterpart in op-deployer: `calculateBatchInboxAddr`, which hashes the id without a prefix.
 */
export function batchInboxAddress(chainId: number): Hex {
  return `0x00${hashOf(`rollup-devnet ${chainId} batch inbox`).slice(28)}`;
}

function addressOf(chainId: number, slot: string): Hex {
  return `0x${hashOf(`rollup-devnet ${chainId} ${slot}`).slice(26)}`;
}

function hashOf(text: string): Hex {
  return keccak256(new TextEncoder().encode(text));
}
