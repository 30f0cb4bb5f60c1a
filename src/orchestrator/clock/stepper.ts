import type { ClockService, QuiesceService } from '../channel/channel-server.ts';
import type { TaskKind } from '../plan/plan.ts';
import { type Awaited, type Follower, GOSSIP, type Heads, listUnsettled, reportedHeads, TURNS } from './settle.ts';

/** Wall time (ms) in which a process must be done with its turn of a step. */
const STALL_MS = 20_000;
/** Wall time (ms) in which gossip must reach a verifier. One that it does not reach is not waited for any more. */
const GOSSIP_GRACE_MS = 1000;
/** Wall time (ms) for which a process is waited for whose links a fault has cut. It may need none of them. */
const SEVERED_GRACE_MS = 500;
/** Wall time (ms) between two checks of processes that send no report. */
const CHECK_INTERVAL_MS = 250;

/** Says that processes are not done with a step in time. */
export class Stalled extends Error {
  override readonly name = 'Stalled';
  readonly awaited: readonly Awaited[];

  /** `limit`: wall time (ms) in which they had to be. */
  constructor(missing: readonly Awaited[], limit: number) {
    super(`not done within ${limit / 1000} s: ${missing.map(({ task, what }) => `${task} ${what}`).join(', ')}`);
    this.awaited = missing;
  }
}

export interface StepperOptions {
  readonly channel: {
    readonly clock: Pick<ClockService, 'push'>;
    readonly quiesce: Pick<QuiesceService, 'onChange'>;
  };
  /** Lists the processes to wait for; those that are stopped or paused are absent. */
  readonly followers: () => readonly Follower[];
  /** Returns the kind of a task, also of one that is not ready yet. */
  readonly kindOf: (task: string) => TaskKind | undefined;
  /**
   * No two processes act at once on what the other may do before or after. Equal runs then make equal blocks. A
   * rollup node gets a step when it knows the L1 block of that step. It chooses the same L1 origin in each run.
   * False: sequencers make the blocks of a step while batchers post those of the last one. L1's block follows with
   * these batches. Verifiers and proposers work beside the next step.
   */
  readonly isStrict: boolean;
  /** Wall time (ms) in which a process must be done with its turn of a step. Default 20 s. */
  readonly stallAfterMs?: number;
  /** Verifiers that gossip does not reach, by steppers before this one. It adds to them. */
  readonly apart?: Set<string>;
  /** Factor of the times for a process and for gossip. Default: 1. */
  readonly patience?: number;
}

/**
 * Moves the clock of a network in steps. After a quick step batchers still work on it, and verifiers and proposers may
 * be one step further behind.
 */
export class Stepper {
  readonly #options: StepperOptions;
  #last: number | undefined;
  /** Heads before the last step. */
  #beforeLast: Heads | undefined;
  /** Verifiers that gossip does not reach. */
  readonly #apart: Set<string>;
  /** Processes that could not finish a step without the links that a fault has cut. */
  readonly #lost = new Set<string>();

  constructor(options: StepperOptions) {
    this.#options = options;
    this.#apart = options.apart ?? new Set();
  }

  /** Stops the clock at a time (ms) and waits until the processes are done with it. @throws Stalled */
  step(at: number): Promise<void> {
    return this.#options.isStrict ? this.#strictStep(at) : this.#quickStep(at);
  }

