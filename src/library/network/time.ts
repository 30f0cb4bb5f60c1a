import type { Devnet } from '../../orchestrator/devnet/select.ts';
import type { Plan } from '../../orchestrator/plan/plan.ts';
import { type ScenarioTime, timeOf } from '../../orchestrator/scenario/time.ts';

/** Returns how time goes on until a network ends: by itself, or slot by slot if it is stepped. */
export function networkTime(devnet: () => Devnet, plan: Plan, end: AbortSignal): Promise<ScenarioTime> {
  return timeOf(devnet, plan, end);
}
