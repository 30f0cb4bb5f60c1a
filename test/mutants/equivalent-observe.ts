import type { EquivalentMutant } from './equivalent.ts';

/** Equivalent mutants of the folders `divergence`, `inspect`, `logs` and `wait` of `src/orchestrator`. */
export const OBSERVE: Readonly<Record<string, readonly EquivalentMutant[]>> = {
  'src/orchestrator/logs/log-parts.ts': [
    {
      line: 'while (position < to) {',
      change: 'position < to ⇒ position <= to',
      reason: 'an empty read has no whole line, which ends the loop, too',
    },
    {
      line: 'let first = -1;',
      change: '-1 ⇒ +1',
      reason: 'nothing is at infinity, and a log that is read out ends the merge',
    },
    {
      line: 'if (done === true || (first >= 0 && value.at >= earliest)) continue;',
      change: 'first >= 0 ⇒ true',
      reason: 'nothing is at infinity, the time before the first choice',
    },
    {
      line: 'if (log === undefined || item === undefined || item.done === true)',
      change: 'log === undefined ⇒ false',
      reason: 'the line of a log that is not there is not there either',
    },
    {
      line: 'if (log === undefined || item === undefined || item.done === true)',
      change: 'item === undefined ⇒ false',
      reason: 'both are undefined together',
    },
    {
      line: 'if (log === undefined || item === undefined || item.done === true)',
      change: 'item.done === true ⇒ false',
      reason: 'a log that is read out is not chosen',
    },
    {
      line: 'return next.map(({ done, value }) => (done === true ? value : 0));',
      change: 'done === true ⇒ true',
      reason: 'the merge ends when each log is read out',
    },
    {
      line: 'if (log === undefined || item === undefined || item.done === true)',
      change: 'log === undefined || item === undefined ⇒ log === undefined && item === undefined',
      reason: 'both are undefined together',
    },
  ],
  'src/orchestrator/logs/logs.ts': [
    {
      line: 'const filter = pattern === undefined ? {} : { pattern };',
      change: 'pattern === undefined ⇒ false',
      reason: 'a pattern that is undefined filters nothing',
    },
    {
      line: 'if ((since !== undefined && at < since) || pattern?.test(text) === false) return;',
      change: 'since !== undefined ⇒ true',
      reason: 'no number is below undefined',
    },
    {
      line: 'logs.map(({ path }, log) => [path, { offset: offsets[log] ?? 0, generation: ranges[log]?.generation }]),',
      change: 'ranges[log]?.generation ⇒ ranges[log].generation',
      reason: 'there is a range for each log',
    },
    {
      line: 'const isWhole = !readRange(older, 0, DROPPED.length).toString().startsWith(DROPPED);',
      change:
        'readRange(older, 0, DROPPED.length).toString().startsWith(DROPPED) ⇒ readRange(older, 0, DROPPED.length).toString().endsWith(DROPPED)',
      reason: 'the text has at most as many letters as the words',
    },
  ],
  'src/orchestrator/logs/task-logs.ts': [
    {
      line: 'const filter = { ...(grep && { pattern: grep }), ...(since === undefined ? {} : { since }) };',
      change: 'since === undefined ⇒ false',
      reason: 'a moment that is undefined filters nothing',
    },
    {
      line: 'return tasks.filter(({ id, log }) => byPath.get(log)?.task === id).map(({ id, log }) => ({ task: id, path: log }));',
      change: 'byPath.get(log)?.task ⇒ byPath.get(log).task',
      reason: 'the log of each task is in the map',
    },
  ],
};
