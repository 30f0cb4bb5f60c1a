import { PREDEPLOYS } from '../../protocol/execution/predeploys.ts';
import { rulesAt } from '../../protocol/forks/index.ts';
import { l1Preinstalls, l2Preinstalls, renderRollupConfig } from '../../protocol/genesis/index.ts';
import { present } from '../../protocol/present.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { genesisTimeOf } from '../spec/genesis-time.ts';
import type { ProcessSpec, Spec } from '../spec/spec.ts';
import type { ClientTemplate, OptionsTemplate } from '../template/template.ts';
import type { Values } from '../template/text.ts';
import type { PlannedChain } from './chain.ts';
import { planDashboard } from './dashboard.ts';
import { GATE, isGated } from './hidden.ts';
import type { PlanInputs } from './inputs.ts';
import { planL1 } from './l1.ts';
import { entryOf } from './lookup.ts';
import { identifyNode, needsOf, planNode } from './node.ts';
import { planOmissions } from './omissions.ts';
import { filesInOrder, tasksInOrder } from './order.ts';
import type { BundleOrigin, ChainView, Plan, PlannedFile, Task } from './plan.ts';
import { HOST } from './ports.ts';
import { buildTask, taskFolder } from './task.ts';
import { chainValues, urlOf } from './values.ts';
import { wallClockNotice } from './wall-clock.ts';

/** The type of a permissioned dispute game. */
const PERMISSIONED_GAME = 1;

const NO_OPTIONS: OptionsTemplate = { args: {}, env: {} };

/** Roles whose key only one process of the network holds. */
const OWN_KEY: ReadonlySet<string> = new Set(['batcher', 'proposer', 'sequencer']);

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
  const planned = chains.map((chain) => planOneChain(spec, chain, clients, inputs, network, l1Files));
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
    ],
  };
}

interface PlannedParts {
  readonly tasks: readonly Task[];
  readonly files: readonly PlannedFile[];
  readonly view: ChainView;
  readonly notices: readonly string[];
}

