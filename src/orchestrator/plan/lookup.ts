import type { Plan, Task } from './plan.ts';

/** Returns an entry that checked inputs always have. @throws Error naming the key if it is missing */
export function entryOf<T>(entries: Readonly<Record<string, T>> | ReadonlyMap<string, T>, key: string): T {
  const value = isMap(entries) ? entries.get(key) : entries[key];
  if (value === undefined) throw new Error(`the plan has no entry ${JSON.stringify(key)}`);
  return value;
}

function isMap<T>(entries: Readonly<Record<string, T>> | ReadonlyMap<string, T>): entries is ReadonlyMap<string, T> {
  return entries instanceof Map;
}

/** Ids of the tasks of a node. */
export interface TaskIds {
  readonly el: string;
  readonly cl: string;
}

/** Returns the ids of a node's tasks. */
export function taskIds(chain: string, node: string): TaskIds {
  return { el: `${chain}/${node}/el`, cl: `${chain}/${node}/cl` };
}

/** Returns the id of the conductor of one sequencer alone. */
export function memberId(chain: string, node: string): string {
  return `${chain}/${node}/conductor`;
}

/** Whether a network runs elsewhere: `devnet attach` starts none of its processes but those of nodes that join. */
export function isAttached({ tasks }: Pick<Plan, 'tasks'>): boolean {
  return tasks.some(({ id, launch }) => id === 'l1' && launch === 'external');
}

/** Id of the task that brings ports and logs of an attached network's engine to this machine. */
export const TUNNEL = 'tunnel';

/** Finds a task by its id. @throws Error if the plan has none */
export function taskOf({ tasks }: Pick<Plan, 'tasks'>, id: string): Task {
  const task = tasks.find((each) => each.id === id);
  if (task === undefined) throw new Error(`the plan has no task ${id}`);
  return task;
}

/** Finds the task that has the host and port of a URL. */
export function taskAt({ tasks }: Pick<Plan, 'tasks'>, url: string): Task | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  return tasks.find(({ ports }) => ports.some((each) => each.host === hostname && String(each.port) === port));
}
