import { join } from 'node:path';
import { Failure, messageAndHint, messageOf } from '../../system/failure.ts';
import { readText, remove } from '../../system/files/folder.ts';
import { allSettledOrThrow } from '../../system/time/all-settled.ts';
import type { Mutex } from '../../system/time/mutex.ts';
import type { ChannelServer } from '../channel/channel-server.ts';
import type { HeldClock } from '../clock/reading.ts';
import type { TimeControl } from '../clock/time-control.ts';
import { isBusy, refusedRequest, stillStarting } from '../control/refusals.ts';
import type { SnapshotRequest } from '../control/requests.ts';
import { copyData, type Exchange, openExchange, stageData, stageEmpty } from '../folder/exchange.ts';
import type { Render } from '../folder/files.ts';
import { taskOf } from '../plan/lookup.ts';
import type { Plan } from '../plan/plan.ts';
import { inTime } from '../processes/deadlines.ts';
import type { LiveTask } from '../processes/live-task.ts';
import type { Network } from '../processes/network.ts';
import { untilAgreed } from '../processes/readiness/agreed.ts';
import type { StateRecord } from '../record/state-record.ts';
import type { Paths } from '../state/paths.ts';
import { specHash } from '../state/spec-hash.ts';
import type { NetworkCheckpoints } from './checkpoints.ts';

/** The answer to a request about a snapshot. */
export interface SnapshotAnswer {
  /** Time of the network's clock in it, Unix ms. */
  readonly at: number;
}

export interface SnapshotParts {
  readonly paths: Paths;
  readonly network: Network;
  readonly record: StateRecord;
  readonly render: Render;
  readonly time: TimeControl;
  readonly channel: ChannelServer;
  readonly checkpoints: NetworkCheckpoints;
  /** Shared with the actions on nodes. */
  readonly runExclusive: Mutex;
  readonly ending: AbortSignal;
  plan(): Plan;
  /** Called when a restore without a restart begins (true) and when it ends: heads go back in between. */
  onRestore(isUnderWay: boolean): void;
}

/** Names the data of the processes in a snapshot's folder. */
export const DATA = 'data';

/**
 * Takes and restores snapshots of the whole network. A second request is refused while one is under way.
 * @throws Failure `busy`, `starting`, `request`, `snapshot`, `write`
 */
export function snapshots(parts: SnapshotParts): (request: SnapshotRequest) => Promise<SnapshotAnswer> {
  let busy: string | undefined;
  return async (request) => {
    const { action } = request;
    const purpose = action === 'take' ? 'a snapshot' : 'the return to a snapshot';
    if (busy !== undefined) throw isBusy(busy, `${busy} is under way: wait until it is done`);
    if (!parts.record.wasReady) throw stillStarting();
    busy = purpose;
    try {
      return await parts.runExclusive(() =>
        action === 'take' ? take(request, purpose, parts) : restore(request, purpose, parts),
      );
    } finally {
      busy = undefined;
    }
  };
}

/**
 * Copies the data of every process at one moment. The clock stands, all are done with its time, and they are suspended
 * during the copy.
 */
async function take(
  { folder, point }: SnapshotRequest,
  purpose: string,
  parts: SnapshotParts,
): Promise<SnapshotAnswer> {
  const { network, time, channel, plan, checkpoints } = parts;
  const tasks = [...network.tasks.values()];
  // The supervisor waits for the processes that start late.
  const clockHold = await time.hold(purpose, true);
  try {
    mustRun(tasks, ['ready', 'unhealthy']);
    if (point !== undefined) await checkpoints.take(point);
    await channel.quiesce.flush();
    const running = tasks.flatMap(({ running }) => running ?? []);
    try {
      await Promise.all(running.map((each) => each.pause()));
      await copyData(plan(), join(folder, DATA));
    } finally {
      await Promise.all(running.map((each) => each.resume()));
    }
    return { at: clockHold.at };
  } catch (error) {
    remove(folder);
    if (point !== undefined) await checkpoints.drop(point);
    throw error;
  } finally {
    clockHold.release();
  }
}

/**
 * Has every process restore the checkpoint of that number if all hold it. Else it copies the data of the snapshot
 * beside those of the processes, ends them, exchanges the data, and starts the processes at its time. If that fails,
 * they get their former data again and go on.
 */
