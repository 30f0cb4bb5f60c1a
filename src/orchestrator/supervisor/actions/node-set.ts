import { Failure, messageAndHint, messageOf } from '../../../system/failure.ts';
import { exists, readText, remove, replaceFile } from '../../../system/files/folder.ts';
import type { ProcessIdentity } from '../../../system/process/identity.ts';
import type { TimeControl } from '../../clock/time-control.ts';
import { conflict, refusedRequest, stillStarting } from '../../control/refusals.ts';
import type { NodeSetRequest } from '../../control/requests.ts';
import { type Exchange, openExchange, stageFiles } from '../../folder/exchange.ts';
import { taskOf } from '../../plan/lookup.ts';
import type { NodeView, Plan, Task } from '../../plan/plan.ts';
import { releaseOwnPorts } from '../../ports/reservations.ts';
import { inTime } from '../../processes/deadlines.ts';
import type { LiveTask } from '../../processes/live-task.ts';
import type { Block } from '../../processes/readiness/agreed.ts';
import { untilJoined } from '../../processes/readiness/joined.ts';
import { exitedReport, TaskFailure } from '../../processes/report.ts';
import { specHash } from '../../state/spec-hash.ts';
import { dialFrom, dialsOneOf } from './dial-from.ts';
import { newPorts, reservePorts } from './new-ports.ts';
import { changedFiles, type NodeActionParts } from './node-action.ts';

/** What a change of the set of nodes works on. */
export interface NodeSetParts extends NodeActionParts {
  /** The supervisor, which holds the ports. */
  readonly self: ProcessIdentity;
  readonly time: TimeControl;
  /** Called when the plan in force has other nodes. */
  onNodes(): void;
}

/** What a change of the set of nodes did. */
export interface NodeSetAnswer {
  readonly tasks: readonly string[];
  /** The head of a node that was added. */
  readonly head: Block | null;
}

/**
 * Adds and removes nodes of a running network, one change at a time. An addition whose connection ends before it is
 * done is undone.
 */
export function nodeSet(
  parts: NodeSetParts,
): (request: NodeSetRequest, interrupt: AbortSignal) => Promise<NodeSetAnswer> {
  return (request, interrupt) => parts.runExclusive(() => change(request, interrupt, parts));
}

async function change(request: NodeSetRequest, interrupt: AbortSignal, parts: NodeSetParts): Promise<NodeSetAnswer> {
  const { record, ending } = parts;
  if (!record.wasReady) throw stillStarting();
  if (ending.aborted) throw new Failure('ended', 'the network is ending');
  if (interrupt.aborted) throw new Failure('ended', 'the command ended before its turn');
  mustFit(request, parts);
  const before = parts.plan();
  const after = request.change.plan;
  const added = after.tasks.filter(({ id }) => before.tasks.every((task) => task.id !== id));
  const removed = before.tasks.filter(({ id }) => after.tasks.every((task) => task.id !== id));
  if (added.length > 0 === removed.length > 0) throw refusedRequest('expected nodes to add, or nodes to remove');
  const tasks = [...added, ...removed].map(({ id }) => id);
  if (removed.length > 0) {
    await removeTasks(removed, request, parts);
    return { tasks, head: null };
  }
  return { tasks, head: await addTasks(added, request, interrupt, parts) };
}

/** @throws Failure `request`, `conflict` */
function mustFit({ change }: NodeSetRequest, { paths, plan }: NodeSetParts): void {
  const facts = ({ devnet, home, network }: Plan) =>
    JSON.stringify([devnet, home, network.chains.map(({ name, genesisHash }) => [name, genesisHash])]);
  if (facts(change.plan) !== facts(plan()))
    throw refusedRequest('the plan is of another network', { devnet: change.plan.devnet });
  if (change.basis !== specHash(readText(paths.spec) ?? '')) throw conflict();
}

/** Reserves ports, writes files, starts the tasks, and waits until the node agrees. Undoes all of it on a failure. */
async function addTasks(
  added: readonly Task[],
  request: NodeSetRequest,
  interrupt: AbortSignal,
  parts: NodeSetParts,
): Promise<Block> {
  const { network, paths, onPlan, record } = parts;
  const before = parts.plan();
  const after = request.change.plan;
  const exchange = openExchange(paths);
  const ports = reservePorts(newPorts(before, after), parts);
  try {
    await stage(exchange, added, request, parts);
  } catch (cause) {
    exchange.undo();
    releaseOwnPorts(paths, ports);
    throw new Failure('write', 'the node was not added and nothing was changed', { cause });
  }
  let lives: readonly LiveTask[] = [];
  try {
    exchange.swap();
    await onPlan(after);
    // A failure before the node agrees is no failure of the network.
    lives = network.add(added.map((task) => ({ ...task, onExit: 'ignore' })));
    const head = await join(lives, after, interrupt, parts);
    adopt(after, parts);
    exchange.commit();
    parts.onNodes();
    return head;
  } catch (error) {
    // A later start undoes the exchange of a network that ends.
    if (parts.ending.aborted) throw error;
    await network.end(lives, AbortSignal.abort());
    network.drop(lives);
    exchange.undo();
    await onPlan(before);
    releaseOwnPorts(paths, ports);
    throw undone(error, added);
  } finally {
    record.recount();
  }
}

