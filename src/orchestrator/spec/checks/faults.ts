import type { Check } from './check.ts';
import { processes } from './clients.ts';

/** With faults, a process calls the proxies of the supervisor, and every other process calls it through one. */
export const faults: Check = (context) => {
  if (!context.spec.faults) return;
  const allowed = 'faults: false, or a process of this machine that the devnet starts';
  for (const { path, process, external } of processes(context)) {
    if (external) {
      const message =
        'faults: true needs processes that call the addresses of the plan, and an external one calls its own';
      context.report([[...path, 'external'], ['faults']], 'launch', message, { allowed });
    } else if (process.runtime === 'docker') {
      const message =
        'faults: true needs processes of this machine: a container does not reach the supervisor’s proxies';
      const places = [[...path, 'runtime'], [...path, 'image'], ['runtime'], ['faults']] as const;
      context.report([...places], 'runtime', message, { allowed });
    }
  }
};
