import { messageOf } from '../../system/failure.ts';
import { privateFolder } from '../../system/files/folder.ts';
import { sizeOf } from '../../system/files/lines.ts';
import { portHolder } from '../../system/net/ports.ts';
import type { Exit } from '../../system/process/process.ts';
import { commandNow } from '../folder/files.ts';
import type { Command, Task } from '../plan/plan.ts';
import { pasteable } from '../plan/print/pasteable.ts';
import { describeHolder } from '../ports/port-holder.ts';
import { untilHolds } from '../probe/probes.ts';
import type { Running, Runtime } from '../runtimes/interface/runtime.ts';
import type { Emit } from '../state/events.ts';
import type { TaskPhase } from '../state/state.ts';
import { sendFirstBlock } from './first-block.ts';
import type { LiveTask } from './live-task.ts';
import { exitedReport, notReadyReport, prepareReport, spawnReport, strangerReport, TaskFailure } from './report.ts';

/** The parts of the network that starting a task needs. */
export interface LaunchContext {
  readonly runtime: Runtime;
  readonly emit: Emit;
  /** Resolves when the files that a task reads are written. */
  readonly files: (task: Task) => Promise<void>;
  /** Paths of secret files by their secret. */
  readonly secretFiles: ReadonlyMap<string, string>;
  /** Number of other rollup nodes of the task's chain that should run. Stopped nodes connect with no peer. */
  others(live: LiveTask): number;
  /** Queries the version of a ready task's binary after the start of the others. */
  learn(live: LiveTask): void;
  /** Sets a task's phase, stores it and emits the event. */
  set(live: LiveTask, phase: TaskPhase, detail?: string): void;
}

/** Thrown if a start was cancelled. The canceller knows the reason. */
export class Cancelled extends Error {
  constructor() {
    super('the devnet ends; run `devnet status` to see why');
  }
}

/** Abort reason at the deadline. */
export class OutOfTime extends Error {
  readonly seconds: number;

  /** `stamp`: whose budget is over. Absent: that of the whole start. */
  constructor(seconds: number, stamp?: string) {
    super(`not ready after ${seconds} s${stamp === undefined ? '' : `, the budget of "${stamp}"`}`);
    this.seconds = seconds;
  }
}

/**
 * Starts a task and resolves when it is ready: ready ∥ exited ∥ deadline ∥ cancelled, whichever is first.
 * @throws TaskFailure; Cancelled
 */
export async function launch(
  live: LiveTask,
  context: LaunchContext,
  prepare: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { task, attempt } = live;
  const either = AbortSignal.any([signal, attempt]);
  live.begin();
  await Promise.race([context.files(task), untilAborted(either)]);
  if (either.aborted) throw new Cancelled();
  if (task.launch !== 'external' && prepare)
    for (const command of task.prepare) await runToEnd(live, command, context, either);
  if (either.aborted) throw new Cancelled();
  if (task.launch === 'spawn') {
    live.use(commandNow(task).command, sizeOf(task.log));
    const running = await start(live, live.command, context, signal);
    // It was ended before it had a process that could have been ended.
    if (attempt.aborted) await endAtOnce(running);
    if (attempt.aborted) throw new Cancelled();
    context.set(live, 'starting');
  } else if (task.launch === 'manual') {
    live.leaveToUser();
    privateFolder(task.command.cwd);
    live.use(commandNow(task).command);
    context.set(live, 'manual');
    context.emit({
      event: 'manual',
      task: task.id,
      command: pasteable(live.command, task.secrets, context.secretFiles),
    });
  }
  live.spawned.resolve();
  await untilReady(live, context, either);
  context.set(live, 'ready');
  live.ready.resolve();
  context.learn(live);
}

async function endAtOnce(running: Running): Promise<void> {
  await running.end({ signal: 'SIGKILL', graceMs: 0 }, AbortSignal.abort());
}

async function start(
  live: LiveTask,
  command: Command,
  { runtime }: LaunchContext,
  signal: AbortSignal,
): Promise<Running> {
  let running: Running;
  try {
    running = await runtime.start({ ...live.task, command: live.command }, command);
  } catch (error) {
    if (signal.aborted) throw cut(live, signal);
    throw new TaskFailure(spawnReport(live, command, error));
  }
  live.run(running);
  return running;
}