/** Says that a node was not added. */
function undone(error: unknown, added: readonly Task[]): Error {
  const outcome = 'the node was not added: its processes, files and ports are gone again';
  if (error instanceof TaskFailure) {
    const { hint } = error.report;
    return new TaskFailure({ ...error.report, hint: hint === undefined ? outcome : `${hint}\n  ${outcome}` });
  }
  return new Failure('change', `${messageAndHint(error)}\n  ${outcome}`, {
    data: { tasks: added.map(({ id }) => id) },
    cause: error,
  });
}

/** Makes the files of new nodes. Their folders replace what an earlier node of that name left. */
async function stage(
  exchange: Exchange,
  added: readonly Task[],
  { change }: NodeSetRequest,
  { paths, plan, render }: NodeSetParts,
): Promise<void> {
  for (const folder of new Set(added.map(folderOf))) exchange.stage(folder);
  await stageFiles(exchange, changedFiles(plan(), change.plan), change.plan, render);
  replaceFile(exchange.stage(paths.spec), change.spec);
  replaceFile(exchange.stage(paths.plan), JSON.stringify(change.plan));
  exchange.seal();
}

/** Folder of a node, which holds data, logs and secrets of both its processes. */
function folderOf({ command: { cwd } }: Task): string {
  return cwd.replace(/\/[^/]+$/, '');
}

/** Starts the tasks and resolves with the head on which their node agrees with another. @throws TaskFailure, Failure */
async function join(
  lives: readonly LiveTask[],
  after: Plan,
  interrupt: AbortSignal,
  { network, ending, time }: NodeSetParts,
): Promise<Block> {
  const cut = AbortSignal.any([ending, interrupt]);
  const dialing = new AbortController();
  const mustStay = () => {
    if (interrupt.aborted) throw new Failure('interrupted', 'the command was interrupted');
  };
  const joined = await inTime(cut, async (signal) => {
    const { node, others } = placeOf(after, lives[0]?.task, network.tasks);
    const isDialer = !node.gossip || lives.some(({ task }) => dialsOneOf(task, others));
    // A client such as kona-node dials no peer: the others do.
    if (!isDialer) void dialFrom(others, node, AbortSignal.any([signal, dialing.signal]));
    await network.restart(lives, (id) => ({ ...taskOf(after, id), onExit: 'ignore' }), signal);
    mustStay();
    const isHeld = time.isHeld();
    if (isHeld) await time.settle();
    const agreed = untilJoined({ node, others, least: isHeld ? 0 : 1 }, signal);
    return Promise.race([agreed, ...lives.map(untilExit)]);
  })
    .catch((error: unknown) => {
      mustStay();
      throw error;
    })
    .finally(() => dialing.abort());
  mustStay();
  if ('head' in joined) return joined.head;
  throw new Failure('late', `the node does not agree with the others in time: ${joined.missing}`);
}

/** Rejects when the process of a task ends by itself. */
async function untilExit(live: LiveTask): Promise<never> {
  const exit = await live.exited;
  if (exit === undefined || !live.isWanted) return new Promise(() => undefined);
  throw new TaskFailure(exitedReport(live, exit, 'before its node agreed with the others'));
}

/** Finds the node of a task, and the other nodes of its chain that run, the sequencer first. */
function placeOf(
  { network }: Plan,
  task: Task | undefined,
  tasks: ReadonlyMap<string, LiveTask>,
): { readonly node: NodeView; readonly others: readonly NodeView[] } {
  const nodes = network.chains.find(({ name }) => name === task?.chain)?.nodes ?? [];
  const node = nodes.find(({ name }) => name === task?.node);
  if (node === undefined) throw refusedRequest(`${task?.id} is of no node`);
  const runs = (id: string) => ['ready', 'unhealthy'].includes(tasks.get(id)?.phase ?? '');
  const others = nodes.filter(({ name, el }) => name !== node.name && runs(el.task));
  return { node, others: others.toSorted((a, b) => Number(b.role === 'sequencer') - Number(a.role === 'sequencer')) };
}

/** Ends the tasks of nodes, and removes their files and ports. */
async function removeTasks(removed: readonly Task[], request: NodeSetRequest, parts: NodeSetParts): Promise<void> {
  const { network, paths, kill, onPlan, record } = parts;
  const before = parts.plan();
  const after = request.change.plan;
  const lives = removed.flatMap(({ id }) => network.tasks.get(id) ?? []);
  const exchange = openExchange(paths);
  try {
    await stageFiles(exchange, changedFiles(before, after), after, parts.render);
    replaceFile(exchange.stage(paths.spec), request.change.spec);
    replaceFile(exchange.stage(paths.plan), JSON.stringify(after));
    exchange.seal();
  } catch (cause) {
    exchange.undo();
    throw new Failure('write', 'the node was not removed and nothing was stopped', { cause });
  }
  try {
    const { errors } = await network.end(lives, kill);
    if (errors.length > 0) throw new Error(errors.join('; '));
    exchange.swap();
    await onPlan(after);
    network.drop(lives);
    exchange.commit();
    adopt(after, parts);
    parts.onNodes();
  } catch (error) {
    exchange.undo();
    throw new Failure('change', `the node was not removed: ${messageOf(error)}`, { cause: error });
  } finally {
    record.recount();
  }
  releaseOwnPorts(paths, newPorts(after, before));
  for (const folder of new Set(removed.map(folderOf))) if (exists(folder)) remove(folder);
}

/** Gives the tasks their plan of a network with other nodes. Their commands change at their next start. */
function adopt(after: Plan, { network }: NodeSetParts): void {
  for (const task of after.tasks) network.tasks.get(task.id)?.adopt(task);
}
