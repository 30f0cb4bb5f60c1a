import * as z from 'zod/mini';
import { tasksOf } from '../../devnet/targets.ts';
import { readLogs } from '../../logs/logs.ts';
import { text, withDescription } from '../../spec/schema/words.ts';
import { defineExpectation } from '../expectation.ts';
import { knowsProcess } from '../facts.ts';

const schema = z.strictObject({
  of: withDescription(text, 'NODE, NODE.el, NODE.cl, batcher, or a task as status names it'),
  matches: withDescription(text, 'a regular expression that a line must match'),
});

/** A log has a line that matches. */
export const log = defineExpectation({
  name: 'log',
  schema,
  check({ of, matches }, facts) {
    knowsProcess(facts, ['log', 'of'], of);
    if (patternOf(matches) === undefined)
      facts.report(['log', 'matches'], 'not a regular expression', { allowed: 'a regular expression of JavaScript' });
  },
  async begin({ of, matches }, run) {
    const pattern = new RegExp(matches);
    return async () => {
      const logs = tasksOf(run.plan(), of).map(({ id, log: path }) => ({ task: id, path }));
      let line: string | undefined;
      readLogs(logs, { pattern }, (each) => {
        line ??= each;
      });
      return line === undefined
        ? { holds: false, because: `no line of ${logs.map(({ task }) => task).join(', ')} matches ${matches}` }
        : { holds: true, evidence: { line: line.slice(0, 500) } };
    };
  },
});

function patternOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}
