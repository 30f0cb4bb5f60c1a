import { EXIT, Failure } from '../../system/failure.ts';
import { shellQuote } from '../../system/program/shell-quote.ts';
import { type Devnet, viewOf, withControl } from '../devnet/select.ts';
import { tasksOf } from '../devnet/targets.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { headsAt } from '../status/heads.ts';
import { placeOf } from '../status/moved-forks.ts';
import type { Io } from '../terminal/io.ts';
import { askSupervisor } from './act-on-node.ts';
import { canRewind, type HeadOf, headText, type MovedNode, movedNode, movedText } from './past-activation.ts';
import { type Pairs, type Replanned, replan, type Wish } from './replan.ts';
import { mustBeStartedHere } from './started-here.ts';

/** Options of a restart. */
export interface Manner {
  /** Rewinds the chain first if the head is past a moved activation. */
  readonly rewind: boolean;
  /** Deletes the data of the named processes first. */
  readonly empty: boolean;
}

/**
 * Restarts a node's processes with changes, and says what it did. A change that the node's data do not allow is
 * refused before any process stops.
 */
export async function changeNode(io: Io, devnet: Devnet, word: string, wish: Wish, manner: Manner): Promise<void> {
  const { emptied, rewound, restarted } = await changeNodeIn(io, devnet, word, wish, manner);
  const empty = emptied.length > 0 ? `${emptied.join(', ')} emptied; ` : '';
  const back = rewound === null ? '' : `${rewound.node} rewound to block ${rewound.block}; `;
  io.stderr(`${empty}${back}${restarted.join(', ')} restarted\n`);
}

/** What a change did, by task. */
export interface ChangedNode {
  readonly emptied: readonly string[];
  readonly rewound: { readonly node: string; readonly block: number } | null;
  readonly restarted: readonly string[];
}

/** Does the same in a devnet. @throws Failure */
export async function changeNodeIn(
  io: Io,
  devnet: Devnet,
  word: string,
  wish: Wish,
  manner: Manner,
): Promise<ChangedNode> {
  const { plan } = viewOf(devnet);
  const all = tasksOf(plan, word);
  // A sequencer that is reset stays in the raft cluster of its op-conductor.
  const targets = manner.empty && all.length > 1 ? all.filter(({ kind }) => kind !== 'conductor') : all;
  return withControl(devnet, async (control) => {
    if (manner.empty) mustBeResettable(plan, targets);
    mustBeStartedHere(plan, targets, wish);
    const changes = wish.overrides.length + wish.args.length > 0 || wish.da !== undefined;
    const replanned = changes ? await replan(io, devnet, targets, wish) : undefined;
    const keepsChain = !manner.empty || targets.every(({ kind }) => kind !== 'el');
    const back = replanned && keepsChain ? await blockToGoBackTo(plan, replanned, targets) : undefined;
    if (back !== undefined) mustRewind(back, manner, { word, wish });
    const tasks = tasksToRestart(plan, replanned?.tasks ?? targets, manner);
    const done = await askSupervisor(control, {
      method: 'node',
      action: 'restart',
      tasks: tasks.map(({ id }) => id),
      ...(replanned === undefined ? {} : { change: replanned.change }),
      ...(back === undefined ? {} : { rewind: [{ task: back.task.id, block: back.block }] }),
      ...(manner.empty ? { empty: targets.map(({ id }) => id) } : {}),
    });
    return {
      emptied: manner.empty ? targets.map(({ id }) => id) : [],
      rewound: back === undefined ? null : { node: back.node, block: back.block },
      restarted: done,
    };
  });
}

/** Adds the rollup node of an emptied execution client: it holds the old heads in memory. */
function tasksToRestart(plan: Plan, tasks: readonly Task[], { empty }: Manner): readonly Task[] {
  const emptied = empty ? tasks.find(({ kind }) => kind === 'el') : undefined;
  if (emptied === undefined) return tasks;
  const other = plan.tasks.find(
    ({ chain, node, kind, launch }) =>
      chain === emptied.chain && node === emptied.node && kind === 'cl' && launch !== 'external',
  );
  return other === undefined || tasks.includes(other) ? tasks : [...tasks, other];
}

function mustBeResettable(plan: Plan, tasks: readonly Task[]): void {
  for (const { id, kind, chain, node, launch } of tasks) {
    if (kind === 'conductor')
      throw new Failure('usage', `${id} holds its part of the raft cluster, and cannot be reset`, { exit: EXIT.usage });
    if (chain === undefined || node === undefined)
      throw new Failure('usage', `${id} does not belong to a node: only nodes can be reset`, { exit: EXIT.usage });
    if (launch !== 'spawn')
      throw new Failure('usage', `devnet does not start ${id} (${launch}) and cannot empty its data`, {
        exit: EXIT.usage,
        hint: 'stop it, empty its data and start it again yourself',
      });
    placeOf(plan, chain, node);
  }
}

/** A node that holds blocks of fork times that would change. */
interface GoingBack extends MovedNode {
  readonly head: HeadOf;
}

/** Returns the node's moved fork times, if its head is past the first of them. */
async function blockToGoBackTo(
  plan: Plan,
  { change }: Replanned,
  [first]: readonly Task[],
): Promise<GoingBack | undefined> {
  if (first?.chain === undefined || first.node === undefined) return undefined;
  const node = movedNode(plan, change.plan, first.chain, first.node);
  if (node === undefined) return undefined;
  const head = (await headsAt(node.http)).unsafe;
  return head === null || head.time < node.moved.since ? undefined : { ...node, head };
}

/** @throws Failure `past` (exit 2) if the node is not to be taken back, or cannot be */
function mustRewind(
  back: GoingBack,
  { rewind }: Manner,
  { word, wish }: { readonly word: string; readonly wish: Wish },
): void {
  const { node, task, head, block } = back;
  const isPossible = canRewind(back);
  if (rewind && isPossible) return;
  const optionWords = [...repeated('--override', wish.overrides), ...repeated('--arg', wish.args)];
  const line = (verb: string, target: string, ...more: string[]) =>
    `  \`devnet node ${[verb, target, ...optionWords, ...more].join(' ')}\``;
  const both = word.replace(/[./](el|cl)$/, '');
  const ways = [
    ...(isPossible ? [line('restart', word, '--rewind'), `    rewinds it to block ${block} first`] : []),
    line('reset', optionWords.some((each) => each === '--arg') ? word : both),
    '    empties its data; it derives or syncs its chain again',
  ];
  throw new Failure(
    'past',
    `${node} is past an activation that would move: its head is ${headText(head)}; ` +
      `moving ${movedText(back)} changes the rules of its blocks from ${block + 1} on`,
    {
      exit: EXIT.usage,
      hint: [`nothing was stopped; ${rewind ? `devnet cannot rewind ${task.client}; instead:` : 'use'}`, ...ways].join(
        '\n  ',
      ),
    },
  );
}

function repeated(option: string, pairs: Pairs): readonly string[] {
  return pairs.flatMap((pair) => [option, shellQuote(pair.join('='))]);
}
