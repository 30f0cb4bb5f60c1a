import { warp } from '../change/warp.ts';
import type { Devnet } from '../devnet/select.ts';
import type { Plan } from '../plan/plan.ts';
import { type ScenarioTime, timeOf } from './time.ts';

/** Longest step (seconds) of a warp that looks for a condition between its steps. */
const MAX_WARP_SECONDS = 600;

/**
 * Returns a time that passes by warps, each twice as long as the last one. Timeouts count by the machine's clock,
 * because the delays that it passes may be days.
 */
export async function warpingTime(devnet: () => Devnet, plan: Plan, end: AbortSignal): Promise<ScenarioTime> {
  const time = await timeOf(devnet, plan, end);
  let seconds = Math.max(plan.network.l1.blockTime, ...plan.network.chains.map(({ blockTime }) => blockTime));
  return {
    ...time,
    kind: 'wall',
    now: () => performance.now(),
    async pass() {
      end.throwIfAborted();
      await warp(devnet(), { to: `+${seconds}s`, past: false, chain: undefined }, { signal: end });
      seconds = Math.min(2 * seconds, MAX_WARP_SECONDS);
    },
  };
}
