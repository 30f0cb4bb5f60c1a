import { advanceSlot } from '../change/warp.ts';
import { freshState } from '../devnet/fresh-state.ts';
import { isUp, phaseOf, selectDevnet, viewOf } from '../devnet/select.ts';
import type { Io } from '../terminal/io.ts';
import type { Condition } from './condition.ts';
import { waitFor } from './wait.ts';

/** What to wait for, in which devnet. */
export interface DevnetWait {
  /** Name of the devnet; undefined if there is one. */
  readonly name: string | undefined;
  readonly condition: Condition;
  /** A node's name, or `<chain>/<node>`; undefined: all nodes. */
  readonly node: string | undefined;
  readonly timeoutMs: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/** Waits until a condition holds in a devnet. The code is 3 on timeout, and 1 if it can no longer come true. */
export function waitInDevnet(
  io: Io,
  { name, ...wait }: DevnetWait,
): Promise<{ readonly code: number; readonly description: string }> {
  return waitFor({
    ...wait,
    look() {
      const devnet = selectDevnet(io, name);
      return { phase: phaseOf(devnet), up: isUp(devnet), plan: viewOf(devnet).plan };
    },
    advance: async ({ time }) =>
      time.clock === 'stepped' ? (await advanceSlot(selectDevnet(io, name))).at : undefined,
    confirm: () => freshState(selectDevnet(io, name)),
  });
}
