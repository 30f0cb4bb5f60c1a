import { pause } from '../../system/time/pause.ts';
import type { Stamps } from '../state/state.ts';
import { OutOfTime } from './launch.ts';

/** Stamps that have a time budget, in the order in which they come. */
export const BUDGETED = ['spawned', 'answering', 'agreed', 'safe'] as const satisfies readonly (keyof Stamps)[];

/** Milliseconds after the beginning of a start, by stamp. */
export type StampBudgets = Partial<Record<(typeof BUDGETED)[number], number>>;

/** The times for a start. */
export interface StartTimes {
  /** Deadline (ms) for the network to be ready. */
  readonly budgetMs: number;
  /** Deadlines of single stamps, counted from `began` (Unix ms). */
  readonly stamps?: { readonly began: number; readonly ms: StampBudgets };
}

/** Aborts a start if it is not ready in time, or lacks a stamp at its deadline. Returns what ends this. */
export function deadlines(
  { budgetMs, stamps }: StartTimes,
  reached: () => Stamps,
  start: AbortController,
): { clear(): void } {
  const over = new AbortController();
  const after = (ms: number, work: () => void) =>
    void pause(ms, over.signal).then(() => {
      if (!over.signal.aborted) work();
    });
  after(budgetMs, () => start.abort(new OutOfTime(budgetMs / 1000)));
  for (const stamp of BUDGETED) {
    const ms = stamps?.ms[stamp];
    if (stamps === undefined || ms === undefined) continue;
    const end = stamps.began + ms;
    after(Math.max(0, end - Date.now()), () => {
      if ((reached()[stamp] ?? Number.POSITIVE_INFINITY) > end) start.abort(new OutOfTime(ms / 1000, stamp));
    });
  }
  return { clear: () => over.abort() };
}

/** Time (s) for a restarted node to become ready. */
const READY_SECONDS = 60;

/** Runs work that must be done within the time for a start. */
export async function inTime<T>(ending: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new OutOfTime(READY_SECONDS)), READY_SECONDS * 1000);
  try {
    return await work(AbortSignal.any([ending, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
