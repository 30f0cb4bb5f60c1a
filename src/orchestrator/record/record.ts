import { isDiskFull, messageOf } from '../../system/failure.ts';
import { remove } from '../../system/files/folder.ts';
import type { ProcessIdentity } from '../../system/process/identity.ts';
import type { ClockState } from '../../system/time/clock-state.ts';
import { isTaken } from '../folder/removed-files.ts';
import { awaited } from '../processes/awaited.ts';
import { isSettled, type LiveTask, taskState } from '../processes/live-task.ts';
import type { Emit } from '../state/events.ts';
import type { FailureReport } from '../state/failure-report.ts';
import type { Paths } from '../state/paths.ts';
import { type Problem, problemDetail, problemLine } from '../state/problem.ts';
import {
  type DivergenceReport,
  type Phase,
  STATE_SCHEMA,
  type Stamps,
  type State,
  type TaskPhase,
  writeState,
} from '../state/state.ts';

/** Holds the devnet's phase, emits every change and writes the state file. */
export interface Record {
  emit: Emit;
  set(live: LiveTask, phase: TaskPhase, detail?: string): void;
  follow(tasks: ReadonlyMap<string, LiveTask>): void;
  orphans(all: readonly ProcessIdentity[]): void;
  /** Writes the clock's new state. */
  clockMoved(): void;
  /** Replaces all problems. A running task with one is unhealthy. */
  problems(all: readonly Problem[]): void;
  /** Adds the report of a divergence. */
  report(report: DivergenceReport): void;
  /** Marks the reports of these nodes, or of some of them, as over. `at`: Unix milliseconds. */
  agreed(chain: string, nodes: readonly string[], at: number): void;
  /** Stores how the dashboard of the spec ended by itself. */
  dashboardEnded(how: string): void;
  stamp(name: keyof Stamps): void;
  /** The network can be used: all that remains until it is ready are commands of the user's. */
  usable(): void;
  ready(ttlMs: number | undefined): void;
  /** Whether it was usable. */
  wasReady(): boolean;
  ending(how: string): void;
  ended(how: 'stop' | 'keep' | 'failed'): void;
  fail(failure: FailureReport): void;
  tellWaiting(): void;
  state(): State;
  write(): void;
  close(): void;
}

/** Time (ms) in which changes are gathered before the state file is written. */
const GATHER = 100;

