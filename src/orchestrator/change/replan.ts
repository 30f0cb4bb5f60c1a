import { EXIT, Failure } from '../../system/failure.ts';
import type { PlanChange } from '../control/requests.ts';
import { type Devnet, viewOf } from '../devnet/select.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { FORK_NAMES } from '../spec/schema/fork-names.ts';
import { edit, type Json, type Path } from '../spec/schema/json.ts';
import type { Assignment } from '../spec/text/set.ts';
import type { Io } from '../terminal/io.ts';
import { planAgain, type SpecChange } from './plan-again.ts';

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
  return replanned(
    io,
    devnet,
    { set, edit: (spec) => without(spec, dropped) },
    wish.overrides.length > 0 ? withOthers(plan, targets) : targets,
  );
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
  return replanned(io, devnet, { set }, tasks);
}

/**
 * Plans again from the devnet's own spec. The plan of all other tasks stays as it is.
 */
async function replanned(io: Io, devnet: Devnet, change: SpecChange, tasks: readonly Task[]): Promise<Replanned> {
  const { plan, next, spec, basis } = await planAgain(io, devnet, change);
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
      spec,
      basis,
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
function without(spec: Json, paths: readonly Path[]): Json {
  return paths.reduce<Json>((value, path) => edit(value, path, () => undefined), spec);
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
