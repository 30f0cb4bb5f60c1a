import type { ClientTemplate } from '../../template/template.ts';
import { entryOf } from '../lookup.ts';
import type { Task } from '../plan.ts';

/**
 * Returns the tasks that a template needs, by their ids.
 * A real beacon client answers after many seconds. Rollup nodes end when it does not, so they wait for it.
 */
export function needsOf(
  template: ClientTemplate,
  ids: { readonly el: string; readonly cl: string },
  beacon: ClientTemplate,
): Task['needs'] {
  const tasks = { l1: 'l1', beacon: 'l1-beacon', ...ids };
  const first =
    template.kind === 'cl' && beacon.drivesEngine && !beacon.drivesAnvil ? { beacon: 'ready' as const } : {};
  return Object.entries({ ...template.needs, ...first }).map(([name, until]) => ({
    task: entryOf(tasks, name),
    until,
  }));
}
