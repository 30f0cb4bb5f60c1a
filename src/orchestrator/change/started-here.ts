import { EXIT, Failure } from '../../system/failure.ts';
import type { Plan, Task } from '../plan/plan.ts';
import type { Wish } from './replan.ts';

/** Refuses changes to processes that devnet does not start. @throws Failure `usage` */
export function mustBeStartedHere(plan: Plan, targets: readonly Task[], { overrides, args }: Wish): void {
  const ofNodes = plan.tasks.filter(({ chain, node }) =>
    targets.some((task) => node !== undefined && task.chain === chain && task.node === node),
  );
  const changed = overrides.length > 0 ? ofNodes : args.length > 0 ? targets : [];
  const external = changed.find(({ launch }) => launch === 'external');
  if (external === undefined) return;
  const option = overrides.length > 0 ? '--override' : '--arg';
  throw new Failure('usage', `${option}: ${external.id} is external: devnet does not start it and cannot change it`, {
    exit: EXIT.usage,
    hint:
      overrides.length > 0
        ? 'both processes of a node need the same fork times; nothing was stopped. Use a node that devnet starts'
        : 'nothing was stopped; restart that process yourself with the other argument',
  });
}
