import {
  type L1GenesisInputs,
  l1GenesisHash,
  l1Preinstalls,
  predictAnvilGenesis,
} from '../../../protocol/genesis/index.ts';
import type { Hex } from '../../../protocol/types.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import { genesisTimeOf } from '../../spec/resolve/genesis-time.ts';
import { l1TimesOf } from '../../spec/schema/l1-forks.ts';
import type { Spec } from '../../spec/schema/types.ts';
import type { ClientTemplate } from '../../template/template.ts';
import { chainGenesis } from '../chain/chain-genesis.ts';
import type { Geneses, PlannedChain } from '../chain/planned-chain.ts';
import { portalNotices } from '../chain/portal.ts';
import type { PlanContext } from '../context.ts';
import type { PlanInputs } from '../inputs.ts';
import { entryOf } from '../lookup.ts';
import { filesInOrder, tasksInOrder } from '../order.ts';
import type { Plan } from '../plan.ts';
import { addressesOf } from '../reach.ts';
import { wallClockNotice } from '../wall-clock.ts';
import { planChain } from './chain.ts';
import { planDashboard } from './dashboard.ts';
import { planL1 } from './l1.ts';
import { planLinks } from './links.ts';

/**
 * Plans all files, commands, ports and probes of a spec. Pure.
 * @throws Failure `chain-files` if the files of an existing chain do not fit, `plan` if templates need each
 * other
 */
export function planNetwork(spec: Spec, clients: ReadonlyMap<string, ClientTemplate>, inputs: PlanInputs): Plan {
  const genesisTime = genesisTimeOfFiles(spec, inputs) ?? genesisTimeOf(spec, inputs.now);
  const addresses = addressesOf(spec, clients, inputs);
  const context = { spec, clients, inputs, genesisTime, addresses };
  const geneses = planGeneses(context);
  const l1 = planL1(context, geneses);
  const chains = geneses.chains.map((chain) => planChain(chain, context, l1));
  const files = filesInOrder([l1, ...chains].flatMap((part) => part.files));
  const tasks = tasksInOrder(
    [l1, ...chains].flatMap((part) => part.tasks),
    files,
  );
  const wallClock = wallClockNotice(tasks);
  if (wallClock !== undefined && (spec.time.clock !== 'wall' || spec.time.rate !== 1))
    throw new Failure(
      'clock',
      `time.clock and time.rate need processes that follow the network's clock: ${wallClock}`,
      {
        exit: EXIT.usage,
        hint: 'drop both keys, or use clients of this package for these processes',
      },
    );
  return {
    version: 1,
    devnet: spec.name,
    home: inputs.home,
    seed: spec.seed,
    genesisTime,
    time: { clock: spec.time.clock, rate: spec.time.rate },
    image: inputs.image,
    logBytes: spec.logs.size,
    ...planDashboard(spec, inputs, addresses),
    ...planLinks(context),
    ...(spec.otel === undefined ? {} : { otel: spec.otel }),
    ...(spec.abi === undefined ? {} : { abi: spec.abi }),
    files,
    tasks,
    network: {
      l1: {
        chainId: spec.l1.chainId,
        ...l1.urls,
        genesisHash: geneses.l1.hash,
        blockTime: spec.l1.blockTime,
        contracts: l1Preinstalls(inputs.contracts),
      },
      chains: chains.map(({ view }) => view),
    },
    notices: [
      ...(wallClock === undefined ? [] : [wallClock]),
      ...[l1, ...chains].flatMap(({ notices }) => notices),
      ...geneses.chains.flatMap((chain) =>
        portalNotices(chain, inputs, spec.l1.alloc === null ? {} : entryOf(inputs.allocs, spec.l1.alloc)),
      ),
    ],
  };
}

/**
 * Returns the genesis time in the files of existing chains.
 * @throws Failure `chain-files` if the files or the spec give different times
 */
function genesisTimeOfFiles(spec: Spec, inputs: PlanInputs): number | undefined {
  const times = Object.values(spec.chains).flatMap(({ from }) =>
    from === null ? [] : [entryOf(inputs.rollupConfigs, from.rollup).genesis.l2_time],
  );
  const [first] = times;
  if (first === undefined) return undefined;
  const all = spec.time.genesis === 'now' ? times : [...times, spec.time.genesis];
  if (all.every((time) => time === first)) return first;
  throw new Failure(
    'chain-files',
    `all chains of one L1 must have its genesis time, but these have ${[...new Set(all)].join(' and ')}`,
    { exit: EXIT.usage },
  );
}

/**
 * Computes the geneses of a network.
 * Block 0 of L1 commits to the contracts of all chains, and each rollup config holds the hash of that block. So a chain
 * is computed without the hash first, if the hash depends on it.
 * @throws Failure `chain-files` if the files of an existing chain do not fit
 */
function planGeneses(context: PlanContext): Geneses {
  const { spec, clients, inputs, genesisTime } = context;
  const chainsOn = (hash?: Hex) => Object.keys(spec.chains).map((name) => chainGenesis(name, context, hash));
  const isEmpty = entryOf(clients, spec.l1.client).stateRoot === 'empty';
  const hash = isEmpty
    ? predictAnvilGenesis({ genesisTime, hardfork: spec.l1.hardfork, gasLimit: spec.l1.gasLimit }).hash
    : l1GenesisHash(l1Inputs(context, chainsOn()), inputs.contracts);
  const chains = chainsOn(hash);
  return { l1: { inputs: l1Inputs(context, chains), hash }, chains };
}

function l1Inputs({ spec, inputs, genesisTime }: PlanContext, chains: readonly PlannedChain[]): L1GenesisInputs {
  return {
    chainId: spec.l1.chainId,
    hardfork: spec.l1.hardfork,
    forks: l1TimesOf(spec.l1, { genesisTime, blockTime: spec.l1.blockTime, now: Math.floor(inputs.now) }),
    blobSchedule: spec.l1.blobSchedule,
    gasLimit: spec.l1.gasLimit,
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
