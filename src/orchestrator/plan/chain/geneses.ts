import { type L1GenesisInputs, l1GenesisHash, predictAnvilGenesis } from '../../../protocol/genesis/index.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { PlanContext } from '../context.ts';
import { entryOf } from '../lookup.ts';
import { chainGenesis } from './chain-genesis.ts';
import type { PlannedChain } from './planned-chain.ts';

/** The genesis of L1 and of all chains on it. */
export interface Geneses {
  readonly l1: { readonly inputs: L1GenesisInputs; readonly hash: Hex };
  readonly chains: readonly PlannedChain[];
}

/**
 * Computes the geneses of a network.
 * Block 0 of L1 commits to the contracts of all chains, and each rollup config holds the hash of that block. So a chain
 * is computed without the hash first, if the hash depends on it.
 * @throws Failure `chain-files` if the files of an existing chain do not fit
 */
export function planGeneses(context: PlanContext): Geneses {
  const { spec, clients, inputs, genesisTime } = context;
  const chainsOn = (hash?: Hex) => Object.keys(spec.chains).map((name) => chainGenesis(name, context, hash));
  const isEmpty = entryOf(clients, spec.l1.client).stateRoot === 'empty';
  const hash = isEmpty
    ? predictAnvilGenesis({ genesisTime, hardfork: spec.l1.hardfork }).hash
    : l1GenesisHash(l1Inputs(context, chainsOn()), inputs.contracts);
  const chains = chainsOn(hash);
  return { l1: { inputs: l1Inputs(context, chains), hash }, chains };
}

function l1Inputs({ spec, inputs, genesisTime }: PlanContext, chains: readonly PlannedChain[]): L1GenesisInputs {
  return {
    chainId: spec.l1.chainId,
    hardfork: spec.l1.hardfork,
    genesisTime,
    accounts: mostAccounts(chains),
    chains: chains.map(({ genesis }) => genesis),
    ...(spec.l1.alloc === null ? {} : { alloc: entryOf(inputs.allocs, spec.l1.alloc) }),
  };
}

/** Returns the accounts that chains fund, each with its largest balance. */
function mostAccounts(chains: readonly PlannedChain[]): L1GenesisInputs['accounts'] {
  const byAddress = new Map<string, L1GenesisInputs['accounts'][number]>();
  for (const account of chains.flatMap(({ genesis }) => genesis.accounts)) {
    const other = byAddress.get(account.address);
    if (other === undefined || BigInt(other.balance) < BigInt(account.balance)) byAddress.set(account.address, account);
  }
  return [...byAddress.values()];
}
