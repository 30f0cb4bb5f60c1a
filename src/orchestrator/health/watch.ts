import { messageOf } from '../../system/failure.ts';
import { freeBytes } from '../../system/files/folder.ts';
import { type ClockState, isSameClock, timeAt } from '../../system/time/clock.ts';
import type { TimeControl } from '../clock/time-control.ts';
import type { Observer } from '../divergence/watch/observer.ts';
import type { Plan } from '../plan/plan.ts';
import { ask } from '../probe/probes.ts';
import { isSettled, type LiveTask } from '../processes/live-task.ts';
import type { Problem } from '../state/problem.ts';
import { askSource } from './ask.ts';
import { Complaints } from './complaints.ts';
import { explain } from './explain.ts';
import { type HealthFacts, healthFacts, type Source } from './facts.ts';
import type { Moment } from './gauge/gauge.ts';
import { type AskedStall, Health } from './model.ts';
import { ProcessorUse } from './processor-use.ts';
import { skewOf } from './skew.ts';

export interface HealthIo {
  readonly plan: Plan;
  readonly tasks: ReadonlyMap<string, LiveTask>;
  /** Folder whose disk must have free space. */
  readonly folder: string;
  /** The network's clock. */
  readonly clock: Pick<TimeControl, 'state' | 'isHeld' | 'skews'>;
  /** Returns the stall of L1 that was asked for. */
  readonly stall: () => AskedStall | undefined;
  /** Called with all problems whenever they change. */
  report(problems: readonly Problem[]): void;
  /** Returns the fault on the links of a task; undefined: none. */
  faultOf(task: string): string | undefined;
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
/** Time (ms) between two runs of a task's live probes, if other requests reach it too. */
const PROBE_INTERVAL_MS = 5000;

/**
 * Watches a ready network until aborted. Time in which the machine was busy or suspended counts only in part, so that
 * processes that could not run are not reported.
 */
export class HealthWatch {
  readonly #io: HealthIo;
  #facts: HealthFacts;
  #health: Health;
  readonly #complaints: Complaints;
  readonly #asking = new Set<string>();
  readonly #probed = new Map<string, number>();
  /** Process ids of the tasks that are up; undefined if devnet started no process. */
  readonly #up = new Map<string, number | undefined>();
  readonly #processors = new ProcessorUse();
  #clock: ClockState;
  #text = '[]';
  #watched = 0;
  /** Answers from before the last one do not count. */
  #returns = 0;
  #isReturning = false;
  #round = ROUND_INTERVAL_MS;
  #soon = 0;
  #last = performance.now();
  #timer: NodeJS.Timeout;

