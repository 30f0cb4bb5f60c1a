import { loopbackExempt } from '../../system/net/proxy.ts';
import { definedVariables } from '../../system/process/process.ts';
import { environmentOf } from '../environment/environment.ts';
import type { Plan } from '../plan/plan.ts';
import type { Io } from '../terminal/io.ts';

/** Returns the environment of a user's command: that of `devnet env`, and no proxy before the network. */
export function commandEnvironment({ env }: Pick<Io, 'env'>, plan: Plan): Record<string, string> {
  return { ...definedVariables(env), ...loopbackExempt(env), ...environmentOf(plan) };
}
