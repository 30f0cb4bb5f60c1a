import { Failure, messageAndHint, messageOf } from '../../../system/failure.ts';
import { readText, replaceFile } from '../../../system/files/folder.ts';
import { allSettledOrThrow } from '../../../system/time/all-settled.ts';
import type { Mutex } from '../../../system/time/mutex.ts';
import { conflict, refusedRequest, stillStarting } from '../../control/refusals.ts';
import type { NodeRequest } from '../../control/requests.ts';
import { type Exchange, openExchange, stageCopy, stageEmpty, stageFiles } from '../../folder/exchange.ts';
import type { Render } from '../../folder/files.ts';
import { taskOf } from '../../plan/lookup.ts';
import type { Plan, PlannedFile } from '../../plan/plan.ts';
import { inTime } from '../../processes/deadlines.ts';
import type { LiveTask } from '../../processes/live-task.ts';
import type { Network } from '../../processes/network.ts';
import { TaskFailure } from '../../processes/report.ts';
import type { StateRecord } from '../../record/state-record.ts';
import type { Paths } from '../../state/paths.ts';
import { specHash } from '../../state/spec-hash.ts';

export interface NodeActionParts {
  readonly paths: Paths;
  readonly network: Network;
  readonly record: StateRecord;
  readonly render: Render;
  /** Aborts to kill processes without grace. */
  readonly kill: AbortSignal;
  /** Aborts when the network ends. */
  readonly ending: AbortSignal;
  /** The plan in force. */
  plan(): Plan;
  /** Called when another plan is in force. Resolves when its links listen. */
  onPlan(plan: Plan): Promise<void>;
  /** Takes turns with snapshots. */
  readonly runExclusive: Mutex;
}

/** Runs node actions one after another. Each resolves when its tasks are ready or gone. */
export function nodeActions(
  parts: NodeActionParts,
): (request: NodeRequest) => Promise<{ readonly tasks: readonly string[] }> {
  return async (request) => {
    const tasks = await parts.runExclusive(() => act(request, parts));
    return { tasks: tasks.map(({ task }) => task.id) };
  };
}

/** Runs an action and returns its tasks. All checks precede the first stop. @throws TaskFailure, Failure */
async function act(request: NodeRequest, parts: NodeActionParts): Promise<readonly LiveTask[]> {
  const { network, record, kill, ending } = parts;
  const tasks = find(network, request.tasks);
  if (!record.wasReady) throw stillStarting();
  if (ending.aborted) throw new Failure('ended', 'the network is ending');
  const [first] = tasks;
  if (first !== undefined && tasks.every(({ task }) => task.launch === 'external'))
    throw isExternal(first.task.id, `${request.action} it where it runs`);
  const runs = (live: LiveTask) => live.phase !== 'stopped' && live.phase !== 'failed';
  if (request.action === 'restart') {
    mustFit(request, parts);
    await restart(request, tasks, parts);
    return tasks;
  }
  if (request.action === 'start') {
    const stopped = tasks.filter((live) => !runs(live));
    // A process that was not ready in time still runs. The new one would find its ports taken and its data open.
    await network.end(
      stopped.filter(({ hasProcess }) => hasProcess),
      kill,
    );
    await startAgain(stopped, parts.plan(), parts);
    record.write();
    return stopped;
  }
  if (request.action === 'pause' || request.action === 'resume') {
    const changed = await (request.action === 'pause' ? pause : resume)(tasks, record);
    record.write();
    return changed;
  }
  const running = tasks.filter((live) => live.phase !== 'stopped');
  await network.end(running, request.action === 'kill' ? AbortSignal.abort() : kill);
  record.write();
  return running;
}

/** Suspends the processes of tasks that run, and returns these tasks. @throws Failure `external` */
async function pause(tasks: readonly LiveTask[], record: StateRecord): Promise<readonly LiveTask[]> {
  const foreign = tasks.find(({ task }) => task.launch !== 'spawn');
  if (foreign !== undefined) throw isExternal(foreign.task.id, 'suspend it yourself');
  const running = tasks.filter(isUp);
  const paused = await Promise.all(running.map(async (live) => ((await live.running?.pause()) === true ? [live] : [])));
  // A process can end before all are suspended.
  const suspended = paused.flat().filter(isUp);
  for (const live of suspended) record.set(live, 'paused');
  return suspended;
}

const isUp = ({ phase }: LiveTask) => phase === 'ready' || phase === 'unhealthy';

/** Lets the processes of paused tasks go on, and returns these tasks. */
async function resume(tasks: readonly LiveTask[], record: StateRecord): Promise<readonly LiveTask[]> {
  const paused = tasks.filter(({ phase }) => phase === 'paused');
  for (const live of paused) {
    await live.running?.resume();
    if (live.phase === 'paused') record.set(live, 'ready');
  }
  return paused;
}

function find(network: Network, ids: readonly string[]): readonly LiveTask[] {
  return [...new Set(ids)].map((id) => {
    const live = network.tasks.get(id);
    if (live !== undefined) return live;
    const tasks = [...network.tasks.keys()];
    throw new Failure('target', `unknown task ${id}; tasks: ${tasks.join(', ')}`, { data: { task: id, tasks } });
  });
}

/** Refuses the action on a task that devnet does not start. */
function isExternal(task: string, what: string): Failure<'external'> {
  return new Failure('external', `${task} is not started by devnet: ${what}`, { data: { task } });
}