/** Returns the error of a start that a signal cut short. */
function cut(live: LiveTask, { reason }: AbortSignal): TaskFailure | Cancelled {
  return reason instanceof OutOfTime ? new TaskFailure(notReadyReport(live, reason)) : new Cancelled();
}

/** Runs a command of a task until it exits with 0. @throws TaskFailure, Cancelled */
export async function runToEnd(
  live: LiveTask,
  command: Command,
  context: LaunchContext,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) throw new Cancelled();
  live.logStart = sizeOf(live.task.log);
  const running = await start(live, command, context, signal);
  context.set(live, 'preparing');
  const exit = await Promise.race([running.exited, untilAborted(signal)]);
  if (exit === undefined) {
    await endAtOnce(running);
    throw cut(live, signal);
  }
  if (exit.code === 0) return;
  await live.learnVersion(context.runtime);
  throw new TaskFailure(prepareReport(live, command, exit));
}

/** Grace period (ms) before a mismatching answer triggers a check of which process owns the port. */
const MISMATCH_GRACE_MS = 250;

/** Races the probes of a started task against its exit, its deadline and cancellation. */
async function untilReady(live: LiveTask, context: LaunchContext, signal: AbortSignal): Promise<void> {
  const others = context.others(live);
  const over = new AbortController();
  const asking = AbortSignal.any([signal, over.signal]);
  const stranger = Promise.withResolvers<TaskFailure>();
  let differsSince: number | undefined;
  let looked = false;
  const probes = live.task.ready.map((probe) =>
    untilHolds(
      probe.kind === 'peers' ? { ...probe, atLeast: Math.min(probe.atLeast, others) } : probe,
      () => live.subject(),
      asking,
      (finding) => {
        live.describe(`${probe.description}: ${finding.detail}`);
        // Only the port's holder tells another process from one that still starts. Finding it costs processor time.
        if (finding.kind !== 'mismatch' || (probe.kind !== 'rpc' && probe.kind !== 'http')) return;
        differsSince ??= performance.now();
        if (looked || live.task.launch !== 'spawn' || performance.now() - differsSince < MISMATCH_GRACE_MS) return;
        looked = true;
        const failure = strangerAt(live, probe.url, finding.detail);
        if (failure) stranger.resolve(failure);
      },
    ),
  );
  if (live.task.firstBlock !== undefined)
    probes.push(
      sendFirstBlock(live.task.firstBlock, asking, (why) => {
        live.describe(`takes its first block: ${why}`);
      }),
    );
  const ends = live.task.ready.some((probe) => probe.kind === 'exit');
  const exited: Promise<Exit> =
    live.task.launch !== 'spawn' || live.exited === undefined || ends ? new Promise(() => undefined) : live.exited;
  try {
    const first = await Promise.race([
      exited.then((exit) => ({ exit })),
      stranger.promise,
      untilAborted(signal).then(() => 'aborted' as const),
      Promise.all(probes).then(() => 'ready' as const),
    ]);
    // A probe that held may have been answered by another process after this one ended.
    if (first instanceof TaskFailure) throw first;
    if (typeof first === 'object' || live.exit !== undefined) await live.learnVersion(context.runtime);
    if (typeof first === 'object') throw new TaskFailure(exitedReport(live, first.exit, 'before it was ready'));
    if (first === 'aborted' || signal.aborted) throw cut(live, signal);
    if (live.exit !== undefined && !ends) throw new TaskFailure(exitedReport(live, live.exit, 'before it was ready'));
    live.describe(undefined);
  } finally {
    over.abort();
  }
}

/** Reports an unexpected answer if the process that listens on the task's port is not the task's. */
function strangerAt(live: LiveTask, url: string, detail: string): TaskFailure | undefined {
  const port = Number(new URL(url).port);
  const holder = portHolder(port);
  if (holder === undefined || live.running === undefined || live.running.owns(holder)) return undefined;
  return new TaskFailure(strangerReport(live, port, describeHolder(holder), detail));
}

/** Resolves with undefined when the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
}

/** Returns the report of an error during a start, undefined for a cancelled one. */
export function reportOf(live: LiveTask, error: unknown): TaskFailure | undefined {
  if (error instanceof TaskFailure) return error;
  if (error instanceof Cancelled) return undefined;
  return new TaskFailure(spawnReport(live, live.command, new Error(messageOf(error))));
}
