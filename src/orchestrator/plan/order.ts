import { Failure } from '../../system/failure.ts';
import { CLIENT_KINDS } from '../spec/resolve/client.ts';
import type { FileContent, Plan, PlannedFile, Task, TaskKind } from './plan.ts';

/**
 * Sorts files into the order in which they are written. Texts come first, then the genesis of L2, which most tasks
 * read.
 */
export function filesInOrder(files: readonly PlannedFile[]): readonly PlannedFile[] {
  return [...files].sort((a, b) => FILE_RANK[a.content.kind] - FILE_RANK[b.content.kind]);
}

const FILE_RANK: Readonly<Record<FileContent['kind'], number>> = {
  text: 0,
  'l2-genesis': 1,
  without: 2,
  'l1-genesis': 3,
  'upgrade-bundle': 4,
};

/** Relative time that a kind of task needs to become ready. */
const START_COST: Readonly<Partial<Record<TaskKind, number>>> = { cl: 4, el: 2 };

/** Estimated duration of a wait, without unit. Readiness takes far longer than a spawn. */
const WAITS = { spawned: 1, ready: 10 } as const;

/**
 * Sorts tasks into the order in which they start.
 * The keys are: the tasks that it waits for, the last file that it reads, the time that it needs to become ready.
 * `files` stand in the order in which they are written.
 * @throws Failure `plan` on a need that does not exist or a cycle
 */
export function tasksInOrder(tasks: readonly Task[], files: readonly PlannedFile[]): readonly Task[] {
  const earliest = earliestStarts(tasks);
  const rendered = new Map(
    files.flatMap(({ path, content }, at) => (content.kind === 'text' ? [] : [[path, at] as const])),
  );
  const keyed = tasks.map((task) => ({
    task,
    key: [
      task.late === true ? 1 : 0,
      earliest.get(task.id) ?? 0,
      Math.max(-1, ...task.reads.map((path) => rendered.get(path) ?? -1)),
      -(START_COST[task.kind] ?? 0) - (task.prepare.length > 0 ? 1 : 0),
    ],
  }));
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ task }) => task);
}

/** Lists the tasks for people: L1, then the nodes of each chain, then its services, as the spec names them. */
export function listedTasks({ tasks, network }: Pick<Plan, 'tasks' | 'network'>): readonly Task[] {
  const kinds: readonly string[] = CLIENT_KINDS;
  const keyed = tasks.map((task) => {
    const chainAt = network.chains.findIndex(({ name }) => name === task.chain);
    const nodeAt = network.chains[chainAt]?.nodes.findIndex(({ name }) => name === task.node) ?? -1;
    return { task, key: [chainAt, nodeAt === -1 ? Number.MAX_VALUE : nodeAt, kinds.indexOf(task.kind)] };
  });
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ task }) => task);
}

/** Estimates when each task can start, by its id. */
function earliestStarts(tasks: readonly Task[]): ReadonlyMap<string, number> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const starts = new Map<string, number>();
  const startOf = (task: Task, path: readonly string[]): number => {
    const memo = starts.get(task.id);
    if (memo !== undefined) return memo;
    const chain = [...path, task.id];
    if (path.includes(task.id)) throw new Failure('plan', `tasks wait for each other: ${chain.join(' → ')}`);
    const waits = task.needs.map(({ task: id, until }) => {
      const needed = byId.get(id);
      if (needed === undefined)
        throw new Failure('plan', `${task.id} needs the task ${id}, which this network does not have`);
      return startOf(needed, chain) + WAITS[until];
    });
    const start = Math.max(0, ...waits);
    starts.set(task.id, start);
    return start;
  };
  for (const task of tasks) startOf(task, []);
  return starts;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
