import { setTimeout as sleep } from 'node:timers/promises';
import type { Command, Plan, Task } from '../plan/plan.ts';
import { aborted, Cancelled, type LaunchContext, launch, reportOf, runToEnd } from './launch.ts';
import { type LiveTask, learnVersion, liveTask, renew } from './live-task.ts';
import { exitedReport, TaskFailure } from './report.ts';
import { type RestartPolicy, restartPolicy } from './restart-policy.ts';
import { both, type Ended, endAtOnce, endInOrder } from './teardown.ts';

export interface Network {
  readonly tasks: ReadonlyMap<string, LiveTask>;
  /**
   * Starts all tasks but the late ones, each when its needs are met. Resolves when these are ready.
   * @throws TaskFailure, the first one; Cancelled
   */
  start(prepare: boolean, signal: AbortSignal): Promise<void>;
  /**
   * Starts the tasks of late kinds. Resolves when each is ready or failed.
   * An exit during the start has the same effect as a later one.
   */
  startLate(prepare: boolean, signal: AbortSignal): Promise<void>;
  /** Stops some tasks on purpose. */
  end(tasks: readonly LiveTask[], kill: AbortSignal): Promise<Ended>;
  /**
   * Ends all tasks and cancels their starts: in order, after these starts, where data is kept. Else all at once, and
   * only those that were starting after them.
   */
  endAll(ordered: boolean, kill: AbortSignal): Promise<Ended>;
  /**
   * Starts stopped tasks again, each as it is planned now. `prepare`: after the commands that prepare its data
   * (default). @throws TaskFailure
   */
  restart(
    tasks: readonly LiveTask[],
    planned: (id: string) => Task,
    signal: AbortSignal,
    prepare?: boolean,
  ): Promise<void>;
  /** Runs a command to its end on the data of a stopped task. @throws TaskFailure */
  runAside(live: LiveTask, command: Command, signal: AbortSignal): Promise<void>;
}

const isLate = ({ task }: LiveTask): boolean => task.late === true;
const isManual = ({ task }: LiveTask): boolean => task.launch === 'manual';

/**
 * Runs the tasks of a plan.
 * `failed` is called when a ready task ends for which the spec says that the network fails.
 */
