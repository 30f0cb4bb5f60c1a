import type { Task } from './plan.ts';

/** Says why the clock of a network cannot be moved, and names the clients; undefined if it can. */
export function wallClockNotice(tasks: readonly Pick<Task, 'id' | 'client' | 'clock'>[]): string | undefined {
  const wall = tasks.filter(({ clock }) => clock === 'wall').map(({ id, client }) => `${id} (${client})`);
  if (wall.length === 0) return undefined;
  const subject = `${wall.join(', ')} ${wall.length === 1 ? 'reads' : 'read'}`;
  return (
    `${subject} the machine's clock: this network's time cannot be moved (\`devnet warp\`, \`devnet pause\`), ` +
    'and a stop leaves a gap in it'
  );
}
