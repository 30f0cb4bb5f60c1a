import { Failure, messageAndHint, messageOf } from '../../../system/failure.ts';
import { readText, remove, replaceFile } from '../../../system/files/folder.ts';
import type { ProcessIdentity } from '../../../system/process/identity.ts';
import type { TimeControl } from '../../clock/time-control.ts';
import { conflict, refusedRequest, stillStarting } from '../../control/refusals.ts';
import type { SequencerRequest } from '../../control/requests.ts';
import { type Exchange, openExchange, stageFiles } from '../../folder/exchange.ts';
import { taskOf } from '../../plan/lookup.ts';
import type { NodeView, Plan, Task } from '../../plan/plan.ts';
import { releaseOwnPorts } from '../../ports/reservations.ts';
import { inTime } from '../../processes/deadlines.ts';
import type { LiveTask } from '../../processes/live-task.ts';
import type { Block } from '../../processes/readiness/agreed.ts';
import { TaskFailure } from '../../processes/report.ts';
import { specHash } from '../../state/spec-hash.ts';
import { newPorts, reservePorts } from './new-ports.ts';
import { changedFiles, type NodeActionParts } from './node-action.ts';
import { type Forwarded, forwardPool, startSequencing, stopSequencing, untilAbove, untilAt } from './sequencing.ts';
import { dropStopped, markStopped } from './stopped-sequencer.ts';

/** What a move of the sequencer's role works on. */
export interface SequencerParts extends NodeActionParts {
  /** The supervisor, which holds the ports. */
  readonly self: ProcessIdentity;
  readonly time: TimeControl;
  /** Called when the plan in force has nodes in other roles. */
  onNodes(): void;
}

/** What a move did. */
export interface SequencerAnswer {
  /** Tasks that restarted. */
  readonly tasks: readonly string[];
  /** The last block of the former sequencer. */
  readonly head: Block;
  /** Pending transactions that the new sequencer got from the former one's pool. */
  readonly forwarded: number;
}

/** The two nodes of a move, as the plan before and after it has them, and the tasks that restart. */
interface Move {
  readonly before: Plan;
  readonly after: Plan;
  readonly from: NodeView;
  readonly to: NodeView;
  readonly lives: readonly LiveTask[];
}

/**
 * Moves the role of a chain's sequencer to another node, one move at a time. A command that ends before the processes
 * restart ends its move. What fails is undone: the former sequencer goes on.
 */
export function sequencerMoves(
  parts: SequencerParts,
): (request: SequencerRequest, interrupt: AbortSignal) => Promise<SequencerAnswer> {
  return (request, interrupt) => parts.runExclusive(() => move(request, interrupt, parts));
}

async function move(
  request: SequencerRequest,
  interrupt: AbortSignal,
  parts: SequencerParts,
): Promise<SequencerAnswer> {
  const { record, ending, paths, network } = parts;
  if (!record.wasReady) throw stillStarting();
  if (ending.aborted) throw new Failure('ended', 'the network is ending');
  if (request.change.basis !== specHash(readText(paths.spec) ?? '')) throw conflict();
  const roles = moveOf(request, parts);
  mustRun(roles, network.tasks);
  const exchange = openExchange(paths);
  const ports = reservePorts(newPorts(roles.before, roles.after), parts);
  try {
    await stage(exchange, request, parts);
  } catch (cause) {
    exchange.undo();
    releaseOwnPorts(paths, ports);
    throw new Failure('write', 'the role was not moved and nothing was stopped', { cause });
  }
  try {
    const head = await standStill(roles, interrupt, parts).catch((error: unknown) => {
      exchange.undo();
      throw error;
    });
    return await swapRoles(roles, { exchange, head }, parts);
  } catch (error) {
    releaseOwnPorts(paths, ports);
    throw error;
  } finally {
    record.write();
  }
}

/** Finds the nodes of a move. @throws Failure `request` if the changed plan has the same sequencer, or other tasks */
function moveOf({ chain, change: { plan: after } }: SequencerRequest, { plan, network }: SequencerParts): Move {
  const before = plan();
  const sequencerIn = (each: Plan) =>
    each.network.chains.find(({ name }) => name === chain)?.nodes.find(({ role }) => role === 'sequencer');
  const [from, to] = [sequencerIn(before), sequencerIn(after)];
  const ids = (each: Plan) => JSON.stringify(each.tasks.map(({ id }) => id).sort());
  if (from === undefined || to === undefined || from.name === to.name || ids(before) !== ids(after))
    throw refusedRequest(`the plan moves no role of ${chain}`);
  const both = [from.cl.task, to.cl.task];
  const tasks = after.tasks.filter((task) => both.includes(task.id) || isOther(taskOf(before, task.id), task));
  return { before, after, from, to, lives: tasks.flatMap(({ id }) => network.tasks.get(id) ?? []) };
}

/** Whether a task runs with other words, so that it has to restart. */
function isOther(one: Task, other: Task): boolean {
  const words = ({ command, prepare, resume, reads }: Task) => JSON.stringify([command, prepare, resume, reads]);
  return words(one) !== words(other);
}

