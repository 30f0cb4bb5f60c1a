import { EXIT, Failure } from '../../system/failure.ts';
import { timeAt } from '../../system/time/clock.ts';
import { freshState } from '../devnet/fresh-state.ts';
import { type Devnet, viewOf, withControl } from '../devnet/select.ts';
import type { ChainView, Plan } from '../plan/plan.ts';
import type { State } from '../state/state.ts';
import { activationOf, isoTime } from '../status/forks.ts';
import { headsAt } from '../status/heads.ts';
import type { Io } from '../terminal/io.ts';
import { askSupervisor } from './act-on-node.ts';
import { canRewind, type HeadOf, type MovedNode, movedNode, movedText } from './past-activation.ts';
import { type ForkWish, type Pairs, replanForks } from './replan.ts';

/** Fork times to move, and how. */
export interface Move extends ForkWish {
  /** Rewinds nodes whose heads are past a moved activation. */
  readonly rewind: boolean;
  /** What a user of the caller does to have the same with a rewind, for messages. */
  readonly rewindHint: string;
}

/** What a move did. */
export interface Moved {
  readonly chain: string;
  /** The moved forks; null: never. */
  readonly forks: readonly { readonly fork: string; readonly was: number | null; readonly is: number | null }[];
  /** Tasks that restarted, and stopped ones that start with the new times. */
  readonly restarted: readonly string[];
  readonly stopped: readonly string[];
  readonly rewound: readonly { readonly node: string; readonly block: number }[];
  /** Nodes whose own override keeps another time of a moved fork. */
  readonly kept: readonly { readonly node: string; readonly fork: string; readonly time: number | null }[];
}

/** Time (s) that the restart of a chain's processes takes at most before a rewind must follow. */
const MAX_RESTART_SECONDS = 3;

/**
 * Moves forks of a whole running chain: its files and the options of its processes.
 * Each process restarts once. What cannot be done is refused before any process stops.
 */
export async function moveForks(io: Io, devnet: Devnet, move: Move): Promise<Moved> {
  const { plan } = viewOf(devnet);
  return withControl(devnet, async (control) => {
    const state = await freshState(devnet);
    const chain = chainNamed(plan, move.chain);
    mustBeInMidChain(plan, chain, move.forks);
    mustRestart(plan, chain, state);
    const { change, tasks } = await replanForks(io, devnet, move);
    const after = chainNamed(change.plan, move.chain);
    const forks = differences(chain, after);
    const overrides = keptTimes(after, forks);
    const none = { chain: chain.name, forks, kept: overrides, restarted: [], stopped: [], rewound: [] };
    if (forks.length === 0) return none;
    const nodes = chain.nodes.flatMap(({ name }) => movedNode(plan, change.plan, chain.name, name) ?? []);
    const rewound = await nodesToRewind(nodes, state, move);
    const isStopped = (id: string) => state.tasks[id]?.phase === 'stopped';
    const restarted = tasks.filter(({ id }) => !isStopped(id)).map(({ id }) => id);
    await askSupervisor(control, {
      method: 'node',
      action: 'restart',
      tasks: restarted,
      change,
      rewind: rewound.map(({ task, block }) => ({ task: task.id, block })),
    });
    return {
      ...none,
      restarted,
      stopped: tasks.map(({ id }) => id).filter(isStopped),
      rewound: rewound.map(({ node, block }) => ({ node, block })),
    };
  });
}

/** @throws Failure `usage` (exit 2) if a fork is active at genesis, or would be */
function mustBeInMidChain({ genesisTime }: Plan, { name, forks }: ChainView, moved: Pairs): void {
  const words = { exit: EXIT.usage, hint: 'nothing was stopped; start another devnet with this schedule' } as const;
  for (const [fork, time] of moved) {
    const now = forks[fork];
    if (typeof now === 'number' && now <= genesisTime)
      throw new Failure(
        'usage',
        `${fork} is active at genesis of ${name} and cannot move: its genesis block would be another`,
        words,
      );
    if (time === 'genesis')
      throw new Failure(
        'usage',
        `${fork} cannot move to genesis: the genesis block of ${name} would be another`,
        words,
      );
  }
}

