import { readLogs } from '../orchestrator/observe/logs.ts';
import type { Plan, Task } from '../orchestrator/plan/plan.ts';
import { redactor, secretsOf } from '../orchestrator/plan/redact.ts';
import type { LogOptions } from './devnet-types.ts';

/** Returns the lines of the logs of some processes, without secrets. */
export function logLines(plan: Plan, tasks: readonly Task[], { grep, since }: LogOptions = {}): readonly string[] {
  const hide = redactor(secretsOf(plan));
  const lines: string[] = [];
  const filter = { ...(grep && { pattern: grep }), ...(since === undefined ? {} : { since }) };
  readLogs(
    tasks.map(({ id, log }) => ({ task: id, path: log })),
    filter,
    (line) => lines.push(hide(line)),
  );
  return lines;
}
