import type { GaugeSpec } from './gauge/gauge.ts';

/** Returns for each gauge the tasks that its movement depends on, through all causes. */
export function dependencies(gauges: readonly GaugeSpec[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byId = new Map(gauges.map((gauge) => [gauge.id, gauge]));
  return new Map(gauges.map(({ id }) => [id, tasksBehind(id, byId)]));
}

function tasksBehind(id: string, byId: ReadonlyMap<string, GaugeSpec>): ReadonlySet<string> {
  const tasks = new Set<string>();
  const ids = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (ids.has(next)) continue;
    ids.add(next);
    const gauge = byId.get(next);
    tasks.add(gauge?.subject ?? next);
    if (gauge !== undefined) open.push(...gauge.causes);
  }
  return tasks;
}
