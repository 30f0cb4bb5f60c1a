import { Failure, messageOf } from '../../system/failure.ts';
import { onInterrupt } from '../../system/program/terminal.ts';
import type { ClockReading } from '../clock/reading.ts';
import type { WarpResult } from '../clock/warp.ts';
import type { ControlClient } from '../control/client.ts';
import { controlOf, type Devnet, viewOf } from '../devnet/select.ts';
import type { Plan } from '../plan/plan.ts';
import { wallClockNotice } from '../plan/wall-clock.ts';
import type { Event } from '../state/events.ts';
import { type WarpRequest, warpTarget } from './warp-target.ts';

/** Longest warp that a command waits for, ms of the wall clock. */
const WARP_TIMEOUT_MS = 24 * 3600 * 1000;

export interface WarpOptions {
  /** Called with the progress, while the warp is under way. */
  readonly onProgress?: (progress: Extract<Event, { event: 'warp' }>) => void;
  /** Ends the warp at its slot's end. */
  readonly signal?: AbortSignal;
}

/** Reads a network's clock. @throws Failure */
export function readClock(devnet: Devnet): Promise<ClockReading> {
  return asking(devnet, (control) => control.ask<ClockReading>({ method: 'clock', action: 'read' }));
}

/** Stops or starts a network's clock. @throws Failure */
export function setClock(devnet: Devnet, action: 'pause' | 'resume'): Promise<ClockReading> {
  mustBeMovable(viewOf(devnet).plan);
  return asking(devnet, (control) => control.ask<ClockReading>({ method: 'clock', action }));
}

/** Ends the warp under way at its slot's end, whichever program began it. @throws Failure */
export function endWarp(devnet: Devnet): Promise<ClockReading> {
  return asking(devnet, (control) => control.ask<ClockReading>({ method: 'clock', action: 'end' }));
}

/** Moves a network's clock to the next time at which a block of L1 or L2 is due. @throws Failure */
export function advanceSlot(devnet: Devnet): Promise<WarpResult> {
  mustBeMovable(viewOf(devnet).plan);
  return asking(devnet, (control) => control.ask<WarpResult>({ method: 'clock', action: 'step' }));
}

/** Waits until all processes of a network are done with the present time of its clock. @throws Failure */
export function settle(devnet: Devnet): Promise<ClockReading> {
  return asking(devnet, (control) => control.ask<ClockReading>({ method: 'clock', action: 'settle' }));
}

/**
 * Moves a network's clock slot by slot. Resolves when it is there, or when it was ended before.
 * @throws Failure if the clock cannot be moved there, or if a process is not done with a slot in time
 */
export function warp(
  devnet: Devnet,
  request: WarpRequest,
  { onProgress, signal }: WarpOptions = {},
): Promise<WarpResult> {
  const { plan } = viewOf(devnet);
  mustBeMovable(plan);
  return asking(devnet, async (control) => {
    const { at } = await control.ask<ClockReading>({ method: 'clock', action: 'read' });
    const to = warpTarget(request, plan, at);
    if (onProgress !== undefined) void control.events((event) => event.event === 'warp' && onProgress(event));
    const end = () => void control.ask({ method: 'clock', action: 'end' }).catch(() => undefined);
    if (signal?.aborted) return { from: at, at, to, complete: false, ms: 0, blocks: {} };
    signal?.addEventListener('abort', end, { once: true });
    try {
      return await control.ask<WarpResult>({ method: 'warp', to }, WARP_TIMEOUT_MS);
    } finally {
      signal?.removeEventListener('abort', end);
    }
  });
}

/** Runs work that SIGINT, SIGTERM and SIGHUP end in order. */
export async function interruptibly<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const unfollow = onInterrupt(() => stopping.abort());
  try {
    return await work(stopping.signal);
  } finally {
    unfollow();
  }
}

async function asking<T>(devnet: Devnet, ask: (control: ControlClient) => Promise<T>): Promise<T> {
  const control = await controlOf(devnet);
  try {
    return await ask(control);
  } catch (error) {
    if (error instanceof Failure && error.code !== 'control') throw error;
    throw new Failure('warp', messageOf(error), { cause: error });
  } finally {
    control.close();
  }
}

/** @throws Failure if a process reads the machine's clock */
function mustBeMovable(plan: Plan): void {
  const notice = wallClockNotice(plan.tasks);
  if (notice !== undefined) throw new Failure('warp', notice);
}