/** @throws Failure `usage` (exit 2) if a process of the chain cannot be restarted */
function mustRestart(plan: Plan, { name }: ChainView, { tasks }: State): void {
  for (const { id, chain, node, launch } of plan.tasks) {
    if (chain !== name) continue;
    if (launch !== 'spawn')
      throw new Failure(
        'usage',
        `${id} is ${launch === 'manual' ? 'started by hand' : 'external'}: devnet cannot give it other fork times`,
        { exit: EXIT.usage, hint: 'nothing was stopped; all processes of a chain need the same fork times' },
      );
    if (tasks[id]?.phase === 'paused')
      throw new Failure('usage', `${id} is paused and cannot restart`, {
        exit: EXIT.usage,
        hint: `nothing was stopped; run \`devnet node resume ${chain}/${node}\` first`,
      });
  }
}

function differences(before: ChainView, after: ChainView): Moved['forks'] {
  return [...new Set([...Object.keys(before.forks), ...Object.keys(after.forks)])]
    .map((fork) => ({ fork, was: before.forks[fork] ?? null, is: after.forks[fork] ?? null }))
    .filter(({ was, is }) => was !== is);
}

function keptTimes(chain: ChainView, forks: Moved['forks']): Moved['kept'] {
  return chain.nodes.flatMap((node) =>
    forks
      .filter(({ fork }) => node.overrides[fork] !== undefined)
      .map(({ fork }) => ({ node: `${chain.name}/${node.name}`, fork, time: activationOf(fork, chain, node) })),
  );
}

/**
 * Returns the nodes that hold blocks of other rules, or could before they stop.
 * @throws Failure `past` (exit 2) if they are not to be rewound, or cannot be
 */
async function nodesToRewind(
  nodes: readonly MovedNode[],
  state: State,
  { rewind, rewindHint }: Move,
): Promise<readonly MovedNode[]> {
  const heads = await Promise.all(nodes.map(async (node) => (await headsAt(node.http)).unsafe));
  const soon = timeAt(state.clock, Date.now() + MAX_RESTART_SECONDS * 1000) / 1000;
  const past = nodes.flatMap((node, index) => (node.moved.since <= soon ? [{ node, head: heads[index] ?? null }] : []));
  const silent = past.find(({ head }) => head === null);
  if (silent !== undefined) throw unknownHead(silent.node, state);
  const fixed = past.filter(({ node }) => !canRewind(node));
  if (past.length === 0 || (rewind && fixed.length === 0)) return past.map(({ node }) => node);
  const [first] = past;
  if (first === undefined) return [];
  const { node } = first;
  throw new Failure(
    'past',
    `moving ${movedText(node)} changes the rules of blocks from ${node.block + 1} on, ` +
      `which are ${whereText(past)}`,
    { exit: EXIT.usage, hint: ['nothing was stopped', ...waysOn(node, fixed, rewindHint, soon)].join('\n  ') },
  );
}

interface Place {
  readonly node: MovedNode;
  readonly head: HeadOf | null;
}

function whereText(past: readonly Place[]): string {
  const heads = past.flatMap(({ node, head }) =>
    head === null || head.time < node.moved.since ? [] : [`${node.node} at block ${head.number}`],
  );
  if (heads.length > 0) return `past: ${heads.join(', ')}`;
  return `due in ${MAX_RESTART_SECONDS} s at most, perhaps before all processes have stopped`;
}

function waysOn(node: MovedNode, fixed: readonly Place[], rewindHint: string, soon: number): readonly string[] {
  const names = fixed.map(({ node: { node: name, task } }) => `${name} (${task.client})`);
  if (names.length > 0) return [`devnet cannot rewind ${names.join(', ')}`];
  const isOld = node.moved.forks.some(({ was }) => was !== null && was <= soon);
  return [
    `to rewind the nodes to block ${node.block} first, ${rewindHint}`,
    ...(isOld ? [] : [`or take a time from ${isoTime(Math.ceil(soon))} on`]),
  ];
}

/** Returns the failure for a node whose head is not known, while an activation is past. */
function unknownHead({ node, task, moved }: MovedNode, { tasks }: State): Failure {
  const phase = tasks[task.id]?.phase;
  const why = phase === 'ready' ? 'does not answer' : `is ${phase}`;
  return new Failure(
    'past',
    `${node} ${why}, so that its head may be past ${isoTime(moved.since)}, where rules change`,
    {
      exit: EXIT.usage,
      hint: `nothing was stopped; run \`devnet node start ${node}\` first, or take a later time`,
    },
  );
}

function chainNamed({ network }: Plan, name: string): ChainView {
  const view = network.chains.find((chain) => chain.name === name);
  if (view === undefined) throw new Error(`the plan has no chain ${name}`);
  return view;
}
