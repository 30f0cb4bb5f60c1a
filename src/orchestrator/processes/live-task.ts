import type { Exit } from '../../system/process/process.ts';
import type { Command, Task } from '../plan/plan.ts';
import type { ProbeSubject } from '../probe/probe.ts';
import type { Running, Runtime } from '../runtimes/interface/runtime.ts';
import { COMING_PHASES } from '../state/coming-phases.ts';
import type { TaskPhase, TaskState } from '../state/state.ts';
import { ForbiddenTransition, NEXT_PHASES } from './phases.ts';

/** A task of a running network: its plan, its process and its phase. The phase changes as `NEXT_PHASES` says. */
export class LiveTask {
  #task: Task;
  #command: Command;
  #phase: TaskPhase = 'waiting';
  #detail: string | undefined;
  #running: Running | undefined;
  #exited: Promise<Exit> | undefined;
  #exit: Exit | undefined;
  #version: string | undefined;
  #restarts = 0;
  #readyAt: number | undefined;
  #attempt = new AbortController();
  #spawned = settlement();
  #ready = settlement();
  /** Offset of its log at which the output of its last command begins. The log's rotation sets it to 0. */
  logStart = 0;

  /** A task before its first start. */
  constructor(task: Task) {
    this.#task = task;
    this.#command = task.command;
  }

  get task(): Task {
    return this.#task;
  }

  /** The command of its last start. */
  get command(): Command {
    return this.#command;
  }

  get phase(): TaskPhase {
    return this.#phase;
  }

  /** When (Unix ms) its last start ended with a ready process. */
  get readyAt(): number | undefined {
    return this.#readyAt;
  }

  /** What it waits for, or why it has its phase. */
  get detail(): string | undefined {
    return this.#detail;
  }

  /** Its last process until the end of that was waited for: also if the process ended by itself. */
  get running(): Running | undefined {
    return this.#running;
  }

  /** Resolves when the current process ends. */
  get exited(): Promise<Exit> | undefined {
    return this.#exited;
  }

  /** Exit of the last process, undefined while it runs. */
  get exit(): Exit | undefined {
    return this.#exit;
  }

  /** Reported by its binary. Empty if it reports none, undefined before the query. */
  get version(): string | undefined {
    return this.#version;
  }

  get restarts(): number {
    return this.#restarts;
  }

  /** Whether it should run. An exit of a task that was ended on purpose is no failure. */
  get isWanted(): boolean {
    return !this.#attempt.signal.aborted;
  }

  /** Aborted when the task is ended on purpose. A start under way ends then. */
  get attempt(): AbortSignal {
    return this.#attempt.signal;
  }

  /** Whether a command of it runs. */
  get hasProcess(): boolean {
    return this.#running !== undefined && this.#exit === undefined;
  }

  get spawned(): PromiseWithResolvers<void> {
    return this.#spawned;
  }

  get ready(): PromiseWithResolvers<void> {
    return this.#ready;
  }

  /** @throws ForbiddenTransition if the table does not have it; the phase stays then */
  enter(phase: TaskPhase, detail?: string): void {
    if (!NEXT_PHASES[this.#phase].includes(phase)) throw new ForbiddenTransition(this.#task.id, this.#phase, phase);
    if (phase === 'ready' && this.#phase !== 'unhealthy' && this.#phase !== 'paused') this.#readyAt = Date.now();
    this.#phase = phase;
    this.#detail = detail;
  }

  /** Says what it waits for within its phase. */
  describe(detail: string | undefined): void {
    this.#detail = detail;
  }

  /** Begins a start: the exit of an earlier process does not count any more. */
  begin(): void {
    this.#exit = undefined;
  }

  /** Sets the command of this start. `logStart`: absent if devnet does not write its log. */
  use(command: Command, logStart = this.logStart): void {
    this.#command = command;
    this.logStart = logStart;
  }

  /** Has a process from now on. */
  run(running: Running): void {
    const exited = running.exited.then((exit) => {
      if (this.#exited === exited) this.#exit = exit;
      return exit;
    });
    this.#running = running;
    this.#exit = undefined;
    this.#exited = exited;
  }

  /** Has no process of devnet's: a user starts it. */
  leaveToUser(): void {
    this.#exited = this.#exit = this.#running = undefined;
  }

  /** Marks it as ended on purpose. */
  cancel(): void {
    this.#attempt.abort();
  }

  /** Says that the end of its process was waited for. */
  release(): void {
    this.#running = undefined;
  }

  countRestart(): void {
    this.#restarts += 1;
  }

  /** Queries its binary for its version, once for each start that a user asks for. */
  async learnVersion(runtime: Runtime): Promise<void> {
    if (this.#task.version === undefined || this.#version !== undefined) return;
    this.#version = (await runtime.version(this.#task)) ?? '';
  }

  /** Prepares it for another start, as it is planned now. */
  renew(task: Task): void {
    this.#task = task;
    this.#command = task.command;
    // A start that still waits must not go on beside the new one.
    this.#attempt.abort();
    this.#attempt = new AbortController();
    // The exit of the old process may be reported after this call. It must not count as one of the new process.
    this.#exited = undefined;
    this.#version = undefined;
    this.#spawned = settlement();
    this.#ready = settlement();
  }

  /** Takes over another plan of it while it runs. Its command changes at its next start. */
  adopt(task: Task): void {
    this.#task = task;
  }

  /** Returns its entry in state and status. */
  state(): TaskState {
    const running = this.hasProcess ? this.#running : undefined;
    return {
      phase: this.#phase,
      restarts: this.#restarts,
      ...(running?.process === undefined ? {} : { process: running.process }),
      ...(running?.container === undefined ? {} : { container: running.container }),
      ...(this.#detail === undefined ? {} : { detail: this.#detail }),
      ...(this.#version ? { version: this.#version } : {}),
    };
  }

  /** Returns the subject of its probes. */
  subject(): ProbeSubject {
    return { log: this.#task.log, logStart: this.logStart, exitCode: this.#exit?.code };
  }
}

function settlement(): PromiseWithResolvers<void> {
  const resolvers = Promise.withResolvers<void>();
  // A rejection without a waiter is no fault: the failure is reported elsewhere.
  resolvers.promise.catch(() => undefined);
  return resolvers;
}

/** Returns whether a task has the phase that a ready network needs. */
export function isSettled({ phase, task }: LiveTask): boolean {
  return phase === 'ready' || (task.late === true && COMING_PHASES.has(phase));
}
