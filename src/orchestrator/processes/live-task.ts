import type { Exit } from '../../system/process/process.ts';
import type { Command, Task } from '../plan/plan.ts';
import type { ProbeSubject } from '../probe/probe.ts';
import type { Running, Runtime } from '../runtimes/runtime.ts';
import type { TaskPhase, TaskState } from '../state/state.ts';

/** A task and its running command, if it has one. */
export interface LiveTask {
  /** Replaced when the node is restarted with other arguments. */
  task: Task;
  /** The command of its last start. */
  command: Command;
  phase: TaskPhase;
  detail: string | undefined;
  /** Until its end was waited for: also where its first process ended by itself. */
  running: Running | undefined;
  /** Resolves when the current process ends. */
  exited: Promise<Exit> | undefined;
  /** Exit of the last process, undefined while it runs. */
  exit: Exit | undefined;
  logStart: number;
  /** Reported by its binary. Empty where it reports none, undefined before the query. */
  version: string | undefined;
  restarts: number;
  /** Stopped on purpose, so that its exit is no failure. */
  wanted: boolean;
  spawned: PromiseWithResolvers<void>;
  ready: PromiseWithResolvers<void>;
}

/** Returns a task before its first start. */
export function liveTask(task: Task): LiveTask {
  return {
    task,
    command: task.command,
    phase: 'waiting',
    detail: undefined,
    running: undefined,
    exited: undefined,
    exit: undefined,
    logStart: 0,
    version: undefined,
    restarts: 0,
    wanted: true,
    spawned: promise(),
    ready: promise(),
  };
}

/** Prepares a task for another start. */
export function renew(live: LiveTask): void {
  live.command = live.task.command;
  live.wanted = true;
  // The exit of the old process may be reported after this call. It must not count as one of the new process.
  live.exited = undefined;
  live.version = undefined;
  live.spawned = promise();
  live.ready = promise();
}

/** Returns the task's entry in state and status. */
export function taskState(live: LiveTask): TaskState {
  const running = live.exit === undefined ? live.running : undefined;
  return {
    phase: live.phase,
    restarts: live.restarts,
    ...(running?.process === undefined ? {} : { process: running.process }),
    ...(running?.container === undefined ? {} : { container: running.container }),
    ...(live.detail === undefined ? {} : { detail: live.detail }),
    ...(live.version ? { version: live.version } : {}),
  };
}

/** Returns the subject of its probes. */
export function subjectOf(live: LiveTask): ProbeSubject {
  return {
    log: live.task.log,
    logStart: live.logStart,
    exitCode: live.exit === undefined ? undefined : live.exit.code,
  };
}

function promise(): PromiseWithResolvers<void> {
  const made = Promise.withResolvers<void>();
  // A rejection without a waiter is no fault: the failure is reported elsewhere.
  made.promise.catch(() => undefined);
  return made;
}

/** Phases in which a late task has not been ready yet and nothing went wrong. */
const COMING: ReadonlySet<TaskPhase> = new Set(['waiting', 'preparing', 'starting', 'manual']);

/** Returns whether a task has the phase that a ready network needs. */
export function isSettled({ phase, task }: LiveTask): boolean {
  return phase === 'ready' || (task.late === true && COMING.has(phase));
}

/** Queries a task's binary for its version, once. */
export async function learnVersion(live: LiveTask, runtime: Runtime): Promise<void> {
  if (live.task.version === undefined || live.version !== undefined) return;
  live.version = (await runtime.version(live.task)) ?? '';
}
