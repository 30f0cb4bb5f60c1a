import type { Plan, Task } from '../plan/plan.ts';
import { redactor, secretsOf } from '../plan/redact.ts';
import { readLogs } from './logs.ts';

/** Selects lines of logs. */
export interface LogSelection {
  /** Only lines that match. */
  readonly grep?: RegExp;
  /** Only lines since this moment, Unix milliseconds. */
  readonly since?: number;
}

/** Returns the lines of the logs of some processes, without secrets. */
export function logLines(plan: Plan, tasks: readonly Task[], { grep, since }: LogSelection = {}): readonly string[] {
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