  constructor(io: HealthIo) {
    this.#io = io;
    this.#facts = healthFacts(io.plan);
    this.#health = new Health(this.#facts);
    this.#complaints = new Complaints(io.tasks);
    this.#clock = io.clock.state();
    this.#timer = setTimeout(() => this.#look(), 0);
    io.signal.addEventListener('abort', () => clearTimeout(this.#timer), { once: true });
  }

  /**
   * Says that a return to an earlier moment begins (true) or has ended. It forgets all heads. In between no head is
   * read, because each node goes back at its own moment. At the end a round begins at once.
   */
  returning(isUnderWay: boolean): void {
    if (this.#io.signal.aborted) return;
    this.#isReturning = isUnderWay;
    this.#returns += 1;
    for (const id of this.#up.keys()) this.#leave(id);
    this.#soon = SOON_ROUNDS;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), 0);
  }

  /** Begins a round at once: something was changed on request. */
  lookNow(): void {
    if (this.#io.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#look();
  }

  /** Watches another set of nodes, or nodes in other roles, from now on. All limits begin anew. */
  renew(plan: Plan): void {
    this.#facts = healthFacts(plan);
    this.#health = new Health(this.#facts);
    this.#returns += 1;
    this.#up.clear();
    this.#probed.clear();
    this.#io.observer.renew();
  }

  #moment(): Moment {
    return { watched: this.#watched + this.#awake(performance.now() - this.#last), wall: Date.now() };
  }

  /** Returns how much of a span counts. */
  #awake(span: number): number {
    return Math.min(span, this.#round + MAX_ROUND_DELAY_MS);
  }

  #look(): void {
    const { observer, folder, tasks } = this.#io;
    const at = this.#measure();
    for (const live of tasks.values()) this.#follow(live, at);
    this.#health.disk(freeBytes(folder), folder, at);
    observer.round(at);
    for (const source of this.#facts.sources) if (this.#up.has(source.task)) void this.#question(source);
    this.#tell(at);
    this.#round = this.#nextRound(at);
    this.#timer = setTimeout(() => this.#look(), this.#round);
  }

  /** Counts the time since the last round, and what the processes did in it. */
  #measure(): Moment {
    const { plan, clock, tasks } = this.#io;
    const now = performance.now();
    const { starved, ran } = this.#processors.since(tasks.values());
    const counted = Math.max(0, this.#awake(now - this.#last) - starved);
    this.#watched += counted;
    this.#last = now;
    const at = this.#moment();
    for (const [task, time] of ran) if (time >= BUSY_SHARE * counted) this.#health.busy(task, counted, at.watched);
    this.#health.used(ran, counted);
    // A clock that stands or is moved in steps says nothing of the pace of heads. Transactions move an instant clock
    // all the time, always to the next block.
    const state = clock.state();
    const isMoved = plan.time.clock === 'instant' ? state.rate !== this.#clock.rate : !isSameClock(state, this.#clock);
    if (isMoved || clock.isHeld()) this.#health.clockMoved();
    this.#clock = state;
    this.#health.stalled(this.#io.stall());
    return at;
  }

  /** Tells the problems if they have changed. */
  #tell(at: Moment): void {
    const symptoms = [...this.#io.observer.symptoms(at), ...this.#health.symptoms(at.watched)];
    const { tasks, clock, faultOf } = this.#io;
    const reason = (subject: string, since: number) =>
      skewOf(subject, tasks, clock.skews()) ?? faultOf(subject) ?? this.#complaints.of(subject, since);
    const problems = explain(symptoms, reason);
    const text = JSON.stringify(problems);
    if (text !== this.#text) this.#io.report(problems);
    this.#text = text;
  }

  #nextRound(at: Moment): number {
    if (this.#soon > 0) {
      this.#soon -= 1;
      return RESTORE_INTERVAL_MS;
    }
    return this.#health.isUrgent(at.watched) || this.#io.observer.isUrgent ? URGENT_INTERVAL_MS : ROUND_INTERVAL_MS;
  }

  #follow(live: LiveTask, at: Moment): void {
    const { id } = live.task;
    if (live.phase === 'ready' || live.phase === 'unhealthy') {
      const pid = live.running?.process?.pid;
      // A restart can begin and end between two rounds.
      if (this.#up.has(id) && this.#up.get(id) !== pid) this.#leave(id);
      if (!this.#up.has(id)) this.#health.up(id, at);
      this.#up.set(id, pid);
      return;
    }
    this.#leave(id);
    if (isSettled(live)) return;
    this.#health.down(id, ...downAs(live, at));
  }

  /** Forgets what a task answered. */
  #leave(id: string): void {
    this.#up.delete(id);
    this.#io.observer.forget(id);
  }

  async #question(source: Source): Promise<void> {
    const { task } = source;
    if (this.#isReturning || this.#asking.has(task)) return;
    this.#asking.add(task);
    try {
      if (source.kind !== 'probes') await this.#read(source);
      await this.#probe(source);
    } catch (error) {
      this.#health.unreachable(task, messageOf(error));
    } finally {
      this.#asking.delete(task);
    }
  }

  async #read(source: Source): Promise<void> {
    const { observer, signal, clock } = this.#io;
    const { task } = source;
    const before = this.#returns;
    const isLate = (poster: string) => this.#health.isLate(poster, this.#moment().watched);
    const reading = await askSource(source, this.#facts, isLate, (each) => observer.heightsFor(each));
    if (signal.aborted || !this.#up.has(task) || this.#returns !== before) return;
    const at = this.#moment();
    this.#health.answered(task, reading, at, timeAt(clock.state(), Date.now()));
    observer.answered(task, reading, at);
  }

  async #probe({ task, kind }: Source): Promise<void> {
    const { tasks, signal } = this.#io;
    const live = tasks.get(task);
    const now = performance.now();
    if (live === undefined || (kind !== 'probes' && now - (this.#probed.get(task) ?? 0) < PROBE_INTERVAL_MS)) return;
    this.#probed.set(task, now);
    const findings = await Promise.all(live.task.live.map((each) => ask(each, live.subject(), signal)));
    if (signal.aborted) return;
    const unreachable = findings.find((finding) => finding.kind === 'unreachable');
    if (unreachable !== undefined) return this.#health.unreachable(task, unreachable.detail);
    this.#health.answered(task, { values: {} }, this.#moment(), Date.now());
    const at = findings.findIndex((finding) => finding.kind === 'mismatch');
    const finding = findings[at];
    const description =
      finding?.kind === 'mismatch' ? `${live.task.live[at]?.description}: ${finding.detail}` : undefined;
    this.#health.probed(task, description, this.#moment());
  }
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
