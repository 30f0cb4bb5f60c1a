import type { Plan } from '../plan/plan.ts';
import { type Render, writeFiles } from './files.ts';
import { OutOfTime } from './launch.ts';
import type { LiveTask } from './live-task.ts';
import type { Network } from './network.ts';
import type { Record } from './record.ts';
import type { Request } from './requests.ts';

/** Seconds that a node which is started again has to become ready. */
const READY_SECONDS = 60;

/** Stops, starts, restarts or kills the tasks of a node. Resolves when they are ready, or gone. @throws TaskFailure */
export async function nodeAction(
  request: Extract<Request, { method: 'node' }>,
  plan: Plan,
  network: Network,
  record: Record,
  { render, kill }: { readonly render: Render; readonly kill: AbortController },
  ending: AbortSignal,
): Promise<{ readonly tasks: readonly string[] }> {
  const live = request.tasks.map((id) => {
    const task = network.tasks.get(id);
    if (task === undefined)
      throw new Error(`there is no task ${id}; there are ${[...network.tasks.keys()].join(', ')}`);
    return task;
  });
  if (!record.wasReady()) throw new Error('the network is still starting: wait until it is ready');
  const runs = (each: LiveTask) => each.phase !== 'stopped' && each.phase !== 'failed';
  if (request.action === 'start' && live.every(runs)) return { tasks: [] };
  if (request.action !== 'start')
    await network.end(live, request.action === 'kill' ? AbortSignal.abort() : kill.signal);
  if (request.action === 'start' || request.action === 'restart') {
    await writeFiles(request.files ?? [], plan, render);
    const changed = new Map((request.changed ?? []).map((task) => [task.id, task]));
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new OutOfTime(READY_SECONDS)), READY_SECONDS * 1000);
    try {
      await network.restart(
        request.action === 'start' ? live.filter((each) => !runs(each)) : live,
        changed,
        AbortSignal.any([ending, late.signal]),
      );
    } finally {
      clearTimeout(timer);
    }
  }
  record.write();
  return { tasks: live.map((each) => each.task.id) };
}
