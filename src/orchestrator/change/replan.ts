import { useKeccak } from '../../protocol/hash.ts';
import { wasmKeccak } from '../../system/crypto/keccak.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { readText } from '../../system/files/folder.ts';
import { timeAt } from '../../system/time/clock.ts';
import type { PlanChange } from '../control/requests.ts';
import { mustRunHere } from '../devnet/own-spec.ts';
import { type Devnet, viewOf } from '../devnet/select.ts';
import { homeOf } from '../folder/home.ts';
import { findSpec } from '../load/find-spec.ts';
import { loadSpec } from '../load/load-spec.ts';
import { planInputs } from '../load/plan-inputs.ts';
import { portalsOf } from '../plan/chain/portal.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { HOST } from '../plan/reach.ts';
import { dashboardPort } from '../plan/tasks/dashboard.ts';
import { planNetwork } from '../plan/tasks/network.ts';
import { keptText } from '../spec/resolve/pin.ts';
import { FORK_NAMES } from '../spec/schema/fork-names.ts';
import { edit, type Json, type Path } from '../spec/schema/json.ts';
import type { Assignment } from '../spec/text/set.ts';
import { specHash } from '../state/spec-hash.ts';
import type { Io } from '../terminal/io.ts';

/** Value of an override that returns a node to its chain's time. */
const CHAIN_TIME = 'chain';

export type Pairs = readonly (readonly [string, string])[];

/** The changes of a command to processes of a running network. */
export interface Wish {
  /** Fork → activation time in the spec's notation, or `chain` for the chain's time again. */
  readonly overrides: Pairs;
  readonly args: Pairs;
  /** Where the batcher posts from now on: the key `da` of the spec, whatever its client calls it. */
  readonly da?: 'calldata' | 'blobs' | undefined;
}

/** Fork times of a whole chain. */
export interface ForkWish {
  readonly chain: string;
  /** Fork → activation time in the spec's notation. */
  readonly forks: Pairs;
}

/** A changed plan and the tasks that it restarts. */
export interface Replanned {
  readonly change: PlanChange;
  readonly tasks: readonly Task[];
}

/**
 * Plans a running network again with other fork times or arguments of a node.
 * @throws Failure if the change is not possible
 */
export async function replan(io: Io, devnet: Devnet, targets: readonly Task[], wish: Wish): Promise<Replanned> {
  const { plan } = viewOf(devnet);
  const isBack = ([, time]: Pairs[number]) => time === CHAIN_TIME;
  const set = [
    ...overrideSets(
      targets,
      wish.overrides.filter((pair) => !isBack(pair)),
    ),
    ...(wish.da === undefined
      ? []
      : targets.map((task) => setBy('da', [...pathOf(task), 'da'], ['da', String(wish.da)]))),
    ...argumentSets(targets, wish.args),
  ];
  const dropped = wish.overrides.filter(isBack).map(([fork]) => overridePath(targets, knownFork(fork)));
  return replanned(io, devnet, { set, dropped }, wish.overrides.length > 0 ? withOthers(plan, targets) : targets);
}

/**
 * Plans a running network again with other fork times of a chain. All its processes restart: those that have no option
 * for a fork time read the times from the rollup node when they start.
 * @throws Failure if the change is not possible
 */
export async function replanForks(io: Io, devnet: Devnet, { chain, forks }: ForkWish): Promise<Replanned> {
  const { plan } = viewOf(devnet);
  const set = forks.map(([fork, time]) => setBy('fork', ['chains', chain, 'forks', fork], [fork, time]));
  const tasks = plan.tasks.filter((task) => task.chain === chain);
  return replanned(io, devnet, { set, dropped: [] }, tasks);
}

/**
 * Plans again from the devnet's own spec, which holds all earlier changes. Ports, genesis, keys and the other tasks
 * stay the same.
 */
