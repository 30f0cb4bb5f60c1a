import { messageOf } from '../../system/failure.ts';
import { freeBytes } from '../../system/files/folder.ts';
import { lastLines } from '../../system/files/lines.ts';
import { processTable } from '../../system/process/table.ts';
import { isSameClock, timeAt } from '../../system/time/clock-state.ts';
import type { TimeControl } from '../clock/time-control.ts';
import type { Observer } from '../divergence/watch/observer.ts';
import type { Plan } from '../plan/plan.ts';
import { redacted } from '../plan/print/pasteable.ts';
import { ask } from '../probe/probes.ts';
import { isSettled, type LiveTask } from '../processes/live-task.ts';
import type { Problem } from '../state/problem.ts';
import { askSource } from './ask.ts';
import { lastComplaint, withoutHarmless } from './complaint.ts';
import { explain } from './explain.ts';
import { healthFacts, type Source } from './facts.ts';
import type { Moment } from './gauge/gauge.ts';
import { Health } from './model.ts';
import { ProcessorUse } from './processor-use.ts';

export interface HealthIo {
  readonly plan: Plan;
  readonly tasks: ReadonlyMap<string, LiveTask>;
  /** Folder whose disk must have free space. */
  readonly folder: string;
  /** The network's clock. */
  readonly clock: Pick<TimeControl, 'state' | 'isHeld'>;
  /** Called with all problems whenever they change. */
  found(problems: readonly Problem[]): void;
  /** Compares the heads that are read. */
  readonly observer: Observer;
  readonly signal: AbortSignal;
}

/** Time (ms) between two rounds of requests, and while something is late. */
const ROUND_INTERVAL_MS = 1000;
const URGENT_INTERVAL_MS = 400;
/** Time (ms) between the rounds that follow a return: what was known of the heads is void. */
const RESTORE_INTERVAL_MS = 100;
const SOON_ROUNDS = 3;
/** Delay (ms) of a round that still counts in full. */
const MAX_ROUND_DELAY_MS = 300;
/** Share of a round that a process must run to count as busy. */
const BUSY_SHARE = 0.5;
/** Time (ms) between two runs of a task's live probes, where other requests reach it too. */
const PROBE_EVERY = 5000;

/**
 * Watches a ready network until aborted. Time in which the machine was busy or suspended counts only in part, so that
 * processes that could not run are not reported.
 * Returns a function to call when a return to an earlier moment begins (true), and when it ends. It forgets all heads.
 * In between no head is read, because each node goes back at its own moment. At the end a round begins at once.
 */
