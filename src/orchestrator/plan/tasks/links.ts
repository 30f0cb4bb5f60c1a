import type { PlanContext } from '../context.ts';
import { linkId, linksOf } from '../links.ts';
import type { Link, Plan } from '../plan.ts';
import { linkTo, OUTSIDE, reach } from '../reach.ts';

/** Plans the proxies between the tasks of a network with faults. */
export function planLinks({ spec, clients, addresses }: PlanContext): Pick<Plan, 'links'> {
  if (!spec.faults) return {};
  return {
    links: linksOf(spec, clients).flatMap((ends): readonly Link[] => {
      const listen = linkTo(addresses, ends);
      if (listen === undefined) return [];
      // By no link, and L1 by its gate.
      const target = reach(addresses, OUTSIDE, ends.to, ends.port);
      return [{ transport: 'tcp', ...ends, id: linkId(ends), listen, target }];
    }),
  };
}