/** @throws Failure `sequencer` if a process of both nodes does not run, or one that restarts is paused */
function mustRun({ from, to, lives }: Move, tasks: ReadonlyMap<string, LiveTask>): void {
  for (const id of [from.cl.task, from.el.task, to.cl.task, to.el.task]) {
    const phase = tasks.get(id)?.phase;
    if (phase !== 'ready' && phase !== 'unhealthy')
      throw new Failure('sequencer', `${id} is ${phase ?? 'absent'}: both nodes must run; nothing was stopped`);
  }
  const odd = lives.find(({ phase, task }) => phase === 'paused' || task.launch !== 'spawn');
  if (odd === undefined) return;
  const what = odd.phase === 'paused' ? 'paused' : `not started by devnet (${odd.task.launch})`;
  throw new Failure('sequencer', `${odd.task.id} is ${what} and cannot restart; nothing was stopped`);
}

async function stage(exchange: Exchange, { change }: SequencerRequest, parts: SequencerParts): Promise<void> {
  const { paths, plan, render } = parts;
  await stageFiles(exchange, changedFiles(plan(), change.plan), change.plan, render);
  replaceFile(exchange.stage(paths.spec), change.spec);
  replaceFile(exchange.stage(paths.plan), JSON.stringify(change.plan));
  exchange.seal();
}

/**
 * Ends the sequencing and waits until the other node has the last block. Resolves with that block.
 * @throws Failure `sequencer` if that fails: the sequencer goes on then
 */
async function standStill({ from, to }: Move, interrupt: AbortSignal, parts: SequencerParts): Promise<Block> {
  const { ending, paths } = parts;
  markStopped(paths, from.cl.task);
  try {
    const hash = await stopSequencing(from);
    return await inTime(AbortSignal.any([ending, interrupt]), (signal) => untilAt(to, hash, signal));
  } catch (error) {
    if (!ending.aborted) {
      await inTime(ending, (signal) => startSequencing(from, signal));
      dropStopped(paths);
    }
    const why = interrupt.aborted ? 'the command was interrupted' : `${to.name} did not get the last block`;
    const outcome = `the role was not moved: ${from.name} goes on`;
    throw new Failure('sequencer', `${why} (${messageOf(error)})\n  ${outcome}`, { cause: error });
  }
}

/** Restarts the processes in their new roles, and hands the pending transactions over. Undoes all if that fails. */
async function swapRoles(
  move: Move,
  { exchange, head }: { readonly exchange: Exchange; readonly head: Block },
  parts: SequencerParts,
): Promise<SequencerAnswer> {
  const { after, from, to, lives } = move;
  const { network, kill, onPlan, ending, time, paths } = parts;
  const running = lives.filter(({ phase }) => phase !== 'stopped');
  try {
    await network.end(running, kill);
    exchange.swap();
    await onPlan(after);
    const forwarded = await inTime(ending, async (signal) => {
      await network.restart(running, (id) => taskOf(after, id), signal);
      await startSequencing(to, signal);
      const result = await forwardPool(from, to);
      if (!time.isHeld()) await untilAbove(to, head.number, signal);
      return result;
    });
    exchange.commit();
    complete(move, forwarded, parts);
    return { tasks: running.map(({ task }) => task.id), head, forwarded: forwarded.count };
  } catch (error) {
    // A later start undoes the exchange of a network that ends.
    if (ending.aborted) throw error;
    throw await undo(error, { ...move, lives: running }, exchange, parts);
  } finally {
    if (!ending.aborted) dropStopped(paths);
  }
}

/** Removes the key of the former sequencer, and watches the nodes in their new roles. */
function complete({ before, after }: Move, { refused }: Forwarded, { network, record, onNodes }: SequencerParts): void {
  const paths = new Set(after.files.map(({ path }) => path));
  for (const { path, secret } of before.files) if (secret && !paths.has(path)) remove(path);
  for (const task of after.tasks) network.tasks.get(task.id)?.adopt(task);
  for (const each of refused)
    record.emit({ event: 'notice', text: `the new sequencer refused a pending transaction: ${each}` });
  onNodes();
}

/** Starts the tasks in their former roles. The former sequencer gets what the other node accepted meanwhile. */
async function undo(error: unknown, { before, from, to, lives }: Move, exchange: Exchange, parts: SequencerParts) {
  const { network, onPlan, ending, kill } = parts;
  let outcome = `the role was not moved: ${from.name} goes on`;
  try {
    await network.end(lives, kill);
    exchange.undo();
    await onPlan(before);
    await inTime(ending, async (signal) => {
      await network.restart(lives, (id) => taskOf(before, id), signal);
      await startSequencing(from, signal);
      await forwardPool(to, from);
    });
  } catch (second) {
    outcome = `the role was not moved, and ${from.name} does not run as before: ${messageOf(second)}`;
  }
  if (!(error instanceof TaskFailure))
    return new Failure('sequencer', `${messageAndHint(error)}\n  ${outcome}`, { cause: error });
  const { hint } = error.report;
  return new TaskFailure({ ...error.report, hint: hint === undefined ? outcome : `${hint}\n  ${outcome}` });
}