async function replanned(
  io: Io,
  devnet: Devnet,
  { set, dropped }: { readonly set: readonly Assignment[]; readonly dropped: readonly Path[] },
  tasks: readonly Task[],
): Promise<Replanned> {
  mustRunHere(devnet, 'spec');
  const { plan, state } = viewOf(devnet);
  const basis = readText(devnet.paths.spec) ?? '';
  // `now+20s` refers to the network's clock.
  const now = timeAt(state.clock, Date.now()) / 1000;
  const original = findSpec(io.cwd, devnet.paths.spec);
  const spec =
    dropped.length === 0 ? original : { ...original, source: { ...original.source, text: without(basis, dropped) } };
  const loaded = await loadSpec(io, { spec, set, manual: [] }, now);
  const taskPorts = plan.tasks.flatMap(({ id, ports }) =>
    ports.map(({ name, port }) => [`${id}:${name}`, port] as const),
  );
  const ports = { ...plan.ports, ...Object.fromEntries(taskPorts), ...dashboardPort(plan) };
  useKeccak(await wasmKeccak());
  const hiddenHost = plan.tasks.find(({ id }) => id === 'l1')?.ports[0]?.host ?? HOST;
  const next = planNetwork(
    loaded.spec,
    loaded.clients,
    planInputs(io, loaded, homeOf(io), { hiddenHost, ports, portals: portalsOf(plan) }, now),
  );
  mustBeSame(plan, next);
  const ids = new Set(tasks.map(({ id }) => id));
  const changed = new Map(next.tasks.filter(({ id }) => ids.has(id)).map((task) => [task.id, task]));
  return {
    tasks,
    change: {
      plan: {
        ...next,
        tasks: plan.tasks.map((task) => changed.get(task.id) ?? task),
        notices: plan.notices,
        ...(plan.ports && { ports: plan.ports }),
      },
      spec: keptText(loaded.document, { genesisTime: plan.genesisTime, now }),
      basis: specHash(basis),
    },
  };
}

function overrideSets(tasks: readonly Task[], overrides: Pairs): readonly Assignment[] {
  return overrides.map((pair) => setBy('--override', overridePath(tasks, pair[0]), pair));
}

/** Returns the path of a node's own fork time in the spec. @throws Failure `usage` (exit 2) if there is none */
function overridePath([first]: readonly Task[], fork: string): readonly string[] {
  if (first?.chain === undefined || first.node === undefined)
    throw new Failure('usage', `--override: ${first?.id} does not belong to a node; only nodes have fork times`, {
      exit: EXIT.usage,
    });
  return ['chains', first.chain, 'nodes', first.node, 'override', fork];
}

/** @throws Failure `usage` (exit 2) if no fork has this name */
function knownFork(fork: string): string {
  if (!FORK_NAMES.some((name) => name === fork))
    throw new Failure('usage', `--override: unknown fork ${JSON.stringify(fork)}`, {
      exit: EXIT.usage,
      hint: `expected one of ${FORK_NAMES.join(', ')}`,
    });
  return fork;
}

/** Removes values from a devnet's own spec. */
function without(text: string, paths: readonly Path[]): string {
  return JSON.stringify(paths.reduce<Json>((spec, path) => edit(spec, path, () => undefined), JSON.parse(text)));
}

function argumentSets(tasks: readonly Task[], args: Pairs): readonly Assignment[] {
  if (args.length === 0) return [];
  const [task, ...others] = tasks;
  if (task === undefined || others.length > 0) {
    const words = tasks.map(({ node, kind }) => `${node}.${kind}`).join(' or ');
    throw new Failure('usage', `--arg: expected one process, ${words}`, { exit: EXIT.usage });
  }
  return args.map((pair) => setBy('--arg', [...pathOf(task), 'args', pair[0]], pair));
}

/** Returns the path of a task's process in the spec. */
function pathOf({ chain, node, kind }: Task): readonly string[] {
  if (chain === undefined) return kind === 'beacon' ? ['l1', 'beacon'] : ['l1'];
  return node === undefined ? ['chains', chain, kind] : ['chains', chain, 'nodes', node, kind];
}

/** Sets a value of the spec by an option whose text is `name=value`. */
function setBy(option: string, path: readonly string[], [name, value]: Pairs[number]): Assignment {
  return { path, source: { name: option, text: `${name}=${value}` } };
}

/**
 * Adds both processes of a node that gets other fork times, because they must agree. The batcher is added for the
 * sequencer: it reads the fork times of the sequencer's rollup node when it starts.
 */
function withOthers(plan: Plan, targets: readonly Task[]): readonly Task[] {
  const [first] = targets;
  const chain = plan.network.chains.find(({ name }) => name === first?.chain);
  const isSequencer = chain?.nodes.some(({ name, role }) => name === first?.node && role === 'sequencer');
  return plan.tasks.filter(
    (task) =>
      task.chain === first?.chain &&
      (task.node === first?.node || (isSequencer === true && task.id === chain?.batcher?.task)),
  );
}

/** @throws Failure `changed` if files that the spec names are not what they were when the network began */
function mustBeSame(before: Plan, after: Plan): void {
  const facts = ({ genesisTime, home, network, tasks }: Plan) =>
    JSON.stringify([
      genesisTime,
      home,
      network.l1.genesisHash,
      network.chains.map(({ name, genesisHash }) => [name, genesisHash]),
      tasks.map(({ id }) => id).sort(),
    ]);
  if (facts(before) === facts(after)) return;
  throw new Failure(
    'changed',
    `${before.devnet} cannot be planned again: files of its spec have changed, or another version of devnet started it`,
    { hint: `run \`devnet down ${before.devnet}\` and \`devnet up\` to start it anew` },
  );
}
