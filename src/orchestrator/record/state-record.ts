import { messageOf } from '../../system/failure.ts';
import type { ProcessIdentity } from '../../system/process/identity.ts';
import type { ClockState } from '../../system/time/clock.ts';
import { isSettled, type LiveTask } from '../processes/live-task.ts';
import { missingTasks } from '../processes/readiness/awaited.ts';
import type { Emit } from '../state/events.ts';
import type { FailureReport } from '../state/failure-report.ts';
import type { FaultDocument } from '../state/faults.ts';
import type { Paths } from '../state/paths.ts';
import { type Problem, problemDetail, problemLine } from '../state/problem.ts';
import {
  type DivergenceReport,
  type Phase,
  STATE_SCHEMA,
  type Stamps,
  type State,
  type TaskPhase,
} from '../state/state.ts';
import { StateFile } from './state-file.ts';

/** The network's clock, and how far (ms) those of single tasks are ahead. */
export interface Clocks {
  state(): ClockState;
  skews(): ReadonlyMap<string, number>;
}

/** Holds the devnet's phase, emits every change and writes the state file. */
export class StateRecord {
  readonly #paths: Paths;
  readonly #supervisor: ProcessIdentity;
  readonly #clock: Clocks;
  readonly #file: StateFile;
  readonly #startedAt = Date.now();
  #tasks: ReadonlyMap<string, LiveTask> = new Map();
  #phase: Phase = 'starting';
  #stamps: Stamps = { parsed: this.#startedAt };
  #orphans: readonly ProcessIdentity[] = [];
  #problems: readonly Problem[] = [];
  #reports: readonly DivergenceReport[] = [];
  #failure: FailureReport | undefined;
  #faults: FaultDocument | undefined;
  #pausedAt: number | undefined;
  #endsAt: number | undefined;
  #dashboardEnd: string | undefined;
  #traces: Problem | undefined;
  #wasReady = false;
  readonly emit: Emit;

