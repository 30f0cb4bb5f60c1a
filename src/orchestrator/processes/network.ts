import type { Command, Plan, Task } from '../plan/plan.ts';
import { Exits } from './exits.ts';
import { Cancelled, type LaunchContext, launch, reportOf, runToEnd, untilAborted } from './launch.ts';
import { LiveTask } from './live-task.ts';
import { TaskFailure } from './report.ts';
import { both, type Ended, endAtOnce, endInOrder } from './teardown.ts';
import { Work } from './work.ts';

const isLate = ({ task }: LiveTask): boolean => task.late === true;
const isManual = ({ task }: LiveTask): boolean => task.launch === 'manual';

/** Runs the tasks of a plan. */
export class Network {
  readonly #tasks: Map<string, LiveTask>;
  readonly #context: LaunchContext;
  readonly #work = new Work();
  readonly #over = new AbortController();
  readonly #exits: Exits;

  /** `failed` is called when a ready task ends for which the spec says that the network fails. */
  constructor(plan: Plan, context: Omit<LaunchContext, 'others'>, failed: (failure: TaskFailure) => void) {
    this.#tasks = new Map(plan.tasks.map((task) => [task.id, new LiveTask(task)]));
    this.#context = { ...context, others: (live) => this.#others(live) };
    const { tasks } = this;
    this.#exits = new Exits({ tasks, context: this.#context, work: this.#work, over: this.#over.signal, failed });
  }

  /** The tasks by id. One object for good, in which tasks come and go. */
  get tasks(): ReadonlyMap<string, LiveTask> {
    return this.#tasks;
  }

  /** Adds tasks that do not run yet, and returns them. */
  add(tasks: readonly Task[]): readonly LiveTask[] {
    const added = tasks.map((task) => new LiveTask(task));
    for (const live of added) this.#tasks.set(live.task.id, live);
    return added;
  }

  /** Forgets tasks that have ended. */
  drop(tasks: readonly LiveTask[]): void {
    for (const { task } of tasks) this.#tasks.delete(task.id);
  }

  /**
   * Starts all tasks but the late ones, each when its needs are met. Resolves when these are ready.
   * @throws TaskFailure, the first one; Cancelled
   */
  async start(prepare: boolean, signal: AbortSignal): Promise<void> {
    const all = [...this.tasks.values()];
    // The user needs the command of a manual task now.
    for (const live of all) if (isLate(live) && isManual(live)) void this.#startLate(live, prepare, signal);
    await this.#startAll(
      all.filter((live) => !isLate(live)),
      prepare,
      signal,
    );
  }

  /**
   * Starts the tasks of late kinds. Resolves when each is ready or failed.
   * An exit during the start has the same effect as a later one.
   */
  async startLate(prepare: boolean, signal: AbortSignal): Promise<void> {
    const late = [...this.tasks.values()].filter((live) => isLate(live) && !isManual(live));
    await Promise.all(late.map((live) => this.#startLate(live, prepare, signal)));
  }

  /** Stops some tasks on purpose. */
  end(tasks: readonly LiveTask[], kill: AbortSignal): Promise<Ended> {
    return this.#end(tasks, kill, true);
  }

  /**
   * Ends all tasks and cancels their starts: in order, after these starts, if data is kept. Else all at once, and
   * only those that were starting after them.
   */
  async endAll(ordered: boolean, kill: AbortSignal): Promise<Ended> {
    this.#over.abort();
    const ready = new Set(ordered ? [] : [...this.tasks.values()].filter(({ phase }) => phase === 'ready'));
    const first = this.#end([...ready], kill, ordered);
    await this.#work.end();
    const rest = [...this.tasks.values()].filter((live) => !ready.has(live));
    return both(await this.#end(rest, kill, ordered), await first);
  }

  /**
   * Starts stopped tasks again, each as it is planned now. `prepare`: after the commands that prepare its data
   * (default). @throws TaskFailure
   */
  async restart(
    tasks: readonly LiveTask[],
    planned: (id: string) => Task,
    signal: AbortSignal,
    prepare = true,
  ): Promise<void> {
    for (const live of tasks) live.renew(planned(live.task.id));
    // What undoes a failed change stops these tasks. A start that went on would start one of them once more.
    const halt = new AbortController();
    await this.#startAll(tasks, prepare, AbortSignal.any([signal, halt.signal]), halt);
  }

  /** Runs a command to its end on the data of a stopped task. @throws TaskFailure */
  async runAside(live: LiveTask, command: Command, signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.#over.signal]);
    await this.#work.track(runToEnd(live, command, this.#context, either));
    await endAtOnce([live], AbortSignal.abort(), () => undefined);
    live.release();
    this.#context.set(live, 'stopped');
  }

  /** Number of other rollup nodes of the chain that should run. */
  #others({ task }: LiveTask): number {
    return [...this.tasks.values()].filter(
      (other) =>
        other.task.kind === 'cl' &&
        other.task.chain === task.chain &&
        other.task.id !== task.id &&
        other.isWanted &&
        other.phase !== 'failed',
    ).length;
  }

  async #startOne(live: LiveTask, prepare: boolean, signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, live.attempt]);
    const before = live.task.needs.map(({ task, until }) => this.tasks.get(task)?.[until].promise);
    if (before.length > 0) await Promise.race([Promise.all(before), untilAborted(either)]);
    if (either.aborted) throw new Cancelled();
    await launch(live, this.#context, prepare, signal);
    this.#exits.watch(live);
  }

  /** `halt`: aborted by the first failure, which is then thrown when every other start has ended. */
  async #startAll(
    tasks: readonly LiveTask[],
    prepare: boolean,
    signal: AbortSignal,
    halt?: AbortController,
  ): Promise<void> {
    const either = AbortSignal.any([signal, this.#over.signal]);
    const begin = async (live: LiveTask) => {
      await this.#work.track(this.#startOne(live, prepare, either)).catch((error: unknown) => {
        const failure = reportOf(live, error);
        if (failure) this.#context.set(live, 'failed', failure.report.what);
        throw failure ?? error;
      });
    };
    const all = tasks.map(begin);
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

  async #startLate(live: LiveTask, prepare: boolean, signal: AbortSignal): Promise<void> {
    const { attempt } = live;
    try {
      await this.#work.track(this.#startOne(live, prepare, AbortSignal.any([signal, this.#over.signal])));
    } catch (error) {
      const failure = reportOf(live, error);
      if (failure && !attempt.aborted && !this.#over.signal.aborted) this.#exits.apply(live, failure);
    }
  }

  async #end(tasks: readonly LiveTask[], kill: AbortSignal, ordered: boolean): Promise<Ended> {
    for (const live of tasks) {
      live.cancel();
      if (live.hasProcess) this.#context.set(live, 'stopping');
    }
    return (ordered ? endInOrder : endAtOnce)(tasks, kill, (live) => {
      live.release();
      if (live.phase !== 'failed' || !this.#over.signal.aborted) this.#context.set(live, 'stopped');
    });
  }
}