export function watchHealth(io: HealthIo): (isUnderWay: boolean) => void {
  const { plan, tasks, observer, signal } = io;
  const facts = healthFacts(plan);
  const health = new Health(facts);
  const asking = new Set<string>();
  const probed = new Map<string, number>();
  /** Process ids of the tasks that are up; undefined where devnet started no process. */
  const up = new Map<string, number | undefined>();
  const said = new Map<string, { readonly since: number; readonly complaint: string }>();
  const processors = new ProcessorUse();
  let clock = io.clock.state();
  let told = '[]';
  let watched = 0;
  /** Answers from before the last one do not count. */
  let returns = 0;
  let isReturning = false;
  let round = ROUND_INTERVAL_MS;
  let soon = 0;
  let last = performance.now();

  const moment = (): Moment => ({ watched: watched + awake(performance.now() - last), wall: Date.now() });
  /** Returns how much of a span counts. */
  const awake = (span: number) => Math.min(span, round + MAX_ROUND_DELAY_MS);

  function look(): void {
    const now = performance.now();
    const { starved, ran } = processors.since(tasks.values());
    const counted = Math.max(0, awake(now - last) - starved);
    watched += counted;
    last = now;
    const at = moment();
    for (const [task, time] of ran) if (time >= BUSY_SHARE * counted) health.busy(task, counted, at.watched);
    health.used(ran, counted);
    // A clock that stands or is moved in steps says nothing of the pace of heads. Transactions move an instant clock
    // all the time, always to the next block.
    const state = io.clock.state();
    const isMoved = plan.time.clock === 'instant' ? state.rate !== clock.rate : !isSameClock(state, clock);
    if (isMoved || io.clock.isHeld()) health.clockMoved();
    clock = state;
    for (const live of tasks.values()) follow(live, at);
    health.disk(freeBytes(io.folder), io.folder, at);
    observer.round(at);
    for (const source of facts.sources) if (up.has(source.task)) void question(source);
    const problems = explain([...observer.symptoms(at), ...health.symptoms(at.watched)], complaintOf);
    const text = JSON.stringify(problems);
    if (text !== told) io.found(problems);
    told = text;
    round = nextRound(at);
    timer = setTimeout(look, round);
  }

  function nextRound(at: Moment): number {
    if (soon > 0) {
      soon -= 1;
      return RESTORE_INTERVAL_MS;
    }
    return health.isUrgent(at.watched) || observer.isUrgent ? URGENT_INTERVAL_MS : ROUND_INTERVAL_MS;
  }

  function follow(live: LiveTask, at: Moment): void {
    const { id } = live.task;
    if (live.phase === 'ready' || live.phase === 'unhealthy') {
      const pid = live.running?.process?.pid;
      // A restart can begin and end between two rounds.
      if (up.has(id) && up.get(id) !== pid) leave(id);
      if (!up.has(id)) health.up(id, at);
      up.set(id, pid);
      return;
    }
    leave(id);
    if (isSettled(live)) return;
    health.down(id, ...downAs(live, at));
  }

  /** Forgets what a task answered. */
  function leave(id: string): void {
    up.delete(id);
    observer.lost(id);
  }

  async function question(source: Source): Promise<void> {
    const { task } = source;
    if (isReturning || asking.has(task)) return;
    asking.add(task);
    const before = returns;
    try {
      if (source.kind !== 'probes') {
        const isLate = (poster: string) => health.isLate(poster, moment().watched);
        const reading = await askSource(source, facts, isLate, (each) => observer.wanted(each));
        if (!signal.aborted && up.has(task) && returns === before) {
          const at = moment();
          health.answered(task, reading, at, timeAt(io.clock.state(), Date.now()));
          observer.answered(task, reading, at);
        }
      }
      await probe(source);
    } catch (error) {
      health.unreachable(task, messageOf(error));
    } finally {
      asking.delete(task);
    }
  }

  async function probe({ task, kind }: Source): Promise<void> {
    const live = tasks.get(task);
    const now = performance.now();
    if (live === undefined || (kind !== 'probes' && now - (probed.get(task) ?? 0) < PROBE_EVERY)) return;
    probed.set(task, now);
    const findings = await Promise.all(live.task.live.map((each) => ask(each, live.subject(), signal)));
    if (signal.aborted) return;
    const unreachable = findings.find((finding) => finding.kind === 'unreachable');
    if (unreachable !== undefined) return health.unreachable(task, unreachable.detail);
    if (kind === 'probes') health.answered(task, { values: {} }, moment(), Date.now());
    const at = findings.findIndex((finding) => finding.kind === 'mismatch');
    const finding = findings[at];
    const description =
      finding?.kind === 'mismatch' ? `${live.task.live[at]?.description}: ${finding.detail}` : undefined;
    health.probed(task, description, moment());
  }

  function complaintOf(subject: string, since: number): string | undefined {
    const live = tasks.get(subject);
    if (live === undefined) return undefined;
    const pid = live.exit === undefined ? live.running?.process?.pid : undefined;
    if (pid !== undefined && processTable().find(pid)?.state.toUpperCase() === 'T')
      return `process ${pid} is stopped by a signal or a debugger; kill -CONT ${pid} lets it go on`;
    const lines = withoutHarmless(lastLines(live.task.log, 400, live.logStart), live.task.harmless);
    const known = said.get(subject);
    // A complaint stays the reason, however much is logged after it.
    const complaint = lastComplaint(lines, since) ?? (known?.since === since ? known.complaint : undefined);
    if (complaint === undefined) return undefined;
    said.set(subject, { since, complaint });
    return redacted(complaint, live.task.secrets);
  }

  let timer = setTimeout(look, 0);
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  return (isUnderWay) => {
    if (signal.aborted) return;
    isReturning = isUnderWay;
    returns += 1;
    for (const id of up.keys()) leave(id);
    soon = SOON_ROUNDS;
    clearTimeout(timer);
    timer = setTimeout(look, 0);
  };
}

/** Describes a task that is not up, and why. */
function downAs({ phase, detail, task }: LiveTask, at: Moment): [what: string, at: Moment, because?: string] {
  switch (phase) {
    case 'paused':
      return ['is paused', at, `\`devnet node resume ${task.id}\` lets it go on`];
    case 'stopped':
      return ['is stopped', at, 'on request'];
    case 'stopping':
      return ['is stopping', at];
    case 'manual':
      return ['has to be started by hand', at];
    case 'failed':
    case 'restarting':
    case 'blocked':
      return [detail ?? phase, at];
    default:
      return [task.launch === 'external' ? 'does not answer yet' : 'is starting', at];
  }
}