export function createNetwork(
  plan: Plan,
  given: Omit<LaunchContext, 'others'>,
  failed: (failure: TaskFailure) => void,
): Network {
  const tasks = new Map(plan.tasks.map((task) => [task.id, liveTask(task)]));
  const context: LaunchContext = {
    ...given,
    others: ({ task }) =>
      [...tasks.values()].filter(
        (other) =>
          other.task.kind === 'cl' &&
          other.task.chain === task.chain &&
          other.task.id !== task.id &&
          other.wanted &&
          other.phase !== 'failed',
      ).length,
  };
  const policies = new Map<string, RestartPolicy>();
  const busy = new Set<Promise<unknown>>();
  const over = new AbortController();

  async function startOne(live: LiveTask, prepare: boolean, signal: AbortSignal): Promise<void> {
    const before = live.task.needs.map(({ task, until }) => tasks.get(task)?.[until].promise);
    if (before.length > 0) await Promise.race([Promise.all(before), aborted(signal)]);
    if (signal.aborted) throw new Cancelled();
    await launch(live, context, prepare, signal);
    watch(live);
  }

  /** Runs work with processes, so that a teardown can wait for its end. */
  async function tracked<T>(work: Promise<T>): Promise<T> {
    const quiet = work.catch(() => undefined);
    busy.add(quiet);
    void quiet.then(() => busy.delete(quiet));
    return work;
  }

  /** `halt`: aborted by the first failure, which is then thrown when every other start has ended. */
  async function startAll(
    live: readonly LiveTask[],
    prepare: boolean,
    signal: AbortSignal,
    halt?: AbortController,
  ): Promise<void> {
    const both = AbortSignal.any([signal, over.signal]);
    const begin = async (each: LiveTask) => {
      await tracked(startOne(each, prepare, both)).catch((error: unknown) => {
        const failure = reportOf(each, error);
        if (failure) context.set(each, 'failed', failure.report.what);
        throw failure ?? error;
      });
    };
    const all = live.map(begin);
    await Promise.all(all).catch(async (error: unknown) => {
      halt?.abort();
      if (halt !== undefined) await Promise.allSettled(all);
      if (!(error instanceof Cancelled)) throw error;
      // A process that was not ready in time says more than one that waited for it.
      const ends = await Promise.allSettled(all);
      const failed = ends.find((end) => end.status === 'rejected' && end.reason instanceof TaskFailure);
      throw failed?.status === 'rejected' ? failed.reason : error;
    });
  }

  /** Waits for the exit of a ready task and applies the spec. */
  function watch(live: LiveTask): void {
    const { exited } = live;
    if (exited !== undefined && !live.task.ready.some((probe) => probe.kind === 'exit'))
      void exited.then((exit) => {
        if (live.exited !== exited || !live.wanted || over.signal.aborted) return;
        void learnVersion(live, context.runtime).then(() => {
          if (live.exited === exited && live.wanted && !over.signal.aborted) onExit(live, exit);
        });
      });
  }

  async function startLate(live: LiveTask, prepare: boolean, signal: AbortSignal): Promise<void> {
    try {
      await tracked(startOne(live, prepare, AbortSignal.any([signal, over.signal])));
    } catch (error) {
      const failure = reportOf(live, error);
      if (failure && live.wanted && !over.signal.aborted) applyOnExit(live, failure);
    }
  }

  function onExit(live: LiveTask, exit: NonNullable<LiveTask['exit']>): void {
    applyOnExit(live, new TaskFailure(exitedReport(live, exit, 'while the network ran')));
  }

  /** Applies the spec's `onExit` to a task that ended by itself. */
  function applyOnExit(live: LiveTask, failure: TaskFailure): void {
    if (live.task.onExit === 'fail') {
      context.set(live, 'failed', failure.report.what);
      failed(failure);
      return;
    }
    context.emit({ event: 'failure', failure: failure.report });
    if (live.task.onExit === 'restart') void tracked(comeBack(live, failure)).catch(() => undefined);
    else context.set(live, 'failed', failure.report.what);
  }

  async function comeBack(live: LiveTask, failure: TaskFailure): Promise<void> {
    const policy = policies.get(live.task.id) ?? restartPolicy();
    policies.set(live.task.id, policy);
    const pause = policy.next(performance.now());
    if (pause === undefined) {
      context.set(live, 'failed', `ended too often: ${failure.report.what}`);
      for (const other of tasks.values())
        if (other.phase === 'waiting' && other.task.needs.some(({ task }) => task === live.task.id))
          context.set(other, 'blocked', `needs ${live.task.id}, which failed`);
      return;
    }
    live.restarts += 1;
    const { exited } = live;
    context.set(live, 'restarting', `again in ${pause / 1000} s: ${failure.report.what}`);
    await sleep(pause, undefined, { signal: over.signal }).catch(() => undefined);
    // A return to a snapshot may have started it meanwhile.
    if (over.signal.aborted || !live.wanted || live.exited !== exited) return;
    // Remaining members of its group would hold its ports and files.
    await endAtOnce([live], AbortSignal.abort(), () => undefined);
    try {
      await launch(live, context, false, over.signal);
      watch(live);
    } catch (error) {
      const again = reportOf(live, error);
      if (again && live.wanted) {
        context.emit({ event: 'failure', failure: again.report });
        await comeBack(live, again);
      }
    }
  }

  async function end(some: readonly LiveTask[], kill: AbortSignal, ordered: boolean): Promise<Ended> {
    for (const live of some) {
      live.wanted = false;
      if (live.running !== undefined && live.exit === undefined) context.set(live, 'stopping');
    }
    return (ordered ? endInOrder : endAtOnce)(some, kill, (live) => {
      live.running = undefined;
      if (live.phase !== 'failed' || !over.signal.aborted) context.set(live, 'stopped');
    });
  }

  return {
    tasks,
    async start(prepare, signal) {
      const all = [...tasks.values()];
      // The user needs the command of a manual task now.
      for (const live of all) if (isLate(live) && isManual(live)) void startLate(live, prepare, signal);
      const first = all.filter((live) => !isLate(live));
      await startAll(first, prepare, signal);
    },
    async startLate(prepare, signal) {
      const late = [...tasks.values()].filter((live) => isLate(live) && !isManual(live));
      await Promise.all(late.map((live) => startLate(live, prepare, signal)));
    },
    end: (some, kill) => end(some, kill, true),
    async endAll(ordered, kill) {
      over.abort();
      const ready = new Set(ordered ? [] : [...tasks.values()].filter(({ phase }) => phase === 'ready'));
      const first = end([...ready], kill, ordered);
      await Promise.all(busy);
      const rest = [...tasks.values()].filter((live) => !ready.has(live));
      return both(await end(rest, kill, ordered), await first);
    },
    async restart(some, planned, signal, prepare = true) {
      for (const live of some) {
        live.task = planned(live.task.id);
        renew(live);
      }
      // What undoes a failed change stops these tasks. A start that went on would start one of them once more.
      const halt = new AbortController();
      await startAll(some, prepare, AbortSignal.any([signal, halt.signal]), halt);
    },
    async runAside(live, command, signal) {
      await tracked(runToEnd(live, command, context, AbortSignal.any([signal, over.signal])));
      await endAtOnce([live], AbortSignal.abort(), () => undefined);
      live.running = undefined;
      context.set(live, 'stopped');
    },
  };
}
