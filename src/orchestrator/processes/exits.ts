import { setTimeout as sleep } from 'node:timers/promises';
import { type LaunchContext, launch, reportOf } from './launch.ts';
import type { LiveTask } from './live-task.ts';
import { exitedReport, TaskFailure } from './report.ts';
import { type RestartPolicy, restartPolicy } from './restart-policy.ts';
import { endAtOnce } from './teardown.ts';
import type { Work } from './work.ts';

/** What the exits of a network's tasks have an effect on. */
export interface ExitParts {
  readonly tasks: ReadonlyMap<string, LiveTask>;
  readonly context: LaunchContext;
  readonly work: Work;
  /** Aborted when the network ends. */
  readonly over: AbortSignal;
  /** Called when a ready task ends for which the spec says that the network fails. */
  readonly failed: (failure: TaskFailure) => void;
}

/** Applies the spec's `onExit` to tasks that end by themselves. */
export class Exits {
  readonly #parts: ExitParts;
  readonly #policies = new Map<string, RestartPolicy>();

  constructor(parts: ExitParts) {
    this.#parts = parts;
  }

  /** Waits for the exit of a ready task. */
  watch(live: LiveTask): void {
    const { over, context } = this.#parts;
    const { exited } = live;
    if (exited === undefined || live.task.ready.some((probe) => probe.kind === 'exit')) return;
    const counts = () => live.exited === exited && live.isWanted && !over.aborted;
    void exited.then(async (exit) => {
      if (!counts()) return;
      await live.learnVersion(context.runtime);
      if (counts()) this.apply(live, new TaskFailure(exitedReport(live, exit, 'while the network ran')));
    });
  }

  /** Applies the spec to a task that ended by itself, or did not become ready. */
  apply(live: LiveTask, failure: TaskFailure): void {
    const { context, work, failed } = this.#parts;
    if (live.task.onExit === 'fail') {
      context.set(live, 'failed', failure.report.what);
      failed(failure);
      return;
    }
    context.emit({ event: 'failure', failure: failure.report });
    if (live.task.onExit === 'restart') void work.track(this.#comeBack(live, failure)).catch(() => undefined);
    else context.set(live, 'failed', failure.report.what);
  }

  async #comeBack(live: LiveTask, failure: TaskFailure): Promise<void> {
    const { context, over } = this.#parts;
    const policy = this.#policies.get(live.task.id) ?? restartPolicy();
    this.#policies.set(live.task.id, policy);
    const pause = policy.next(performance.now());
    if (pause === undefined) return this.#giveUp(live, failure);
    live.countRestart();
    const { exited } = live;
    context.set(live, 'restarting', `again in ${pause / 1000} s: ${failure.report.what}`);
    await sleep(pause, undefined, { signal: over }).catch(() => undefined);
    // A return to a snapshot may have started it meanwhile.
    if (over.aborted || !live.isWanted || live.exited !== exited) return;
    // Remaining members of its group would hold its ports and files.
    await endAtOnce([live], AbortSignal.abort(), () => undefined);
    try {
      await launch(live, context, false, over);
      this.watch(live);
    } catch (error) {
      const again = reportOf(live, error);
      if (again && live.isWanted) {
        context.emit({ event: 'failure', failure: again.report });
        await this.#comeBack(live, again);
      }
    }
  }

  #giveUp(live: LiveTask, failure: TaskFailure): void {
    const { context, tasks } = this.#parts;
    context.set(live, 'failed', `ended too often: ${failure.report.what}`);
    for (const other of tasks.values())
      if (other.phase === 'waiting' && other.task.needs.some(({ task }) => task === live.task.id))
        context.set(other, 'blocked', `needs ${live.task.id}, which failed`);
  }
}
