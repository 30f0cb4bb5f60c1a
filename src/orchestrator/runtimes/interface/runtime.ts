import type { PortHolder } from '../../../system/net/ports.ts';
import type { ProcessIdentity } from '../../../system/process/identity.ts';
import type { Exit } from '../../../system/process/process.ts';
import type { Stop, Termination } from '../../../system/process/terminate.ts';
import type { Command, Task } from '../../plan/plan.ts';

/** A started command of a task, whatever it runs in. */
export interface Running {
  /** Its first process, if the machine's process table lists it as one of ours. */
  readonly process?: ProcessIdentity;
  /** Name of its container. */
  readonly container?: string;
  /** Returns the ids of its processes on this machine, whose processor time is its own. Empty if unknown. */
  processes(): readonly number[];
  readonly exited: Promise<Exit>;
  /** Suspends it. Returns whether it ran. */
  pause(): Promise<boolean>;
  /** Lets a suspended one go on. */
  resume(): Promise<void>;
  /**
   * Ends it with all that it started: signal, grace, SIGKILL. Resolves when nothing of it runs any more.
   * `kill` cuts the grace short.
   */
  end(stop: Stop, kill: AbortSignal): Promise<Termination>;
  /** Returns whether the holder of one of the task's ports is a part of it. */
  owns(holder: PortHolder): boolean;
}

/** Starts the commands of tasks. The only place that knows in what a task runs. */
export interface Runtime {
  /** @throws Failure `spawn` (exit 4) if the program cannot be started here */
  start(task: Task, command: Command): Promise<Running>;
  /** Returns the version that the task's program reports, undefined if it reports none. */
  version(task: Task): Promise<string | undefined>;
  /**
   * Starts nothing more, and removes what the tasks share when it is `unused`. Resolves after the last of them `ended`.
   * @throws Error
   */
  close(unused: Promise<unknown>, ended: Promise<unknown>): Promise<void>;
}
