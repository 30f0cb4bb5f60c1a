import type { Path } from '../schema/json.ts';
import type { Check } from './check.ts';
import { processes } from './clients.ts';

const ALLOWED = 'faults: false, or a process of this machine that the devnet starts';

/** With faults, a process calls the proxies of the supervisor, and every other process calls it through one. */
export const faults: Check = (context) => {
  if (!context.spec.faults) return;
  const keys = new Set<string>();
  // One key may put many processes into containers.
  const report = (places: readonly [Path, ...Path[]], code: 'launch' | 'runtime', message: string) => {
    const place = places.find(context.isGiven) ?? places[0];
    if (keys.has(place.join('.'))) return;
    keys.add(place.join('.'));
    context.report(place, code, message, { allowed: ALLOWED });
  };
  for (const { path, process, external } of processes(context)) {
    if (external)
      report(
        [[...path, 'external']],
        'launch',
        'faults: true needs processes that call the addresses of the plan, and an external one calls its own',
      );
    else if (process.runtime === 'docker')
      report(
        [[...path, 'runtime'], [...path, 'image'], ['runtime']],
        'runtime',
        'faults: true needs processes of this machine: a container does not reach the supervisor’s proxies',
      );
  }
};
