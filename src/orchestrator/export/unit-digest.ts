import { createHash } from 'node:crypto';
import { commandNow } from '../folder/files.ts';
import type { Plan, Task } from '../plan/plan.ts';

/**
 * Returns a digest of what a unit runs and reads, without its secrets.
 * It changes when a new spec changes the unit: an engine starts such units again, and no others.
 */
export function unitDigest({ files }: Plan, tasks: readonly Task[]): string {
  const paths = new Set(tasks.flatMap((task) => commandNow(task).reads));
  const texts = files.filter(({ path, secret }) => paths.has(path) && !secret);
  const commands = tasks.map(({ command, prepare, ready, container }) => ({ command, prepare, ready, container }));
  return createHash('sha256')
    .update(JSON.stringify([commands, texts]))
    .digest('hex')
    .slice(0, 16);
}