  /** Waits until all processes are done with the last step. @throws Stalled */
  async settle(): Promise<void> {
    if (this.#last !== undefined) await this.#done(ALL, this.#last);
  }

  async #strictStep(at: number): Promise<void> {
    let step: number | undefined;
    for (const kinds of TURNS) {
      if (this.#last !== undefined && kinds.includes('cl')) await this.#done(kinds, this.#last);
      step = this.#announce(kinds, at, step);
      await this.#done(kinds, step);
    }
    this.#last = step;
    if (step !== undefined && this.#apart.size > 0) this.#rejoin(step);
  }

  async #quickStep(at: number): Promise<void> {
    const before = this.#last === undefined ? undefined : reportedHeads(this.#options.followers());
    const step = this.#announce(['cl'], at);
    if (this.#last !== undefined) await this.#done(POSTERS, this.#last, this.#beforeLast);
    this.#announce(['beacon'], at, step);
    await this.#done(['beacon', 'cl'], step, before);
    this.#announce(POSTERS, at, step);
    this.#last = step;
    this.#beforeLast = before;
    if (this.#apart.size > 0) this.#rejoin(step);
  }

  /**
   * Announces a step to the processes of some kinds. Without a number it is a new step. A process that is not ready yet
   * gets the step too. It is waited for from the moment at which it is ready.
   */
  #announce(kinds: readonly TaskKind[], at: number, step?: number): number {
    const { channel, kindOf } = this.#options;
    const to = (task: string) => {
      const kind = kindOf(task);
      return kind !== undefined && kinds.includes(kind);
    };
    return channel.clock.push({ at, wall: Date.now(), rate: 0 }, { watched: true, isSameStep: step !== undefined, to });
  }

  /** Resolves when the processes of these kinds are done with a step. */
  #done(kinds: readonly TaskKind[], step: number, before?: Heads): Promise<void> {
    const { channel, followers, patience = 1, stallAfterMs = STALL_MS * patience } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    /** Since when (monotonic ms) gossip is all that a verifier lacks. */
    const gossipSince = new Map<string, number>();
    const began = performance.now();
    const look = () => {
      const all = followers();
      if (performance.now() - began >= SEVERED_GRACE_MS)
        for (const { task, severed } of listed(all, listUnsettled(all, kinds, step, { apart: this.#apart, before })))
          if (severed === 'more') this.#lost.add(task);
      const reachable = all.filter(({ task, severed }) => severed !== 'more' || !this.#lost.has(task));
      const missing = listUnsettled(reachable, kinds, step, { apart: this.#apart, before });
      this.#leaveBehind(missing, gossipSince);
      const blockers = missing.filter(({ task, what }) => what !== GOSSIP || !this.#apart.has(task));
      if (blockers.length === 0) resolve();
      return blockers;
    };
    const stall = setTimeout(() => {
      const blockers = look();
      if (blockers.length > 0) reject(new Stalled(blockers, stallAfterMs));
    }, stallAfterMs);
    // Processes that end, pause or start change the list without a report, and so does time.
    const again = setInterval(look, CHECK_INTERVAL_MS);
    const unsubscribe = channel.quiesce.onChange(look);
    look();
    return promise.finally(() => {
      clearTimeout(stall);
      clearInterval(again);
      unsubscribe();
    });
  }

  /** Stops the wait for verifiers that have lacked nothing but gossip for the grace period. */
  #leaveBehind(missing: readonly Awaited[], gossipSince: Map<string, number>): void {
    const now = performance.now();
    const grace = GOSSIP_GRACE_MS * (this.#options.patience ?? 1);
    for (const { task, what } of missing)
      if (what !== GOSSIP) gossipSince.delete(task);
      else if (now - (gossipSince.get(task) ?? now) >= grace) this.#apart.add(task);
      else if (!gossipSince.has(task)) gossipSince.set(task, now);
  }

  /** A verifier that has its sequencer's head again is waited for again. */
  #rejoin(step: number): void {
    for (const task of this.#apart)
      if (listUnsettled(this.#options.followers(), ['cl'], step).every((each) => each.task !== task))
        this.#apart.delete(task);
  }
}

/** Returns the processes that are not done. */
function listed(all: readonly Follower[], missing: readonly Awaited[]): readonly Follower[] {
  const tasks = new Set(missing.map(({ task }) => task));
  return all.filter(({ task }) => tasks.has(task));
}

const ALL = TURNS.flat();
const POSTERS: readonly TaskKind[] = ['batcher', 'proposer', 'challenger'];
