import { l1Preinstalls } from '../../../protocol/genesis/index.ts';
import { EXIT, Failure } from '../../../system/failure.ts';
import { genesisTimeOf } from '../../spec/resolve/genesis-time.ts';
import type { ProcessSpec, Spec } from '../../spec/schema/types.ts';
import type { ClientTemplate } from '../../template/template.ts';
import type { Values } from '../../template/text.ts';
import { portalNotices } from '../chain/portal.ts';
import { GATE, isGated } from '../hidden.ts';
import type { PlanInputs } from '../inputs.ts';
import { entryOf } from '../lookup.ts';
import { filesInOrder, tasksInOrder } from '../order.ts';
import type { Plan, PlannedFile, Task } from '../plan.ts';
import { HOST } from '../ports.ts';
import { wallClockNotice } from '../wall-clock.ts';
import { planChain } from './chain-tasks.ts';
import { planDashboard } from './dashboard.ts';
import { planL1 } from './l1.ts';
import { needsOf } from './node.ts';
import { planOmissions } from './omissions.ts';
import { buildTask } from './task.ts';
import { urlOf } from './values.ts';

/**
 * Plans all files, commands, ports and probes of a spec. Pure.
 * @throws Failure `chain-files` where the files of an existing chain do not fit, `plan` where templates need each
 * other
 */
export function planNetwork(spec: Spec, clients: ReadonlyMap<string, ClientTemplate>, inputs: PlanInputs): Plan {
  const genesisTime = genesisTimeOfFiles(spec, inputs) ?? genesisTimeOf(spec, inputs.now);
  const gated = isGated(spec, clients);
  const l1Host = gated ? inputs.hiddenHost : HOST;
  const {
    chains,
    genesisHash,
    values: network,
    files: l1Files,
    secrets,
  } = planL1(spec, clients, inputs, genesisTime, l1Host);
  const planned = chains.map((chain) => planChain(chain, { spec, clients, inputs, network, l1Files }));
  const given = { clients, inputs, onExit: spec.l1.onExit, planned: l1Files, secrets };
  const l1 = networkTask('l1', spec.l1, { ...network, host: l1Host }, given);
  const beacon = networkTask('l1-beacon', spec.l1.beacon, network, given);
  const files = filesInOrder([...l1Files, ...l1.files, ...beacon.files, ...planned.flatMap((chain) => chain.files)]);
  const tasks = tasksInOrder([l1.task, beacon.task, ...planned.flatMap((chain) => chain.tasks)], files);
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
    ...planDashboard(spec, inputs),
    files,
    tasks,
    network: {
      l1: {
        chainId: spec.l1.chainId,
        rpc: gated ? urlOf(inputs, 'http', 'l1-beacon', GATE) : String(network['l1.http']),
        ws: gated ? urlOf(inputs, 'ws', 'l1-beacon', GATE) : String(network['l1.ws']),
        direct: { rpc: String(network['l1.http']), ws: String(network['l1.ws']) },
        beacon: String(network['l1.beacon']),
        genesisHash,
        blockTime: spec.l1.blockTime,
        contracts: l1Preinstalls(inputs.contracts),
      },
      chains: planned.map(({ view }) => view),
    },
    notices: [
      ...(wallClock === undefined ? [] : [wallClock]),
      ...[l1, beacon, ...planned].flatMap(({ notices }) => notices),
      ...chains.flatMap((chain) =>
        portalNotices(chain, inputs, spec.l1.alloc === null ? {} : entryOf(inputs.allocs, spec.l1.alloc)),
      ),
    ],
  };
}

interface NetworkParts {
  readonly clients: ReadonlyMap<string, ClientTemplate>;
  readonly inputs: PlanInputs;
  readonly onExit: Task['onExit'];
  readonly planned: readonly PlannedFile[];
  readonly secrets: readonly string[];
}

function networkTask(
  id: 'l1' | 'l1-beacon',
  process: ProcessSpec,
  values: Values,
  { clients, inputs, onExit, planned, secrets }: NetworkParts,
) {
  const template = entryOf(clients, process.client);
  const needs = needsOf(template, { el: 'l1', cl: 'l1' }, template);
  const { files, values: own, notices } = planOmissions(id, template, process, values, planned, inputs);
  const all = { ...values, ...own };
  const task = buildTask(
    {
      id,
      process,
      template,
      values: all,
      overrides: {},
      secrets,
      needs,
      files: [...planned, ...files],
      onExit,
      peers: 0,
    },
    inputs,
  );
  return { task, files, notices };
}

/**
 * Returns the genesis time in the files of existing chains.
 * @throws Failure `chain-files` where the files or the spec give different times
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
