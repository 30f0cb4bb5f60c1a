import type { TaskKind } from '../plan/plan.ts';
import type { ClockServer } from './clock-server.ts';
import { type Awaited, type Follower, GOSSIP, type Heads, reportedHeads, TURNS, unsettled } from './settle.ts';

/** Wall time (ms) in which a process must be done with its turn of a step. */
const STALL = 20_000;
/** Wall time (ms) in which gossip must reach a verifier. One that it does not reach is not waited for any more. */
const GOSSIP_GRACE = 1000;
/** Wall time (ms) between two checks of processes that send no report. */
const CHECK = 250;

/** Says that processes are not done with a step in time. */
export class Stalled extends Error {
  override readonly name = 'Stalled';
  readonly awaited: readonly Awaited[];

  /** `limit`: wall time (ms) in which they had to be. */
  constructor(awaited: readonly Awaited[], limit: number) {
    super(`not done within ${limit / 1000} s: ${awaited.map(({ task, what }) => `${task} ${what}`).join(', ')}`);
    this.awaited = awaited;
  }
}

/** Moves the clock of a network in steps. */
export interface Stepper {
  /**
   * Stops the clock at a time (ms) and waits until the processes are done with it. After a quick step batchers still
   * work on it, and verifiers and proposers may be one step further behind. @throws Stalled
   */
  step(at: number): Promise<void>;
  /** Waits until all processes are done with the last step. @throws Stalled */
  settle(): Promise<void>;
}

export interface StepperOptions {
  readonly server: ClockServer;
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
  readonly stallAfter?: number;
}

/** Creates the stepper. */
export function stepper({ server, followers, kindOf, isStrict, stallAfter = STALL }: StepperOptions): Stepper {
  let last: number | undefined;
  /** Heads before the last step. */
  let beforeLast: Heads | undefined;
  const apart = new Set<string>();

  /** A process that is not ready yet gets the step too. It is waited for from the moment at which it is ready. */
  function turnOf(kinds: readonly TaskKind[]): (task: string) => boolean {
    return (task) => {
      const kind = kindOf(task);
      return kind !== undefined && kinds.includes(kind);
    };
  }

  /** Resolves when the processes of these kinds are done with a step. */
  function done(kinds: readonly TaskKind[], step: number, before?: Heads): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    /** Since when (monotonic ms) gossip is all that a verifier lacks. */
    const waiting = new Map<string, number>();
    const look = () => {
      const now = performance.now();
      const all = followers();
      const missing = unsettled(all, kinds, step, { apart, before });
      for (const { task, what } of missing)
        if (what !== GOSSIP) waiting.delete(task);
        else if (now - (waiting.get(task) ?? now) >= GOSSIP_GRACE) apart.add(task);
        else if (!waiting.has(task)) waiting.set(task, now);
      const awaited = missing.filter(({ task, what }) => what !== GOSSIP || !apart.has(task));
      if (awaited.length === 0) resolve();
      return awaited;
    };
    const stall = setTimeout(() => {
      const awaited = look();
      if (awaited.length > 0) reject(new Stalled(awaited, stallAfter));
    }, stallAfter);
    // Processes that end, pause or start change the list without a report, and so does time.
    const again = setInterval(look, CHECK);
    const unsubscribe = server.onChange(look);
    look();
    return promise.finally(() => {
      clearTimeout(stall);
      clearInterval(again);
      unsubscribe();
    });
  }

  /** A verifier that has its sequencer's head again is waited for again. */
  function rejoin(step: number): void {
    for (const task of apart)
      if (unsettled(followers(), ['cl'], step).every((each) => each.task !== task)) apart.delete(task);
  }

  /** Announces a step to the processes of some kinds. Without a number it is a new step. */
  function announce(kinds: readonly TaskKind[], at: number, step?: number): number {
    const state = { at, wall: Date.now(), rate: 0 };
    return server.push(state, { watched: true, isSameStep: step !== undefined, to: turnOf(kinds) });
  }

  async function strictStep(at: number): Promise<void> {
    let step: number | undefined;
    for (const kinds of TURNS) {
      if (last !== undefined && kinds.includes('cl')) await done(kinds, last);
      step = announce(kinds, at, step);
      await done(kinds, step);
    }
    last = step;
  }

  async function quickStep(at: number): Promise<void> {
    const before = last === undefined ? undefined : reportedHeads(followers());
    const step = announce(['cl'], at);
    if (last !== undefined) await done(POSTERS, last, beforeLast);
    announce(['beacon'], at, step);
    await done(['beacon', 'cl'], step, before);
    announce(POSTERS, at, step);
    last = step;
    beforeLast = before;
    if (apart.size > 0) rejoin(step);
  }

  return {
    step: isStrict ? strictStep : quickStep,
    async settle() {
      if (last !== undefined) await done(ALL, last);
    },
  };
}

const ALL = TURNS.flat();
const POSTERS: readonly TaskKind[] = ['batcher', 'proposer'];
