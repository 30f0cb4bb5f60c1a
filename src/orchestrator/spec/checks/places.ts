import type { Path } from '../schema/json.ts';
import { type Check, type CheckContext, chainsOf } from './check.ts';

/** A place belongs to what an engine starts. */
export const places: Check = (context) => {
  if (context.spec.l1.beacon.place !== undefined)
    report(context, ['l1', 'beacon'], 'the beacon node of L1 runs where anvil runs', 'l1.place');
  for (const [name, { nodes }] of chainsOf(context)) {
    for (const [node, { el, cl, place }] of Object.entries(nodes)) {
      const path = context.nodePath(name, node);
      const parts = Object.entries({ el, cl }).filter(([, { external }]) => external !== undefined);
      for (const [part, process] of parts)
        if (process.place !== undefined)
          report(context, [...path, part], `an external ${part} has no process here, so it has no place`);
      if (place !== undefined && parts.length === 2)
        report(context, path, `both parts of "${node}" are external: it has no process here, so it has no place`);
    }
  }
};

function report(context: CheckContext, path: Path, message: string, allowed?: string): void {
  context.report([...path, 'place'], 'launch', message, { allowed });
}
