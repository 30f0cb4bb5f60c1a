import type { Plan, Task } from '../plan/plan.ts';
import { redactor, secretsOf } from '../plan/redact.ts';
import { type LogFile, readLogs } from './logs.ts';

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
  readLogs(logFilesOf(tasks), filter, (line) => lines.push(hide(line)));
  return lines;
}

/** Lists the logs of tasks, each once: tasks that an engine runs as one unit share theirs. */
export function logFilesOf(tasks: readonly Task[]): readonly LogFile[] {
  const byPath = new Map(tasks.toReversed().map(({ id, log }) => [log, { task: id, path: log }]));
  return tasks.filter(({ id, log }) => byPath.get(log)?.task === id).map(({ id, log }) => ({ task: id, path: log }));
}