/** @throws Failure `request`, `external`, `rewind` or `conflict` if a restart does not fit this network */
function mustFit({ tasks, change, rewind = [], empty = [] }: NodeRequest, { paths, plan }: NodeActionParts): void {
  const now = plan();
  const foreign = [...empty, ...rewind.map(({ task }) => task)].find((id) => !tasks.includes(id));
  if (foreign !== undefined) throw refusedRequest(`${foreign} is not among the tasks to restart`, { task: foreign });
  for (const id of empty) if (taskOf(now, id).launch !== 'spawn') throw isExternal(id, 'its data are not removed');
  for (const { task } of rewind)
    if (taskOf(change?.plan ?? now, task).rewind === undefined)
      throw new Failure('rewind', `${task} has no way to go back to an earlier block`, { data: { task } });
  if (change === undefined) return;
  const facts = (each: Plan) => JSON.stringify([each.devnet, each.home, each.tasks.map(({ id }) => id).sort()]);
  if (facts(change.plan) !== facts(now))
    throw refusedRequest('the plan is of another network', { devnet: change.plan.devnet });
  if (change.basis !== specHash(readText(paths.spec) ?? '')) throw conflict();
}

/**
 * Makes the new files, stops the tasks, exchanges files and data, and starts the tasks again.
 * Spec, plan, data and processes change together. Where the tasks do not become ready, the change is undone and they
 * start as before.
 */
async function restart(request: NodeRequest, tasks: readonly LiveTask[], parts: NodeActionParts): Promise<void> {
  const { network, record, paths, kill, onPlan } = parts;
  const before = parts.plan();
  const after = request.change?.plan ?? before;
  const exchange = openExchange(paths);
  try {
    await stageChange(exchange, request, parts);
    exchange.seal();
  } catch (cause) {
    exchange.undo();
    throw new Failure('write', 'the change was not made and nothing was stopped', { cause });
  }
  try {
    await network.end(tasks, kill);
    for (const { task } of request.rewind ?? []) await stageCopy(exchange, taskOf(before, task));
    exchange.swap();
    await onPlan(after);
    await allSettledOrThrow((request.rewind ?? []).map((rewind) => goBack(rewind, after, parts)));
    await startAgain(tasks, after, parts);
  } catch (error) {
    if (exchange.isEmpty()) throw error;
    await restore(error, exchange, before, tasks, parts);
  } finally {
    record.write();
  }
  exchange.commit();
}

/** Makes what replaces files and data, while the tasks still run. @throws if the disk is full */
async function stageChange(
  exchange: Exchange,
  { change, empty = [], rewind = [] }: NodeRequest,
  { paths, plan, render }: NodeActionParts,
): Promise<void> {
  const before = plan();
  const after = change?.plan ?? before;
  for (const id of empty) await stageEmpty(exchange, taskOf(after, id), after, render);
  // A copy of their data follows when they stand: files below it are then part of it.
  for (const { task } of rewind) exchange.stage(taskOf(before, task).command.cwd);
  if (change === undefined) return;
  await stageFiles(exchange, changedFiles(before, after), after, render);
  replaceFile(exchange.stage(paths.spec), change.spec);
  replaceFile(exchange.stage(paths.plan), JSON.stringify(after));
}

/** Starts the tasks as they were before a change that failed. @throws TaskFailure, Failure `change` with what failed */
async function restore(
  error: unknown,
  exchange: Exchange,
  before: Plan,
  tasks: readonly LiveTask[],
  parts: NodeActionParts,
): Promise<never> {
  // A later start undoes the exchange of a network that ends.
  if (parts.ending.aborted) throw error;
  const names = tasks.map(({ task }) => task.id).join(', ');
  let outcome = `the change was not kept: ${names} run as before`;
  try {
    await parts.network.end(tasks, parts.kill);
    exchange.undo();
    await parts.onPlan(before);
    await startAgain(tasks, before, parts);
  } catch (second) {
    outcome = `the change was not kept, and ${names} did not start as before: ${messageOf(second)}`;
  }
  if (!(error instanceof TaskFailure))
    throw new Failure('change', `${messageAndHint(error)}\n  ${outcome}`, {
      data: { tasks: tasks.map(({ task }) => task.id) },
      cause: error,
    });
  const { hint } = error.report;
  throw new TaskFailure({ ...error.report, hint: hint === undefined ? outcome : `${hint}\n  ${outcome}` });
}

async function startAgain(tasks: readonly LiveTask[], plan: Plan, { network, ending }: NodeActionParts): Promise<void> {
  if (tasks.length === 0) return;
  await inTime(ending, (signal) => network.restart(tasks, (id) => taskOf(plan, id), signal));
}

async function goBack(
  { task, block }: NonNullable<NodeRequest['rewind']>[number],
  plan: Plan,
  { network, ending }: NodeActionParts,
): Promise<void> {
  const [live] = find(network, [task]);
  const command = taskOf(plan, task).rewind;
  if (live === undefined || command === undefined) return;
  await inTime(ending, (signal) =>
    network.runAside(live, { ...command, argv: [...command.argv, String(block)] }, signal),
  );
}

/** Returns the files of a plan that another one does not have as they are. */
export function changedFiles(before: Plan, after: Plan): readonly PlannedFile[] {
  if (before === after) return [];
  const texts = new Map(before.files.map((file) => [file.path, JSON.stringify(file)]));
  return after.files.filter((file) => texts.get(file.path) !== JSON.stringify(file));
}
