import { PREDEPLOYS } from '../../../protocol/execution/predeploys.ts';
import { l2Preinstalls } from '../../../protocol/genesis/index.ts';
import type { PlanInputs } from '../inputs.ts';
import type { BundleOrigin, ChainView } from '../plan.ts';
import type { PlannedChain } from './planned-chain.ts';

/** Roles whose key only one process of the network holds. */
const OWN_KEY: ReadonlySet<string> = new Set(['batcher', 'proposer', 'sequencer']);

/** How to find a chain's processes. */
export interface ChainProcesses {
  readonly nodes: ChainView['nodes'];
  readonly batcher: ChainView['batcher'] | undefined;
  readonly proposer: ChainView['proposer'] | undefined;
  readonly challenger: ChainView['challenger'] | undefined;
  readonly signer: ChainView['signer'] | undefined;
  readonly daServer: ChainView['daServer'] | undefined;
  readonly conductor: ChainView['conductor'] | undefined;
}

/** Describes a chain for the commands that read a plan. */
export function chainView(
  chain: PlannedChain,
  inputs: PlanInputs,
  { nodes, batcher, proposer, challenger, signer, daServer, conductor }: ChainProcesses,
): ChainView {
  return {
    name: chain.name,
    chainId: chain.chainId,
    blockTime: chain.clock.blockTime,
    genesisHash: chain.genesisHash,
    contracts: { l1: chain.contracts, l2: { ...PREDEPLOYS, ...l2Preinstalls(chain.genesis, inputs.contracts) } },
    accounts: [
      ...chain.accounts,
      ...chain.spec.accounts.addresses.map((address) => ({ address, role: 'funded' })),
      ...Object.entries(chain.roles).map(([role, account]) =>
        OWN_KEY.has(role) || (role === 'challenger' && challenger !== undefined)
          ? { address: account.address, role }
          : { ...account, role },
      ),
    ],
    forks: forkTimes(chain),
    ...(chain.bundleForks.length === 0 ? {} : { bundles: bundleOriginsOf(chain, inputs) }),
    genesisFile: chain.genesisFile,
    rollupFile: chain.rollupFile,
    nodes,
    ...(batcher === undefined ? {} : { batcher }),
    ...(proposer === undefined ? {} : { proposer }),
    ...(challenger === undefined ? {} : { challenger }),
    ...(signer === undefined ? {} : { signer }),
    ...(daServer === undefined ? {} : { daServer }),
    ...(conductor === undefined ? {} : { conductor }),
  };
}

/** Returns the chain's schedule, including forks that the spec sets to never. */
function forkTimes({ schedule, spec }: PlannedChain): ChainView['forks'] {
  const never = Object.entries(spec.forks.times).flatMap(([fork, time]) =>
    time.kind === 'never' ? [[fork, null] as const] : [],
  );
  const times = Object.entries(schedule).flatMap(([fork, time]) => (time === undefined ? [] : [[fork, time] as const]));
  return Object.fromEntries([...never, ...times]);
}

function bundleOriginsOf({ bundleForks, spec }: PlannedChain, inputs: PlanInputs) {
  const origins = bundleForks.map(({ name }): readonly [string, BundleOrigin] => {
    if (spec.bundles[name] !== undefined) return [name, 'given'];
    return [name, inputs.bundleOrigin(name) === 'official' ? 'official' : 'unofficial'];
  });
  return Object.fromEntries(origins);
}