async function restore(
  { folder, at, spec, point }: SnapshotRequest,
  purpose: string,
  parts: SnapshotParts,
): Promise<SnapshotAnswer> {
  const { network, time, paths, channel, checkpoints, record } = parts;
  const tasks = [...network.tasks.values()];
  if (spec !== undefined && spec !== specHash(readText(paths.spec) ?? ''))
    throw new Failure(
      'snapshot',
      'the spec of the network was changed after the snapshot (`devnet fork`, `devnet node restart`, `node add`): ' +
        'nothing was done',
    );
  if (at === undefined) throw refusedRequest('malformed request: at: expected number');
  const clockHold = await time.hold(purpose, false);
  let isRestart = false;
  try {
    // A process that has failed comes back with the snapshot. One that a user stopped would start against their will.
    mustRun(tasks, ['ready', 'unhealthy', 'failed', 'restarting', 'blocked']);
    parts.onRestore(true);
    const outcome = await (point === undefined
      ? Promise.resolve('unknown' as const)
      : checkpoints.restore(point, at, clockHold)
    ).finally(() => parts.onRestore(false));
    if (outcome === 'done') {
      remove(join(paths.folder, 'agreed.json'));
      return { at };
    }
    if (outcome !== 'unknown')
      record.emit({ event: 'notice', text: `every process starts again with the snapshot: ${outcome.why}` });
    const exchange = openExchange(paths, channel.clock.state());
    await stage(exchange, join(folder, DATA), parts);
    isRestart = true;
    try {
      await end(tasks, parts);
      exchange.swap();
      // The record of agreement is of blocks that the snapshot may not have.
      remove(join(paths.folder, 'agreed.json'));
      clockHold.set(at);
      await startAgain(tasks, parts);
    } catch (error) {
      await undo(error, exchange, tasks, clockHold, parts);
    }
    exchange.commit();
    return { at };
  } finally {
    clockHold.release();
    if (isRestart) record.write();
  }
}

/** @throws Failure `write` if the disk is full; nothing is left of the copy then */
async function stage(exchange: Exchange, data: string, { plan, render }: SnapshotParts): Promise<void> {
  const now = plan();
  try {
    await allSettledOrThrow(now.tasks.map((task) => stageEmpty(exchange, task, now, render)));
    await stageData(exchange, now, data);
    exchange.seal();
  } catch (cause) {
    exchange.undo();
    throw new Failure('write', 'the snapshot was not restored and nothing was stopped', { cause });
  }
}

async function end(tasks: readonly LiveTask[], { network }: SnapshotParts): Promise<void> {
  // What they hold is on disk: a process that is killed comes back with it.
  const { errors } = await network.end(tasks, AbortSignal.abort());
  if (errors.length > 0) throw new Error(errors.join('; '));
}

/** @throws TaskFailure, Error if not every process is ready or has its heads in time */
async function startAgain(tasks: readonly LiveTask[], parts: SnapshotParts): Promise<void> {
  const { network, plan, record, ending } = parts;
  const missing = await inTime(ending, async (signal) => {
    await network.restart(tasks, (id) => taskOf(plan(), id), signal, false);
    return untilAgreed(plan(), signal, {
      answers: async () => undefined,
      onDifference: (text) => record.emit({ event: 'notice', text }),
    });
  });
  if (missing !== undefined) throw new Error(`not every node is at the snapshot: ${missing.text}`);
}

/** Starts the processes with the data and the time that they had. @throws Error with what failed */
async function undo(
  error: unknown,
  exchange: Exchange,
  tasks: readonly LiveTask[],
  clockHold: HeldClock,
  parts: SnapshotParts,
): Promise<never> {
  // A later start undoes the exchange of a network that ends.
  if (parts.ending.aborted) throw error;
  let outcome = 'the snapshot was not restored: the network goes on as before';
  try {
    await end(tasks, parts);
    exchange.undo();
    clockHold.set(clockHold.at);
    await startAgain(tasks, parts);
  } catch (second) {
    outcome = `the snapshot was not restored, and the network did not start as before: ${messageOf(second)}`;
  }
  throw new Failure('snapshot', `${messageAndHint(error)}\n  ${outcome}`, { cause: error });
}

/** @throws Failure `snapshot` with the tasks that devnet does not start, that run in containers, or in another phase */
function mustRun(tasks: readonly LiveTask[], phases: readonly LiveTask['phase'][]): void {
  const names = (some: readonly LiveTask[]) => some.map(({ task }) => task.id).join(', ');
  const foreign = tasks.filter(({ task }) => task.launch !== 'spawn');
  if (foreign.length > 0)
    throw new Failure(
      'snapshot',
      `no snapshots: devnet does not start ${names(foreign)}, and their data are not at hand`,
    );
  const contained = tasks.filter(({ task }) => task.container !== undefined);
  if (contained.length > 0)
    throw new Failure('snapshot', `no snapshots of processes in containers: ${names(contained)}`);
  const down = tasks.filter(({ phase }) => !phases.includes(phase));
  if (down.length > 0)
    throw new Failure(
      'snapshot',
      `${down.map(({ task, phase }) => `${task.id} is ${phase}`).join(', ')}: start it first, ` +
        'a snapshot holds the state of every process; nothing was done',
    );
}
