import { EXIT } from '../../system/failure.ts';
import { pause } from '../../system/time/pause.ts';
import type { TimeControl } from '../clock/time-control.ts';
import type { Files } from '../folder/files.ts';
import type { Plan } from '../plan/plan.ts';
import { type AfterCommand, runAfter } from '../processes/after.ts';
import { deadlines } from '../processes/deadlines.ts';
import { OutOfTime } from '../processes/launch.ts';
import type { Network } from '../processes/network.ts';
import { type Missing, untilAgreed, untilSafe } from '../processes/readiness/agreed.ts';
import { type Lack, tooLateReport } from '../processes/readiness/awaited.ts';
import { faultReport, TaskFailure } from '../processes/report.ts';
import type { StateRecord } from '../record/state-record.ts';
import type { FailureReport } from '../state/failure-report.ts';
import { type Paths, stampOf, tracesOf } from '../state/paths.ts';
import type { Finish } from './finish.ts';
import type { FirstOrder, OwnIo } from './first-order.ts';

/** What a start works on. */
export interface StartParts {
  readonly order: FirstOrder;
  readonly io: OwnIo;
  readonly paths: Paths;
  readonly plan: Plan;
  readonly network: Network;
  readonly record: StateRecord;
  readonly time: TimeControl;
  /** The files of a new devnet. A stopped one has its files. */
  readonly files: Files | undefined;
  /** Resolves when the links between its tasks listen. */
  linked(): Promise<unknown>;
  /** Resolves when all is there that a usable network has besides its tasks, such as the control socket. */
  served(): Promise<unknown>;
  /** Ends the start. It is also aborted when the network ends. */
  readonly starting: AbortController;
  /** Called when the nodes agree on a first block. */
  onUsable(): void;
  /** Called when the network is ready. */
  onReady(): void;
  end(finish: Finish): void;
}

/** Time (ms) between two events about what a start waits for. */
const WAITING_INTERVAL_MS = 5000;

/** Starts the network, stamp by stamp. A failure, or a deadline that passes, ends the session with its report. */
export async function startNetwork(parts: StartParts): Promise<void> {
  const { order, plan, record, starting } = parts;
  const manual = plan.tasks.some((task) => task.launch === 'manual' && task.late !== true);
  const deadline = manual ? undefined : deadlines(order.options, () => record.state().stamps, starting);
  const waiting = setInterval(() => record.tellWaiting(), WAITING_INTERVAL_MS);
  try {
    const isUsable = await untilUsable(parts);
    clearInterval(waiting);
    if (isUsable) await untilReady(parts);
  } catch (error) {
    if (error instanceof TaskFailure) parts.end({ how: 'failed', code: error.report.exit, failure: error.report });
    else if (!starting.signal.aborted) parts.end({ how: 'failed', code: EXIT.failed, failure: faultReport(error) });
    else tooLate(parts, 'processes');
  } finally {
    deadline?.clear();
    clearInterval(waiting);
  }
}

/** Resolves when the nodes agree on a first block: true, or false if the start ended before. */
async function untilUsable(parts: StartParts): Promise<boolean> {
  const { order, plan, network, record, time, files, starting } = parts;
  const first = [...network.tasks.values()].filter(({ task }) => task.late !== true);
  void Promise.all(first.map(({ spawned }) => spawned.promise)).then(() => record.stamp('spawned'));
  // The first block may exist before the last endpoint answers, so both are awaited at once.
  const agreed = untilAgreed(plan, starting.signal, {
    answers: (task) => network.tasks.get(task)?.ready.promise ?? Promise.resolve(),
    ...(!hasToPrepare(order) && { onDifference: (text) => record.emit({ event: 'notice', text }) }),
  });
  const start = () => network.start(hasToPrepare(order), starting.signal);
  await Promise.all([files?.all, linked(parts).then(start)]);
  record.stamp('answering');
  await time.begin();
  const missing = await agreed;
  if (starting.signal.aborted) {
    tooLate(parts, 'first block', missing);
    return false;
  }
  await parts.served();
  record.stamp('agreed');
  record.usable();
  parts.onUsable();
  return true;
}

/** Resolves when the links listen. @throws TaskFailure */
async function linked(parts: StartParts): Promise<void> {
  await parts.linked().catch((error: unknown) => {
    throw new TaskFailure({ ...faultReport(error), exit: EXIT.lacking });
  });
}

/** Resolves when the network is ready, or the start ended before. */
async function untilReady(parts: StartParts): Promise<void> {
  const { order, plan, record, starting } = parts;
  const { options } = order;
  const safe = untilSafe(plan, starting.signal).then((missing) => {
    if (missing === undefined) record.stamp('safe');
    return missing;
  });
  const failed = order.kind === 'up' ? await afterwards(order.after, parts) : undefined;
  if (failed !== undefined) return parts.end({ how: 'failed', code: failed.exit, failure: failed });
  const missing = options.untilSafe ? await safe : undefined;
  if (starting.signal.aborted) return tooLate(parts, 'safe block', missing);
  record.ready(options.ttlMs);
  if (options.ttlMs !== undefined)
    void pause(options.ttlMs, starting.signal).then(() => {
      if (!starting.signal.aborted) parts.end({ how: 'down', code: EXIT.done });
    });
  parts.onReady();
}

/** Whether tasks run the commands that prepare their data. Data of a snapshot, or of a stop, are prepared already. */
export function hasToPrepare(order: FirstOrder): boolean {
  return order.kind === 'up' && order.from === undefined;
}

function afterwards(commands: readonly AfterCommand[], parts: StartParts): Promise<FailureReport | undefined> {
  const { paths, io, record, starting } = parts;
  const { mark } = tracesOf(paths);
  const [stamp, { emit }, { guard }] = [stampOf(paths), record, io];
  return runAfter(commands, { log: paths.after, stamp, mark, guard, emit, signal: starting.signal });
}

/** Ends a start whose time is over. Any other end is under way already. */
function tooLate({ starting, network, end }: StartParts, lacks: Lack, missing?: Missing): void {
  const { reason } = starting.signal;
  if (!(reason instanceof OutOfTime)) return;
  const failure = tooLateReport(network.tasks, reason, lacks, missing);
  end({ how: 'failed', code: EXIT.notReady, failure });
}
