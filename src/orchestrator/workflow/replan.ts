import { createHash } from 'node:crypto';
import { useKeccak } from '../../protocol/hash.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { readText } from '../../system/folder.ts';
import { wasmKeccak } from '../../system/keccak.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { HOST } from '../plan/ports.ts';
import type { PlanChange } from '../run/requests.ts';
import { keptText } from '../spec/pin.ts';
import type { Io } from './command.ts';
import { homeOf } from './home.ts';
import { loadSpec } from './load-spec.ts';
import { makePlan } from './make-plan.ts';
import { type Devnet, viewOf } from './select.ts';

export type Pairs = readonly (readonly [string, string])[];

/** What a command changes about processes of a running network. */
export interface Wish {
  /** Fork → activation time as a spec says it. */
  readonly overrides: Pairs;
  readonly args: Pairs;
}

/** A change and the tasks that must be restarted for it. */
export interface Replanned {
  readonly change: PlanChange;
  readonly tasks: readonly Task[];
}

/**
 * Plans a running network again with other fork times or arguments. The change is laid over the devnet's own spec, which holds all earlier ones.
 * Tasks that are not restarted stay as they are, and so do ports, genesis and keys.
 * @throws Failure where the change is not possible
 */
export async function replan(io: Io, devnet: Devnet, named: readonly Task[], wish: Wish): Promise<Replanned> {
  const { plan, state } = viewOf(devnet);
  const set = [...overrideSets(named, wish.overrides), ...argumentSets(named, wish.args)];
  const basis = readText(devnet.paths.spec) ?? '';
  const loaded = await loadSpec(io, { spec: devnet.paths.spec, set, manual: [] });
  const ports = Object.fromEntries(
    plan.tasks.flatMap(({ id, ports: own }) => own.map(({ name, port }) => [`${id}:${name}`, port])),
  );
  useKeccak(await wasmKeccak());
  // `now+20s` is said of the network's clock.
  const now = (Date.now() + state.offsetMs) / 1000;
  const hiddenHost = plan.tasks.find(({ id }) => id === 'l1')?.ports[0]?.host ?? HOST;
  const next = makePlan(io, loaded, homeOf(io), { hiddenHost, ports }, now);
  mustBeSame(plan, next);
  const tasks = wish.overrides.length > 0 ? withOthers(plan, named) : named;
  const ids = new Set(tasks.map(({ id }) => id));
  const changed = new Map(next.tasks.filter(({ id }) => ids.has(id)).map((task) => [task.id, task]));
  return {
    tasks,
    change: {
      plan: { ...next, tasks: plan.tasks.map((task) => changed.get(task.id) ?? task), notices: plan.notices },
      spec: keptText(loaded.document, { genesisTime: plan.genesisTime, now }),
      basis: createHash('sha256').update(basis).digest('hex'),
    },
  };
}

function overrideSets(tasks: readonly Task[], overrides: Pairs): readonly string[] {
  if (overrides.length === 0) return [];
  const [first] = tasks;
  if (first?.chain === undefined || first.node === undefined)
    throw new Failure('usage', `--override: ${first?.id} is not a node's: fork times are a node's`, {
      exit: EXIT.usage,
    });
  return overrides.map(([fork, time]) => `chains.${first.chain}.nodes.${first.node}.override.${fork}=${time}`);
}

function argumentSets(tasks: readonly Task[], args: Pairs): readonly string[] {
  if (args.length === 0) return [];
  const [task, ...others] = tasks;
  if (task === undefined || others.length > 0) {
    const words = tasks.map(({ node, kind }) => `${node}.${kind}`).join(' or ');
    throw new Failure('usage', `--arg: expected one process, ${words}`, { exit: EXIT.usage });
  }
  return args.map(([name, value]) => `${pathOf(task)}.args[${JSON.stringify(name)}]=${value}`);
}

/** Where a task's process stands in the spec. */
function pathOf({ id, chain, node, kind }: Task): string {
  if (chain === undefined) return kind === 'beacon' ? 'l1.beacon' : 'l1';
  return node === undefined ? id.replace(/^(.*)\/(\w+)$/, 'chains.$1.$2') : `chains.${chain}.nodes.${node}.${kind}`;
}

/**
 * With the tasks of a node that gets other fork times: both its processes, because they must agree.
 * A batcher reads the fork times of the sequencer's rollup node when it starts.
 */
function withOthers(plan: Plan, named: readonly Task[]): readonly Task[] {
  const [first] = named;
  const chain = plan.network.chains.find(({ name }) => name === first?.chain);
  const isSequencer = chain?.nodes.some(({ name, role }) => name === first?.node && role === 'sequencer');
  return plan.tasks.filter(
    (task) =>
      task.chain === first?.chain &&
      (task.node === first?.node || (isSequencer === true && task.id === chain?.batcher?.task)),
  );
}

/** @throws Failure `changed` where files that the spec names are not what they were when the network began */
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
    `${before.devnet} cannot be planned again: its spec names files that have changed, or another version of this program began it`,
    { hint: `devnet down ${before.devnet}, and up again, begins it anew` },
  );
}