/** Starts the record of a devnet whose supervisor is `own`. */
export function createRecord(paths: Paths, own: ProcessIdentity, clock: () => ClockState, tell: Emit): Record {
  const startedAt = Date.now();
  let tasks: ReadonlyMap<string, LiveTask> = new Map();
  let phase: Phase = 'starting';
  let stamps: Stamps = { parsed: startedAt };
  let orphans: readonly ProcessIdentity[] = [];
  let problems: readonly Problem[] = [];
  let reports: readonly DivergenceReport[] = [];
  let failure: FailureReport | undefined;
  let pausedAt: number | undefined;
  let endsAt: number | undefined;
  let dashboardEnd: string | undefined;
  let wasReady = false;
  let timer: NodeJS.Timeout | undefined;
  let warned = false;

  function state(): State {
    return {
      schema: STATE_SCHEMA,
      name: paths.name,
      phase,
      supervisor: own,
      startedAt,
      stamps,
      tasks: Object.fromEntries([...tasks].map(([id, live]) => [id, taskState(live)])),
      orphans,
      problems,
      ...(reports.length === 0 ? {} : { reports }),
      clock: clock(),
      ...(pausedAt === undefined ? {} : { pausedAt }),
      ...(endsAt === undefined ? {} : { endsAt }),
      ...(failure === undefined ? {} : { failure }),
      ...(dashboardEnd === undefined ? {} : { dashboardEnd }),
    };
  }

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isTaken(paths)) return;
    try {
      writeState(paths.state, state());
    } catch (error) {
      // A full disk must not end the network. The old file stays, and the guard knows every process.
      if (!warned) tell({ event: 'notice', text: messageOf(error) });
      warned = true;
      if (isDiskFull(error) && (phase === 'failed' || phase === 'stopped')) writeLast();
    }
  }

  /** Writes the last state of a devnet into its reserved space. */
  function writeLast(): void {
    remove(paths.reserve);
    try {
      writeState(paths.state, state());
    } catch {
      // The previous state stays.
    }
  }

  function soon(): void {
    timer ??= setTimeout(write, GATHER);
  }

  function settled(): Phase {
    const isWell = problems.length === 0 && [...tasks.values()].every(isSettled);
    return isWell ? 'ready' : 'degraded';
  }

  function set(live: LiveTask, next: TaskPhase, detail?: string): void {
    // A ready task is not down, before the next health check.
    if (next === 'ready') problems = problems.filter(({ subject }) => subject !== live.task.id);
    live.phase = next;
    live.detail = detail;
    tell({
      event: 'task',
      task: live.task.id,
      phase: next,
      ...(live.running?.process === undefined ? {} : { pid: live.running.process.pid }),
      ...(detail === undefined ? {} : { detail }),
      at: Date.now(),
    });
    if (phase === 'ready' || phase === 'degraded') enter(settled());
    soon();
  }

  function enter(next: Phase): void {
    if (phase === next) return;
    phase = next;
    // A client that receives the event reads the file next.
    write();
    tell({ event: 'phase', phase, stamps, at: Date.now() });
  }

  return {
    emit: tell,
    set,
    follow(next) {
      tasks = next;
    },
    orphans(all) {
      orphans = all;
      soon();
    },
    clockMoved: write,
    problems(all) {
      const before = problems;
      problems = all;
      for (const [id, live] of tasks) {
        const problem = all.find(({ subject }) => subject === id);
        if (live.phase === 'unhealthy' && problem === undefined) set(live, 'ready');
        else if (live.phase === 'ready' && problem !== undefined) set(live, 'unhealthy', problemDetail(problem));
        else if (live.phase === 'unhealthy' && problem !== undefined) live.detail = problemDetail(problem);
      }
      for (const problem of all)
        if (!tasks.has(problem.subject) && before.every(({ subject }) => subject !== problem.subject))
          tell({ event: 'notice', text: problemLine(problem) });
      if (phase === 'ready' || phase === 'degraded') enter(settled());
      soon();
    },
    report(report) {
      const place = ({ chain, nodes }: DivergenceReport) => `${chain} ${nodes.join(' ')}`;
      reports = [...reports.filter((each) => place(each) !== place(report)), report];
      soon();
    },
    agreed(chain, nodes, at) {
      const isOf = (each: DivergenceReport) => each.chain === chain && each.nodes.every((node) => nodes.includes(node));
      reports = reports.map((each) => (isOf(each) ? { over: at, ...each } : each));
      soon();
    },
    dashboardEnded(how) {
      dashboardEnd = how;
      soon();
    },
    stamp(name) {
      stamps = { ...stamps, [name]: Date.now() };
      if (name === 'safe') tell({ event: 'phase', phase, stamps, at: Date.now() });
      soon();
    },
    usable() {
      wasReady = true;
    },
    ready(ttlMs) {
      if (ttlMs !== undefined) endsAt = Date.now() + ttlMs;
      enter(settled());
    },
    wasReady: () => wasReady,
    ending(how) {
      problems = [];
      if (how === 'stop' || how === 'keep') pausedAt = Date.now();
      enter('stopping');
    },
    ended(how) {
      enter(how === 'failed' || !wasReady ? 'failed' : 'stopped');
    },
    fail(report) {
      const others = [...tasks.values()].filter(
        ({ phase: own, task }) => own !== 'ready' && own !== 'failed' && task.id !== report.task && task.late !== true,
      );
      // The first timeout says little, so that all late tasks are listed.
      const late = others.map((live) => `${live.task.id} (${live.detail ?? live.phase})`).join(', ');
      failure = report.reason === 'not-ready' && late !== '' ? { ...report, hint: `also not ready: ${late}` } : report;
      tell({ event: 'failure', failure });
    },
    tellWaiting() {
      tell({ event: 'waiting', seconds: Math.round((Date.now() - startedAt) / 1000), tasks: awaited(tasks) });
    },
    state,
    write,
    close: () => clearTimeout(timer),
  };
}
