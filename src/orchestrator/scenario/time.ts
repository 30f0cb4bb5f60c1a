import { setTimeout as sleep } from 'node:timers/promises';
import { pause } from '../../system/time/pause.ts';
import { advanceSlot, readClock, setClock, settle, type WarpRequest, waitThrough, warp } from '../change/warp.ts';
import { whileUp } from '../devnet/network-end.ts';
import { type Devnet, viewOf } from '../devnet/select.ts';
import type { Plan } from '../plan/plan.ts';
import { wallClockNotice } from '../plan/wall-clock.ts';
import { sharedSlots } from './shared-slots.ts';

/** How time goes on while steps run. */
export interface ScenarioTime {
  readonly kind: 'stepped' | 'wall';
  /** Milliseconds; only differences have a meaning. */
  now(): number;
  /** Lets time pass: to the next slot if time is stepped, else for some milliseconds. */
  pass(ms: number): Promise<void>;
  /** Runs work during which the network goes on by itself. */
  running<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work during which the network's clock stands. */
  standing<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Waits until all processes are done with the present time, if time is stepped. A step that starts processes
   * ends with it: what the next one finds does not depend on their speed.
   */
  settle(): Promise<void>;
  /**
   * Runs steps at the same time. If time is stepped, a slot begins when each of them waits for it or has ended:
   * equal runs then put equal transactions into each slot.
   */
  together<T>(works: readonly (() => Promise<T>)[]): Promise<readonly T[]>;
  /** Moves the network's clock. If that cannot be moved, it waits for as long. */
  warp(request: WarpRequest): Promise<Readonly<Record<string, unknown>>>;
}

/** Time (ms) between two slots while a program of the user's runs. */
const SLOT_PAUSE_MS = 250;

/** Returns the time of a running network. */
export async function timeOf(devnet: () => Devnet, { time }: Pick<Plan, 'time'>, signal: AbortSignal) {
  return time.clock === 'stepped' ? steppedTime(devnet, signal) : wallTime(devnet, signal);
}

/**
 * Runs work during which the network goes on by itself, for a command on its own.
 * @throws Failure `ended` as soon as the network ends
 */
export function whileRunning<T>(devnet: Devnet, plan: Pick<Plan, 'time'>, work: () => Promise<T>): Promise<T> {
  return whileUp(() => devnet)(async (networkEnd) => {
    const time = await timeOf(() => devnet, plan, networkEnd);
    return time.running(work);
  });
}

/** Time of a network whose clock goes on by itself. */
export function wallTime(devnet: () => Devnet, signal: AbortSignal): ScenarioTime {
  return {
    kind: 'wall',
    now: () => performance.now(),
    async pass(ms) {
      await pause(ms, signal);
      signal.throwIfAborted();
    },
    running: (work) => work(),
    async standing(work) {
      await setClock(devnet(), 'pause');
      return work().finally(() => setClock(devnet(), 'resume'));
    },
    settle: async () => undefined,
    together: (works) => Promise.all(works.map((work) => work())),
    async warp(request) {
      const isMovable = wallClockNotice(viewOf(devnet()).plan.tasks) === undefined;
      return { ...(await (isMovable ? warp(devnet(), request, { signal }) : waitThrough(devnet(), request, signal))) };
    },
  };
}

/** Time of a stepped network: it moves slot by slot only while a step needs it. */
export async function steppedTime(devnet: () => Devnet, signal: AbortSignal): Promise<ScenarioTime> {
  let { at } = await readClock(devnet());
  const { pass: nextSlot, together } = sharedSlots(async () => {
    ({ at } = await advanceSlot(devnet()));
  });
  const pass = () => {
    signal.throwIfAborted();
    return nextSlot();
  };
  return {
    kind: 'stepped',
    now: () => at,
    pass,
    async running(work) {
      let isDone = false;
      const working = work().finally(() => {
        isDone = true;
      });
      while (!isDone) {
        await Promise.race([working, sleep(SLOT_PAUSE_MS)]).catch(() => undefined);
        if (!isDone) await pass();
      }
      return working;
    },
    standing: (work) => work(),
    async settle() {
      await settle(devnet());
    },
    together,
    async warp(request) {
      const result = await warp(devnet(), request, { signal });
      at = result.at;
      return { ...result };
    },
  };
}
