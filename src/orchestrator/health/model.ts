import { etherText } from '../../system/numbers/human.ts';
import { isoInstant } from '../clock/warp.ts';
import { BusiestTask } from './busiest-task.ts';
import { ClockWatch } from './clock-watch.ts';
import { dependencies } from './dependencies.ts';
import { DISK, type HealthFacts } from './facts.ts';
import { Finality } from './finality.ts';
import { Gauge, type Moment, type Value } from './gauge/gauge.ts';
import type { Reading } from './gauge/reading.ts';
import type { Symptom } from './gauge/symptom.ts';
import { Turn } from './gauge/turn.ts';
import { L1, L1_HEAD } from './gauges.ts';
import { LagWatch, type Leader } from './lag-watch.ts';
import { OutputLag } from './output-lag.ts';
import { Subject } from './subject.ts';

/** Free bytes below which programs fail to write. */
const MIN_FREE_BYTES = 2 * 1024 * 1024;

/** Balance (wei) below which an account cannot pay for its transactions. */
const MIN_BALANCE_WEI = 10n ** 15n;

/** Delay (ms) after which polling becomes more frequent. */
const URGENT_AFTER_MS = 1000;

/** A stall of L1 on request. */
export interface AskedStall {
  /** Unix milliseconds. */
  readonly since: number;
  /** Time of the network's clock (ms) at which it ends by itself. Null: it does not. */
  readonly until: number | null;
}

/** State of a network as its answers show it. Has no clock: each call passes the time. */
export class Health {
  readonly #facts: HealthFacts;
  readonly #subjects: ReadonlyMap<string, Subject>;
  readonly #gauges: ReadonlyMap<string, Gauge>;
  readonly #clocks: ReadonlyMap<string, ClockWatch>;
  readonly #outputs: readonly OutputLag[];
  readonly #lags: readonly LagWatch[];
  readonly #busiest = new BusiestTask();
  readonly #dependencies: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #finality = new Map<string, Finality>();
  readonly #turns = new Map<string, Turn>();
  readonly #poor = new Map<string, string>();
  #stall: AskedStall | undefined;
  #disk: { readonly what: string; readonly since: number } | undefined;

