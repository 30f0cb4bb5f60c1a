import { printable, readFrom } from '../../system/files/lines.ts';
import { olderPart } from '../../system/files/rotate.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { redactor, secretsOf } from '../plan/redact.ts';

/** Bytes of a log that are searched, lines that are shown, and characters of a line. */
const MAX_SEARCHED_BYTES = 4 * 1024 * 1024;
const MAX_SHOWN_LINES = 300;
const MAX_LINE_CHARS = 1000;

/** Returns the last lines of a task's log that contain a text in any case. Secrets are hidden, long lines cut. */
export function logLines(plan: Plan, { log }: Task, query: string): readonly string[] {
  const newest = readFrom(log, 0, MAX_SEARCHED_BYTES);
  const text =
    newest.length < MAX_SEARCHED_BYTES / 8 ? readFrom(olderPart(log), 0, MAX_SEARCHED_BYTES) + newest : newest;
  const lower = query.toLowerCase();
  const fits = (line: string) => line !== '' && line.toLowerCase().includes(lower);
  const hide = redactor(secretsOf(plan));
  return (
    text
      .split('\n')
      .filter(fits)
      .slice(-MAX_SHOWN_LINES)
      .map((line) => hide(printable(line)))
      // A search for the start of a secret must not tell whether it is right.
      .filter(fits)
      .map((line) => (line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line))
  );
}