function planOneChain(
  spec: Spec,
  chain: PlannedChain,
  clients: ReadonlyMap<string, ClientTemplate>,
  inputs: PlanInputs,
  network: Values,
  l1Files: readonly PlannedFile[],
): PlannedParts {
  const names = Object.keys(chain.spec.nodes);
  const found = Object.entries(chain.spec.nodes).find(([, { role }]) => role === 'sequencer');
  const [sequencer, { el }] = present(found, `sequencer of ${chain.name}`);
  const { external } = el;
  const ids = { el: `${chain.name}/${sequencer}/el`, cl: `${chain.name}/${sequencer}/cl` };
  const values: Values = {
    ...network,
    ...chainValues(chain, {
      http: external?.http ?? urlOf(inputs, 'http', ids.el, 'http'),
      ws: external?.ws ?? urlOf(inputs, 'ws', ids.el, 'ws'),
      rpc: urlOf(inputs, 'http', ids.cl, 'rpc'),
    }),
  };
  const identities = names.map((name) => identifyNode(spec, chain, name, clients, inputs));
  const known = [...l1Files, ...chainFiles(chain, inputs)];
  const nodes = identities.map((identity) =>
    planNode(spec, chain, identity, identities, clients, inputs, values, known),
  );
  const files: PlannedFile[] = [...chainFiles(chain, inputs), ...nodes.flatMap((node) => node.files)];
  const notices = nodes.flatMap((node) => node.notices);
  const tasks: Task[] = nodes.flatMap((node) => node.tasks);
  const service = (
    kind: 'batcher' | 'proposer',
    process: ProcessSpec,
    extra: Values,
    intervalMs?: number,
  ): ChainView['batcher'] => {
    const id = `${chain.name}/${kind}`;
    const template = entryOf(clients, process.client);
    const key = chain.roles[kind].privateKey;
    const keyFile = `${taskFolder(inputs, id)}-key.hex`;
    const keyPlanned: PlannedFile = {
      path: keyFile,
      mode: 0o600,
      secret: true,
      content: { kind: 'text', text: `${key}\n` },
    };
    files.push(keyPlanned);
    const own: Values = { ...values, ...extra, [`${kind}.key`]: key, [`${kind}.keyFile`]: keyFile };
    const omitted = planOmissions(id, template, process, own, known, inputs);
    files.push(...omitted.files);
    notices.push(...omitted.notices);
    const task = buildTask(
      {
        id,
        chain: chain.name,
        process,
        template,
        role: NO_OPTIONS,
        values: { ...own, ...omitted.values },
        overrides: {},
        secrets: [key],
        needs: needsOf(template, ids, entryOf(clients, spec.l1.beacon.client)),
        files: [...known, keyPlanned, ...omitted.files],
        onExit: chain.spec.onExit,
        peers: 0,
        ...(intervalMs === undefined ? {} : { intervalMs }),
      },
      inputs,
    );
    tasks.push(task);
    return { task: id, ...(template.ports['rpc'] === undefined ? {} : { rpc: urlOf(inputs, 'http', id, 'rpc') }) };
  };
  const games = chain.genesis.withdrawals.system === 'dispute-games';
  const batchType = rulesAt(chain.schedule, chain.clock.genesisTime).batches.span ? 1 : 0;
  const batcher =
    chain.spec.batcher === null
      ? undefined
      : service('batcher', chain.spec.batcher, { 'batcher.da': chain.spec.batcher.da, 'batcher.batchType': batchType });
  const proposer =
    chain.spec.proposer === null
      ? undefined
      : service(
          'proposer',
          chain.spec.proposer,
          {
            'proposer.gameInterval': games ? `${chain.spec.proposer.interval}s` : undefined,
            'proposer.gameType': games ? PERMISSIONED_GAME : undefined,
          },
          (games
            ? chain.spec.proposer.interval
            : chain.genesis.withdrawals.submissionInterval * chain.clock.blockTime) * 1000,
        );
  const view: ChainView = {
    name: chain.name,
    chainId: chain.chainId,
    blockTime: chain.clock.blockTime,
    genesisHash: chain.genesisHash,
    contracts: { l1: chain.contracts, l2: { ...PREDEPLOYS, ...l2Preinstalls(chain.genesis, inputs.contracts) } },
    accounts: [
      ...chain.accounts,
      ...chain.spec.accounts.addresses.map((address) => ({ address, role: 'funded' })),
      ...Object.entries(chain.roles).map(([role, account]) =>
        OWN_KEY.has(role) ? { address: account.address, role } : { ...account, role },
      ),
    ],
    forks: forkTimes(chain),
    ...(chain.bundleForks.length === 0 ? {} : { bundles: bundleOriginsOf(chain, inputs) }),
    genesisFile: chain.genesisFile,
    rollupFile: chain.rollupFile,
    nodes: nodes.map((node) => node.view),
    ...(batcher === undefined ? {} : { batcher }),
    ...(proposer === undefined ? {} : { proposer }),
  };
  return { tasks, files, view, notices };
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

function chainFiles(chain: PlannedChain, inputs: PlanInputs): readonly PlannedFile[] {
  const file = (path: string, content: PlannedFile['content']): PlannedFile => ({
    path,
    mode: 0o644,
    secret: false,
    content,
  });
  const bundles = chain.bundleForks.map(({ name }) => {
    const given = chain.spec.bundles[name];
    const content =
      given === undefined
        ? ({ kind: 'upgrade-bundle', fork: name } as const)
        : ({ kind: 'text', text: entryOf(inputs.bundleTexts, given) } as const);
    return file(`${chain.bundleFolder}/${name}.json`, content);
  });
  if (chain.spec.from !== null) return bundles;
  return [
    file(chain.genesisFile, { kind: 'l2-genesis', inputs: chain.genesis }),
    file(chain.rollupFile, { kind: 'text', text: renderRollupConfig(chain.rollup) }),
    ...bundles,
  ];
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
      role: NO_OPTIONS,
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