  /** Begins the record of a devnet. `emit` receives every change. */
  constructor(paths: Paths, supervisor: ProcessIdentity, clock: Clocks, emit: Emit) {
    this.#paths = paths;
    this.#supervisor = supervisor;
    this.#clock = clock;
    this.emit = emit;
    this.#file = new StateFile(
      paths,
      () => this.state(),
      (text) => emit({ event: 'notice', text }),
    );
  }

  /** Whether it was usable. */
  get wasReady(): boolean {
    return this.#wasReady;
  }

  state(): State {
    return {
      schema: STATE_SCHEMA,
      name: this.#paths.name,
      phase: this.#phase,
      supervisor: this.#supervisor,
      startedAt: this.#startedAt,
      stamps: this.#stamps,
      tasks: Object.fromEntries([...this.#tasks].map(([id, live]) => [id, live.state()])),
      orphans: this.#orphans,
      problems: this.#problems,
      ...(this.#faults === undefined ? {} : { faults: this.#faults }),
      ...(this.#reports.length === 0 ? {} : { reports: this.#reports }),
      clock: this.#clock.state(),
      ...(this.#clock.skews().size === 0 ? {} : { skews: Object.fromEntries(this.#clock.skews()) }),
      ...(this.#pausedAt === undefined ? {} : { pausedAt: this.#pausedAt }),
      ...(this.#endsAt === undefined ? {} : { endsAt: this.#endsAt }),
      ...(this.#failure === undefined ? {} : { failure: this.#failure }),
      ...(this.#dashboardEnd === undefined ? {} : { dashboardEnd: this.#dashboardEnd }),
      ...(this.#traces === undefined ? {} : { traces: this.#traces }),
    };
  }

  write(): void {
    this.#file.write();
  }

  close(): void {
    this.#file.close();
  }

  /** Counts the tasks anew: some have come or gone, with their problems. */
  recount(): void {
    this.#problems = this.#problems.filter(({ subject }) => this.#tasks.has(subject) || !subject.includes('/'));
    this.#settle();
    this.#file.write();
  }

  /** Sets the tasks that the record is about. */
  follow(tasks: ReadonlyMap<string, LiveTask>): void {
    this.#tasks = tasks;
  }

  /** Changes the phase of a task. A change that the table of phases forbids is reported, and the phase stays. */
  set(live: LiveTask, next: TaskPhase, detail?: string): void {
    try {
      live.enter(next, detail);
    } catch (error) {
      this.emit({ event: 'notice', text: messageOf(error) });
      return;
    }
    // A ready task is not down, before the next health check.
    if (next === 'ready') this.#problems = this.#problems.filter(({ subject }) => subject !== live.task.id);
    this.emit({
      event: 'task',
      task: live.task.id,
      phase: next,
      ...(live.running?.process === undefined ? {} : { pid: live.running.process.pid }),
      ...(detail === undefined ? {} : { detail }),
      at: Date.now(),
    });
    this.#settle();
    this.#file.writeSoon();
  }

  orphans(all: readonly ProcessIdentity[]): void {
    this.#orphans = all;
    this.#file.writeSoon();
  }

  /** Replaces all problems. A running task with one is unhealthy. */
  problems(all: readonly Problem[]): void {
    const before = this.#problems;
    this.#problems = all;
    for (const [id, live] of this.#tasks) {
      const problem = all.find(({ subject }) => subject === id);
      if (live.phase === 'unhealthy' && problem === undefined) this.set(live, 'ready');
      else if (live.phase === 'ready' && problem !== undefined) this.set(live, 'unhealthy', problemDetail(problem));
      else if (live.phase === 'unhealthy' && problem !== undefined) live.describe(problemDetail(problem));
    }
    for (const problem of all)
      if (!this.#tasks.has(problem.subject) && before.every(({ subject }) => subject !== problem.subject))
        this.emit({ event: 'notice', text: problemLine(problem) });
    this.#settle();
    this.#file.writeSoon();
  }

  /** Replaces the faults that stand. */
  faults(document: FaultDocument): void {
    this.#faults = document;
    this.#file.write();
  }

  /** Adds the report of a divergence. The dashboard reads it from the file once a page has it. */
  report(report: DivergenceReport): void {
    const place = ({ chain, nodes }: DivergenceReport) => `${chain} ${nodes.join(' ')}`;
    this.#reports = [...this.#reports.filter((each) => place(each) !== place(report)), report];
    this.#file.write();
  }

  /** Marks the reports of these nodes, or of some of them, as over. `at`: Unix milliseconds. */
  agreed(chain: string, nodes: readonly string[], at: number): void {
    const isOf = (each: DivergenceReport) => each.chain === chain && each.nodes.every((node) => nodes.includes(node));
    this.#reports = this.#reports.map((each) => (isOf(each) ? { over: at, ...each } : each));
    this.#file.writeSoon();
  }

  /** Stores how the dashboard of the spec ended by itself. */
  dashboardEnded(how: string): void {
    this.#dashboardEnd = how;
    this.#file.writeSoon();
  }

  /** Stores why traces are not sent; undefined: they are. */
  traces(problem: Problem | undefined): void {
    this.#traces = problem;
    this.#file.writeSoon();
  }

  stamp(name: keyof Stamps): void {
    this.#stamps = { ...this.#stamps, [name]: Date.now() };
    if (name === 'safe') this.#emitPhase();
    this.#file.writeSoon();
  }

  /** The network can be used: all that remains until it is ready are commands of the user's. */
  usable(): void {
    this.#wasReady = true;
  }

  ready(ttlMs: number | undefined): void {
    if (ttlMs !== undefined) this.#endsAt = Date.now() + ttlMs;
    this.#enter(this.#readyPhase());
  }

  ending(how: string): void {
    this.#problems = [];
    // The links end with the processes.
    this.#faults = undefined;
    if (how === 'stop' || how === 'keep') this.#pausedAt = Date.now();
    this.#enter('stopping');
  }

  markEnd(how: 'stop' | 'keep' | 'failed'): void {
    this.#enter(how === 'failed' || !this.#wasReady ? 'failed' : 'stopped');
  }

  fail(report: FailureReport): void {
    const others = [...this.#tasks.values()].filter(
      ({ phase, task }) => phase !== 'ready' && phase !== 'failed' && task.id !== report.task && task.late !== true,
    );
    // The first timeout says little, so that all late tasks are listed.
    const late = others.map((live) => `${live.task.id} (${live.detail ?? live.phase})`).join(', ');
    const failure =
      report.reason === 'not-ready' && late !== '' ? { ...report, hint: `also not ready: ${late}` } : report;
    this.#failure = failure;
    this.emit({ event: 'failure', failure });
  }

  tellWaiting(): void {
    const seconds = Math.round((Date.now() - this.#startedAt) / 1000);
    this.emit({ event: 'waiting', seconds, tasks: missingTasks(this.#tasks) });
  }

  #readyPhase(): Phase {
    const isWell = this.#problems.length === 0 && [...this.#tasks.values()].every(isSettled);
    return isWell ? 'ready' : 'degraded';
  }

  #settle(): void {
    if (this.#phase === 'ready' || this.#phase === 'degraded') this.#enter(this.#readyPhase());
  }

  #enter(next: Phase): void {
    if (this.#phase === next) return;
    this.#phase = next;
    // A client that receives the event reads the file next.
    this.#file.write();
    this.#emitPhase();
  }

  #emitPhase(): void {
    this.emit({ event: 'phase', phase: this.#phase, stamps: this.#stamps, at: Date.now() });
  }
}
