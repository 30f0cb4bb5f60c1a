import type { LiveTask } from '../processes/live-task.ts';

/** Says that the clock of a task, or of the other process of its node, is skewed. Undefined: neither is. */
export function skewOf(
  subject: string,
  tasks: ReadonlyMap<string, LiveTask>,
  skews: ReadonlyMap<string, number>,
): string | undefined {
  const task = tasks.get(subject)?.task;
  const isOfNode = (id: string) => {
    const other = tasks.get(id)?.task;
    return task?.node !== undefined && other?.chain === task.chain && other?.node === task.node;
  };
  const skewed = skews.has(subject) ? subject : [...skews.keys()].find(isOfNode);
  if (skewed === undefined) return undefined;
  const of = skewed === subject ? 'its clock' : `the clock of ${skewed}`;
  return `${of} is ${skewText(skews.get(skewed) ?? 0)}, by \`devnet clock skew\``;
}

/** Returns a skew as text: `10 s ahead`, `1.5 s behind`. */
export function skewText(ms: number): string {
  return `${Math.abs(ms) / 1000} s ${ms < 0 ? 'behind' : 'ahead'}`;
}
