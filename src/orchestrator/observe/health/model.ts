import { ClockWatch } from './clock-watch.ts';
import { dependencies } from './dependencies.ts';
import { DISK, type HealthFacts } from './facts.ts';
import { Finality } from './finality.ts';
import { Gauge, type Moment, type Value } from './gauge.ts';
import type { Reading } from './reading.ts';
import { Subject } from './subject.ts';
import type { Symptom } from './symptom.ts';
import { Turn } from './turn.ts';

/** Free bytes below which no program can go on writing. */
const FULL = 2 * 1024 * 1024;

/** Wei below which an account cannot pay for its transactions. */
const POOR = 10n ** 15n;

/** Milliseconds by which something must be late before it is looked at more often. */
const LATE = 1000;

/** The state of a network as far as answers show it. Has no clock: each call says when it happened. */
export class Health {
  readonly #facts: HealthFacts;
  readonly #subjects: ReadonlyMap<string, Subject>;
  readonly #gauges: ReadonlyMap<string, Gauge>;
  readonly #clocks: ReadonlyMap<string, ClockWatch>;
  readonly #dependencies: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #finality = new Map<string, Finality>();
  readonly #turns = new Map<string, Turn>();
  readonly #poor = new Map<string, string>();
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
    this.#dependencies = dependencies(facts.gauges);
    this.#subjects = new Map(facts.sources.map(({ task }) => [task, new Subject(task, facts.taskCauses[task] ?? [])]));
  }

  /** A task is up since now: it has the time that a start needs. */
  up(task: string, at: Moment): void {
    this.#subjects.get(task)?.up(at);
    for (const gauge of this.#gauges.values()) if (gauge.spec.subject === task) this.#restart(gauge);
  }

  /** A task is not up. */
  down(task: string, what: string, at: Moment, because?: string): void {
    this.#subjects.get(task)?.down(what, at, because);
  }

  /** A task answered. `networkMs`: the network's clock then. */
  answered(task: string, { values, balances = {}, finality }: Reading, at: Moment, networkMs: number): void {
    const subject = this.#subjects.get(task);
    if (!subject?.isUp) return;
    subject.answers(at);
    const isFinal = finality !== undefined && !this.#finalityOf(finality.gauge).isDue(finality);
    for (const [id, value] of Object.entries(values)) {
      const isHeld = (isFinal && id === finality.gauge) || this.#hasNoTurn(id, value);
      this.#gauges.get(id)?.observe(isHeld ? { ...value, isHeld } : value, at);
      this.#clocks.get(id)?.observe(value, at, networkMs);
    }
    for (const [poster, wei] of Object.entries(balances)) {
      const { address = '' } = this.#facts.posters.find((each) => each.task === poster) ?? {};
      if (wei < POOR) this.#poor.set(poster, `its account ${address} has ${wei} wei left on L1`);
      else this.#poor.delete(poster);
    }
  }

  /** A task computed for the last `ms`. While it is silent, that holds its time and that of all that depends on it. */
  busy(task: string, ms: number, watched: number): void {
    if (this.#subjects.get(task)?.isBusy(ms, watched) !== true) return;
    for (const [id, gauge] of this.#gauges) {
      if (this.#dependencies.get(id)?.has(task) !== true) continue;
      gauge.hold(ms);
      this.#clocks.get(id)?.hold(ms);
    }
  }

  /** A task gave no answer. */
  unreachable(task: string, why: string): void {
    this.#subjects.get(task)?.isSilent(why);
  }

  /** The probes of a task hold, or it answers as something else. */
  probed(task: string, differs: string | undefined, at: Moment): void {
    if (differs === undefined) this.#subjects.get(task)?.isItself();
    else this.#subjects.get(task)?.mismatch(differs, at);
  }

  /** Bytes left on the disk that holds the devnet; undefined: unknown. */
  disk(free: number | undefined, folder: string, at: Moment): void {
    if (free === undefined || free >= FULL) this.#disk = undefined;
    else this.#disk ??= { what: `is full: ${Math.round(free / 1024)} kB are left for ${folder}`, since: at.wall };
  }

  /** The network's clock was moved: everything has its time again. */
  clockMoved(): void {
    for (const gauge of this.#gauges.values()) this.#restart(gauge);
  }

  /** Whether something is late or wrong, so that an answer matters soon. */
  isUrgent(watched: number): boolean {
    return (
      this.#disk !== undefined ||
      [...this.#subjects.values()].some(
        (subject) => subject.quiet(watched) > 2 * LATE || subject.symptom(watched) !== undefined,
      ) ||
      [...this.#gauges.values()].some((gauge) => gauge.overdue(watched) > LATE)
    );
  }

  /** Whether a poster's transactions are missing, so that its balance may say why. */
  isLate(task: string, watched: number): boolean {
    return [...this.#gauges.values()].some((gauge) => gauge.spec.subject === task && gauge.overdue(watched) > LATE);
  }

  /** Everything that is wrong now. A task that is down or silent has no others: nothing is known of it. */
  symptoms(watched: number): Symptom[] {
    const tasks = [...this.#subjects.values()].flatMap((subject) => subject.symptom(watched) ?? []);
    const lost = new Set(tasks.map(({ subject }) => subject));
    const heads = [...this.#gauges.values()].flatMap((gauge): Symptom[] => {
      const { id, subject, causes, description } = gauge.spec;
      const stands = lost.has(subject) ? undefined : gauge.stands(watched);
      if (stands === undefined) return [];
      const because = this.#poor.get(subject);
      return [
        {
          id,
          subject,
          what: description(stands.value),
          since: stands.since,
          causes: [DISK, ...causes],
          ...(because === undefined ? {} : { because }),
        },
      ];
    });
    const clocks = [...this.#clocks].flatMap(([id, clock]) =>
      heads.some((head) => head.id === id && !clock.isAhead) ? [] : clock.symptoms(watched),
    );
    const disk: Symptom[] = this.#disk === undefined ? [] : [{ id: DISK, subject: DISK, ...this.#disk, causes: [] }];
    return [...disk, ...tasks, ...clocks.filter(({ subject }) => !lost.has(subject)), ...heads];
  }

  /** Whether a gauge moves after another one, and that one stands. */
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