  constructor(facts: HealthFacts) {
    this.#facts = facts;
    this.#gauges = new Map(facts.gauges.map((spec) => [spec.id, new Gauge(spec)]));
    this.#clocks = new Map(
      facts.clockHeads.flatMap((head) => {
        const gauge = this.#gauges.get(head.gauge);
        return gauge === undefined ? [] : [[head.gauge, new ClockWatch(head, gauge.spec.subject)] as const];
      }),
    );
    this.#outputs = facts.outputHeads.map((head) => new OutputLag(head));
    this.#lags = facts.followingHeads.map((head) => new LagWatch(head));
    this.#dependencies = dependencies(facts.gauges);
    this.#subjects = new Map(facts.sources.map(({ task }) => [task, new Subject(task, facts.taskCauses[task] ?? [])]));
  }

  /** Records that a task is up. The limits of a start apply. */
  up(task: string, at: Moment): void {
    this.#subjects.get(task)?.up(at);
    for (const gauge of this.#gauges.values()) if (gauge.spec.subject === task) this.#restart(gauge);
    for (const outputs of this.#outputs) if (outputs.head.subject === task) outputs.restart();
    for (const lag of this.#lags)
      if ([lag.spec.gauge, ...lag.spec.leaders].some((id) => this.#gauges.get(id)?.spec.subject === task))
        lag.restart();
  }

  /** Records that a task is not up. */
  down(task: string, what: string, at: Moment, because?: string): void {
    this.#subjects.get(task)?.down(what, at, because);
  }

  /** Records an answer of a task. `networkMs`: the network's clock then. */
  answered(task: string, { values, balances = {}, finality }: Reading, at: Moment, networkMs: number): void {
    const subject = this.#subjects.get(task);
    if (!subject?.isUp) return;
    subject.answers(at);
    const isFinal = finality !== undefined && !this.#finalityOf(finality.gauge).isDue(finality);
    for (const [id, value] of Object.entries(values)) {
      const isHeld = (isFinal && id === finality.gauge) || this.#hasNoTurn(id, value);
      this.#gauges.get(id)?.observe(isHeld ? { ...value, isHeld } : value, at);
      this.#clocks.get(id)?.observe(value, at, networkMs);
      for (const lag of this.#lags) if (lag.spec.gauge === id) this.#follow(lag, value, at);
    }
    for (const outputs of this.#outputs) {
      const newest = values[outputs.head.id]?.number;
      const head = this.#gauges.get(outputs.head.follows)?.value?.number;
      if (newest !== undefined && head !== undefined) outputs.observe(newest, head, at);
    }
    for (const [poster, wei] of Object.entries(balances)) {
      const { address = '' } = this.#facts.posters.find((each) => each.task === poster) ?? {};
      if (wei < MIN_BALANCE_WEI) this.#poor.set(poster, `its account ${address} has ${etherText(wei)} left on L1`);
      else this.#poor.delete(poster);
    }
  }

  /**
   * Records that a task computed for the last `ms`. While it is silent, its gauges and those that depend on it are
   * paused.
   */
  busy(task: string, ms: number, watched: number): void {
    if (this.#subjects.get(task)?.isBusy(ms, watched) !== true) return;
    for (const [id, gauge] of this.#gauges) {
      if (this.#dependencies.get(id)?.has(task) !== true) continue;
      gauge.hold(ms);
      this.#clocks.get(id)?.hold(ms);
      for (const outputs of this.#outputs) if (outputs.head.follows === id) outputs.hold(ms);
      for (const lag of this.#lags) if (lag.spec.gauge === id) lag.hold(ms);
    }
  }

  /** Records the processor time (ms) of all tasks in the last `ms`. */
  used(ran: ReadonlyMap<string, number>, ms: number): void {
    this.#busiest.used(ran, ms);
  }

  /** Records that a task did not answer. */
  unreachable(task: string, why: string): void {
    this.#subjects.get(task)?.isSilent(why);
  }

  /** Records whether the probes of a task succeed. */
  probed(task: string, differs: string | undefined, at: Moment): void {
    if (differs === undefined) this.#subjects.get(task)?.isItself();
    else this.#subjects.get(task)?.mismatch(differs, at);
  }

  /** Records the bytes left on the devnet's disk; undefined: unknown. */
  disk(free: number | undefined, folder: string, at: Moment): void {
    if (free === undefined || free >= MIN_FREE_BYTES) this.#disk = undefined;
    else this.#disk ??= { what: `is full: ${Math.round(free / 1024)} kB are left for ${folder}`, since: at.wall };
  }

  /** Records a stall of L1 on request. All limits restart at its end. */
  stalled(stall: AskedStall | undefined): void {
    if (this.#stall !== undefined && stall === undefined) this.clockMoved();
    this.#stall = stall;
  }

  /** Restarts all limits: the network's clock was moved. */
  clockMoved(): void {
    for (const gauge of this.#gauges.values()) this.#restart(gauge);
    for (const outputs of this.#outputs) outputs.restart();
  }

  /** Returns whether a gauge is late or a task is in trouble, so that the next answer matters soon. */
  isUrgent(watched: number): boolean {
    return (
      this.#disk !== undefined ||
      [...this.#subjects.values()].some(
        (subject) => subject.quiet(watched) > 2 * URGENT_AFTER_MS || subject.symptom(watched) !== undefined,
      ) ||
      [...this.#gauges.values()].some((gauge) => gauge.overdue(watched) > URGENT_AFTER_MS)
    );
  }

  /** Returns whether transactions of a task are missing, so that its balance may be the reason. */
  isLate(task: string, watched: number): boolean {
    return [...this.#gauges.values()].some(
      (gauge) => gauge.spec.subject === task && gauge.overdue(watched) > URGENT_AFTER_MS,
    );
  }

  /** Returns all current problems. A task that is down or silent has no other problem: its state is unknown. */
  symptoms(watched: number): Symptom[] {
    const tasks = [...this.#subjects.values()].flatMap((subject) => subject.symptom(watched) ?? []);
    const silent = new Set(tasks.map(({ subject }) => subject));
    const heads = [...this.#gauges.values()].flatMap((gauge): Symptom[] => {
      const { id, subject, causes, description } = gauge.spec;
      const stands = silent.has(subject) ? undefined : gauge.stands(watched);
      if (stands === undefined) return [];
      return [this.#withReasons({ id, subject, what: description(stands.value), since: stands.since, causes })];
    });
    const outputs = this.#outputs.flatMap((each) =>
      silent.has(each.head.subject) ? [] : each.symptoms(watched).map((symptom) => this.#withReasons(symptom)),
    );
    const clocks = [...this.#clocks].flatMap(([id, clock]) =>
      heads.some((head) => head.id === id && !clock.isAhead)
        ? []
        : clock.symptoms(watched).map((symptom) => ({ ...symptom, ...this.#busy(id) })),
    );
    const stopped = new Set([...heads, ...clocks].map(({ id }) => id));
    const lags = this.#lags.flatMap((lag) => (stopped.has(lag.spec.gauge) ? [] : this.#lagSymptom(lag, watched)));
    const disk: Symptom[] = this.#disk === undefined ? [] : [{ id: DISK, subject: DISK, ...this.#disk, causes: [] }];
    const late = [...clocks, ...lags].filter(({ subject }) => !silent.has(subject));
    const all = [...disk, ...tasks, ...late, ...heads, ...outputs];
    return this.#stall === undefined ? all : [stallOf(this.#stall), ...all.filter(({ id }) => id !== L1_HEAD)];
  }

  /** Adds the disk as the first cause, and an account that cannot pay as the reason. */
  #withReasons(symptom: Symptom): Symptom {
    const because = this.#poor.get(symptom.subject);
    const causes = [DISK, ...symptom.causes];
    return { ...symptom, causes, ...(because === undefined ? {} : { because }) };
  }

  /** Records a value of a head that follows others. The highest of these is its leader. */
  #follow(lag: LagWatch, value: Value, at: Moment): void {
    const leaders = lag.spec.leaders.flatMap((id) => this.#gauges.get(id) ?? []);
    const leader = leaders
      .flatMap(({ value, spec }) => (value === undefined ? [] : [{ subject: spec.subject, value }]))
      .reduce<Leader | undefined>(
        (best, each) => (best && best.value.number >= each.value.number ? best : each),
        undefined,
      );
    if (leader !== undefined) lag.observe(value, leader, at);
  }

  #lagSymptom(lag: LagWatch, watched: number): Symptom[] {
    const gauge = this.#gauges.get(lag.spec.gauge);
    const late = lag.late(watched, this.#gauges.get(lag.spec.pace)?.interval ?? 0);
    if (gauge === undefined || late === undefined) return [];
    const { id, subject, causes } = gauge.spec;
    return [{ id: `${id} lag`, subject, ...late, causes: [DISK, ...causes], ...this.#busy(id) }];
  }

  /** Names the process that keeps a head from following, if one keeps a processor busy. */
  #busy(gauge: string): { readonly otherwise?: string } {
    const task = this.#busiest.among(this.#dependencies.get(gauge) ?? new Set());
    return task === undefined ? {} : { otherwise: `${task} keeps a processor busy` };
  }

  /** Returns whether a gauge follows another one that stands still. */
  #hasNoTurn(id: string, { number }: Value): boolean {
    const after = this.#gauges.get(id)?.spec.after;
    if (after === undefined) return false;
    const turn = this.#turns.get(id) ?? new Turn();
    this.#turns.set(id, turn);
    return !turn.isDue(number, this.#gauges.get(after)?.value?.number);
  }

  #finalityOf(gauge: string): Finality {
    const finality = this.#finality.get(gauge) ?? new Finality();
    this.#finality.set(gauge, finality);
    return finality;
  }

  #restart(gauge: Gauge): void {
    gauge.restart();
    this.#clocks.get(gauge.spec.id)?.restart();
    this.#finality.delete(gauge.spec.id);
    this.#turns.delete(gauge.spec.id);
  }
}

/** The head of L1 stands because it was asked to. */
function stallOf({ since, until }: AskedStall): Symptom {
  const end = until === null ? '' : ` until ${isoInstant(until)}`;
  return {
    id: L1_HEAD,
    subject: L1,
    what: `is stalled${end}`,
    since,
    causes: [],
    because: 'on request: `devnet l1 resume` ends it',
  };
}
