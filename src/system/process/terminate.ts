import { constants } from 'node:os';
/** How something ended: before the signal, by the signal, or by SIGKILL after its grace. */
export type Termination = 'gone' | 'stopped' | 'killed';

export interface Stop {
  readonly signal: NodeJS.Signals;
  /** Grace (ms) before SIGKILL. */
  readonly graceMs: number;
  /**
   * Delay (ms) before the signal is repeated, if the grace is longer. A second signal makes a program give up what
   * it waits for.
   */
  readonly againMs?: number | undefined;
}

/** A process group or a container. */
export interface Stoppable {
  /** Its name in an error. */
  readonly name: string;
  /** Sends a signal, also to what is suspended. Without effect if nothing runs. */
  send(signal: NodeJS.Signals): void | Promise<void>;
  /** Resolves with true once nothing of it runs any more; with false after `withinMs`, or when `cut` is aborted. */
  waitForEnd(withinMs: number, cut?: AbortSignal): Promise<boolean>;
}

/** Time (ms) for which something may survive SIGKILL. */
const SIGKILL_GRACE_MS = 5000;

/**
 * Ends something: signal, grace, SIGKILL. Resolves when nothing of it runs any more. `kill` cuts the grace short.
 * @throws Error if it survives SIGKILL for 5 s
 */
export async function terminate(target: Stoppable, stop: Stop, kill: AbortSignal): Promise<Termination> {
  const { signal, graceMs } = stop;
  const firstMs = Math.min(stop.againMs ?? graceMs, graceMs);
  if (await target.waitForEnd(0)) return 'gone';
  for (const withinMs of [firstMs, graceMs - firstMs]) {
    if (kill.aborted || withinMs === 0) continue;
    await target.send(signal);
    if (await target.waitForEnd(withinMs, kill)) return 'stopped';
  }
  await target.send('SIGKILL');
  if (!(await target.waitForEnd(SIGKILL_GRACE_MS))) throw new Error(`${target.name} survives SIGKILL`);
  return 'killed';
}

/** Returns the signal of a number, undefined if there is none. */
export function signalOf(number: number): NodeJS.Signals | undefined {
  return Object.entries(constants.signals)
    .map(([name, value]) => ({ name: name as NodeJS.Signals, value }))
    .find(({ value }) => value === number)?.name;
}
