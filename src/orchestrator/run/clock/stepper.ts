import type { TaskKind } from '../../plan/plan.ts';
import type { ClockServer } from './clock-server.ts';
import { type Awaited, type Follower, GOSSIP, TURNS, unsettled } from './settle.ts';

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

  constructor(awaited: readonly Awaited[]) {
    super(`not done within ${STALL / 1000} s: ${awaited.map(({ task, what }) => `${task} ${what}`).join(', ')}`);
    this.awaited = awaited;
  }
}

/** Moves the clock of a network in steps. */
export interface Stepper {
  /** Stops the clock at a time (ms) and waits until every process is done with it. @throws Stalled */
  step(at: number): Promise<void>;
}

/**
 * Creates the stepper. `followers` lists the processes to wait for; those that are stopped or paused are absent.
 * `isStrict`: no two processes act at once on what the other may do before or after, so that equal runs make equal
 * blocks. A rollup node gets a step when it knows the L1 block of that step. It chooses the same L1 origin in each run.
 */
export function stepper(server: ClockServer, followers: () => readonly Follower[], isStrict: boolean): Stepper {
  let last: number | undefined;
  const apart = new Set<string>();

  function turnOf(kinds: readonly TaskKind[]): (task: string) => boolean {
    const own = new Set(
      followers()
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ task }) => task),
    );
    return (task) => own.has(task);
  }

  /** Resolves when the processes of these kinds are done with a step. */
  function done(kinds: readonly TaskKind[], step: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    /** Since when (monotonic ms) gossip is all that a verifier lacks. */
    const waiting = new Map<string, number>();
    const look = () => {
      const now = performance.now();
      for (const { task, what } of unsettled(followers(), kinds, step, apart))
        if (what !== GOSSIP) waiting.delete(task);
        else if (now - (waiting.get(task) ?? now) >= GOSSIP_GRACE) apart.add(task);
        else if (!waiting.has(task)) waiting.set(task, now);
      const awaited = unsettled(followers(), kinds, step, apart);
      if (awaited.length === 0) resolve();
      return awaited;
    };
    const stall = setTimeout(() => reject(new Stalled(look())), STALL);
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

  return {
    async step(at) {
      let step: number | undefined;
      for (const kinds of TURNS) {
        if (isStrict && last !== undefined && kinds.includes('cl')) await done(kinds, last);
        const state = { at, wall: Date.now(), rate: 0 };
        step = server.push(state, { watched: true, isSameStep: step !== undefined, to: turnOf(kinds) });
        await done(kinds, step);
      }
      last = step;
      if (step !== undefined && apart.size > 0) rejoin(step);
    },
  };
}
