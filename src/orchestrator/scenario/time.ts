import { setTimeout as sleep } from 'node:timers/promises';
import type { Plan } from '../plan/plan.ts';
import { advanceSlot, readClock, setClock, warp } from '../workflow/clock.ts';
import type { Devnet } from '../workflow/select.ts';
import type { WarpRequest } from '../workflow/warp-target.ts';

/** How time goes on while steps run. */
export interface ScenarioTime {
  readonly kind: 'stepped' | 'wall';
  /** Milliseconds; only differences have a meaning. */
  now(): number;
  /** Lets time pass: to the next slot where time is stepped, else for some milliseconds. */
  pass(ms: number): Promise<void>;
  /** Runs work during which the network goes on by itself. */
  running<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work during which the network's clock stands. */
  standing<T>(work: () => Promise<T>): Promise<T>;
  /** Moves the network's clock. */
  warp(request: WarpRequest): Promise<Readonly<Record<string, unknown>>>;
}

/** Time (ms) between two slots while a program of the user's runs. */
const PACE = 250;

/** Returns the time of a running network. */
export async function timeOf(devnet: () => Devnet, { time }: Pick<Plan, 'time'>, signal: AbortSignal) {
  return time.clock === 'stepped' ? steppedTime(devnet, signal) : wallTime(devnet, signal);
}

/** Time of a network with a client that reads the machine's clock. */
export function wallTime(devnet: () => Devnet, signal: AbortSignal): ScenarioTime {
  return {
    kind: 'wall',
    now: () => performance.now(),
    pass: (ms) => sleep(ms, undefined, { signal }),
    running: (work) => work(),
    async standing(work) {
      await setClock(devnet(), 'pause');
      return work().finally(() => setClock(devnet(), 'resume'));
    },
    warp: async (request) => ({ ...(await warp(devnet(), request, { signal })) }),
  };
}

/** Time of a stepped network: it moves slot by slot only while a step needs it. */
export async function steppedTime(devnet: () => Devnet, signal: AbortSignal): Promise<ScenarioTime> {
  let { at } = await readClock(devnet());
  let slot: Promise<void> | undefined;
  const pass = () => {
    signal.throwIfAborted();
    // Steps that run at the same time share the slot.
    slot ??= advanceSlot(devnet())
      .then((result) => {
        at = result.at;
      })
      .finally(() => {
        slot = undefined;
      });
    return slot;
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
        await Promise.race([working, sleep(PACE)]).catch(() => undefined);
        if (!isDone) await pass();
      }
      return working;
    },
    standing: (work) => work(),
    async warp(request) {
      const result = await warp(devnet(), request, { signal });
      at = result.at;
      return { ...result };
    },
  };
}
