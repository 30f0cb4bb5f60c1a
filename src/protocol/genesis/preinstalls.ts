import type { Hex } from '../types.ts';
import { layersAt } from './alloc.ts';
import type { AccountTemplate, GenesisContracts } from './contracts.ts';
import type { ChainGenesisInputs } from './inputs.ts';

type Addresses = Readonly<Record<string, Hex>>;

/** Returns the public contracts at their usual addresses on every L1, by name (`Permit2`). */
export function l1Preinstalls(contracts: GenesisContracts): Addresses {
  return Object.fromEntries(preinstallsAmong(contracts.l1.shared));
}

/**
 * Returns the contracts at their usual addresses on L2 at genesis, by name (op-chain-ops: `InsertPreinstalls`).
 * `PREDEPLOYS` names the others.
 */
export function l2Preinstalls(inputs: ChainGenesisInputs, contracts: GenesisContracts): Addresses {
  const preinstalls = preinstallsAmong(layersAt(inputs, contracts).flatMap(({ accounts }) => accounts));
  return Object.fromEntries(
    preinstalls.map(([name, address]) => [name.charAt(0).toLowerCase() + name.slice(1), address]),
  );
}

/** Prefixes of the predeploys' own addresses and of those of their code. */
const PREDEPLOYS = /^(4200|c0d3)/;

function preinstallsAmong(accounts: readonly AccountTemplate[]): (readonly [string, Hex])[] {
  return accounts.flatMap(({ name, address }) =>
    typeof address !== 'string' || PREDEPLOYS.test(address) || name.endsWith('Implementation')
      ? []
      : [[name, `0x${address}`] as const],
  );
}
