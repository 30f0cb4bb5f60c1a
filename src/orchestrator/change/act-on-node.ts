import type { ControlClient } from '../control/client.ts';
import type { Request } from '../control/requests.ts';
import { type Devnet, viewOf, withControl } from '../devnet/select.ts';
import { tasksOf } from '../devnet/targets.ts';
import type { Io } from '../terminal/io.ts';

/** What is said of tasks on which an action was done, and of the others. */
const OUTCOMES = {
  stop: ['stopped', 'not running'],
  kill: ['killed', 'not running'],
  start: ['started', 'already running'],
  pause: ['paused', 'not running'],
  resume: ['resumed', 'not paused'],
} as const;

export type NodeAction = keyof typeof OUTCOMES;

/** Does an action on a node's processes and says what it did. @throws Failure */
export async function sayAction(io: Io, devnet: Devnet, action: NodeAction, node: string): Promise<void> {
  const { done, others } = await actOnNode(devnet, action, node);
  const [did, otherwise] = OUTCOMES[action];
  if (done.length > 0) io.stderr(`${done.join(', ')} ${did}\n`);
  if (others.length > 0) io.stderr(`${otherwise}: ${others.join(', ')}\n`);
}

/** Tasks on which an action was done, and tasks that needed none. */
interface Acted {
  readonly done: readonly string[];
  readonly others: readonly string[];
}

/** Does an action on the processes that a word names, and waits for the result. @throws Failure */
export async function actOnNode(devnet: Devnet, action: NodeAction, word: string): Promise<Acted> {
  const tasks = tasksOf(viewOf(devnet).plan, word).map(({ id }) => id);
  return withControl(devnet, async (control) => {
    const done = await askSupervisor(control, { method: 'node', action, tasks });
    return { done, others: tasks.filter((id) => !done.includes(id)) };
  });
}

/** Timeout (ms) of a restart. Covers the stop grace and a minute to start, twice if old arguments are restored. */
const RESTART_TIMEOUT_MS = 300_000;

/** Requests an action on tasks. Returns the ids of those it was done on. @throws Failure */
export async function askSupervisor(
  control: ControlClient,
  request: Omit<Extract<Request, { method: 'node' }>, 'id'>,
): Promise<readonly string[]> {
  return (await control.ask<{ readonly tasks: readonly string[] }>(request, RESTART_TIMEOUT_MS)).tasks;
}
