import type { Plan } from '../orchestrator/plan/plan.ts';
import { type ScenarioTime, timeOf } from '../orchestrator/scenario/time.ts';
import { warp } from '../orchestrator/workflow/clock.ts';
import type { Devnet } from '../orchestrator/workflow/select.ts';

/** Longest step (seconds) of a warp that looks for a condition between its steps. */
const LONGEST = 600;

/** Returns how time goes on until a network ends: by itself, or slot by slot where it is stepped. */
export function networkTime(devnet: () => Devnet, plan: Plan, ended: AbortSignal): Promise<ScenarioTime> {
  return timeOf(devnet, plan, ended);
}

/**
 * Returns a time that passes by warps, each twice as long as the last one. Timeouts count by the machine's clock,
 * because the delays that it passes may be days.
 */
export async function warpingTime(devnet: () => Devnet, plan: Plan, ended: AbortSignal): Promise<ScenarioTime> {
  const time = await networkTime(devnet, plan, ended);
  let seconds = Math.max(plan.network.l1.blockTime, ...plan.network.chains.map(({ blockTime }) => blockTime));
  return {
    ...time,
    kind: 'wall',
    now: () => performance.now(),
    async pass() {
      await warp(devnet(), { to: `+${seconds}s`, past: false, chain: undefined });
      seconds = Math.min(2 * seconds, LONGEST);
    },
  };
}
