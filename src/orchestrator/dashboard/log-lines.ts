import { printable, readFrom } from '../../system/files/lines.ts';
import { olderPart } from '../../system/files/rotate.ts';
import { timeOfLine } from '../../system/program/line-time.ts';
import { logFilesOf } from '../logs/task-logs.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { redactor, secretsOf } from '../plan/redact.ts';

/** Bytes that are searched of one log alone, and the least of each of many: together they are as many. */
const MAX_SEARCHED_BYTES = 4 * 1024 * 1024;
const MIN_SEARCHED_BYTES = 32 * 1024;
/** Lines that are shown, and characters of a line. */
const MAX_SHOWN_LINES = 300;
const MAX_LINE_CHARS = 1000;

type Level = 'debug' | 'info' | 'warn' | 'error';
/** From the least grave one on. */
const LEVELS: readonly string[] = ['debug', 'info', 'warn', 'error'] satisfies Level[];

/** A line of a log as the page shows it. */
export interface LogRow {
  readonly task: string;
  /** Unix milliseconds; null before the first line with a time. */
  readonly at: number | null;
  readonly level: Level;
  readonly text: string;
}

/** Selects lines: those with a text in any case, of a level or a graver one. */
export interface LogQuery {
  readonly text: string;
  readonly level: string;
}

/** Returns the last lines of some tasks' logs, merged by time. Secrets are hidden, long lines cut. */
export function logRows(plan: Plan, tasks: readonly Task[], query: LogQuery): readonly LogRow[] {
  const files = logFilesOf(tasks);
  const most = Math.max(MIN_SEARCHED_BYTES, Math.floor(MAX_SEARCHED_BYTES / Math.max(1, files.length)));
  const hide = redactor(secretsOf(plan));
  const lower = query.text.toLowerCase();
  const fits = (line: string) => line !== '' && line.toLowerCase().includes(lower);
  const least = LEVELS.indexOf(query.level);
  const now = Date.now();
  const rows = files.flatMap(({ task, path }) => {
    let at: number | null = null;
    let level: Level = 'info';
    const all: LogRow[] = [];
    for (const line of linesOf(path, most)) {
      at = timeOfLine(line, now) ?? at;
      level = levelOf(line) ?? level;
      if (LEVELS.indexOf(level) < least || !fits(line)) continue;
      const text = hide(printable(line));
      // A search for the start of a secret must not tell whether it is right.
      if (fits(text)) all.push({ task, at, level, text: cut(text) });
    }
    return all.slice(-MAX_SHOWN_LINES);
  });
  // Lines of one log keep their order: the sort is stable, and a line without a time has that of the line before.
  return rows.sort((a, b) => (a.at ?? 0) - (b.at ?? 0)).slice(-MAX_SHOWN_LINES);
}

function linesOf(path: string, most: number): readonly string[] {
  const newest = readFrom(path, 0, most);
  const lines = newest.split('\n');
  if (newest.length < most / 8) return [...readFrom(olderPart(path), 0, most).split('\n'), ...lines];
  if (newest.length < most) return lines;
  // What was read may begin inside a line, and inside a secret of it.
  const [first = '', ...others] = lines;
  return others.some((line) => line !== '') ? others : [`…${first.slice(MAX_LINE_CHARS)}`];
}

const cut = (line: string): string => (line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line);

/** Words for a level in the formats of op-node, geth, reth and anvil, near the begin of a line. */
const LEVEL_WORD = /\b(?:lvl=|"level":")?(debug|dbug|trace|info|warn(?:ing)?|eror|error|crit|fatal)\b/i;
const LEVEL_CHARS = 120;

function levelOf(line: string): Level | undefined {
  const word = LEVEL_WORD.exec(line.slice(0, LEVEL_CHARS))?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  if (['debug', 'dbug', 'trace'].includes(word)) return 'debug';
  if (word === 'info') return 'info';
  return word.startsWith('warn') ? 'warn' : 'error';
}
