import { definedVariables } from '../../system/process.ts';
import { loopbackExempt } from '../../system/proxy.ts';
import { environmentOf } from '../observe/environment.ts';
import type { Plan } from '../plan/plan.ts';
import type { Io } from './command.ts';

/** Returns the environment of a user's command: that of `devnet env`, and no proxy before the network. */
export function commandEnvironment({ env }: Pick<Io, 'env'>, plan: Plan): Record<string, string> {
  return { ...definedVariables(env), ...loopbackExempt(env), ...environmentOf(plan) };
}
