import * as z from 'zod/mini';
import { httpGet, type RestAnswer } from '../../../rpc/client/http-rest.ts';
import { Failure, messageOf } from '../../../system/failure.ts';
import { tasksOf } from '../../devnet/targets.ts';
import type { Plan } from '../../plan/plan.ts';
import { text, withDescription } from '../../spec/schema/words.ts';
import { boundsOf, broken, isBound } from '../bounds.ts';
import { defineExpectation } from '../expectation.ts';
import { knowsProcess } from '../facts.ts';
import { sumOf } from '../metrics-text.ts';
import type { Verdict } from '../run.ts';

/** Timeout (ms) of a request, and the largest answer that is read. */
const METRIC_TIMEOUT_MS = 4000;
const MAX_ANSWER_BYTES = 4_000_000;

const METRIC_NAME = 'the name of a metric, such as op_node_default_refs_number';

const schema = z
  .strictObject({
    of: withDescription(text, 'NODE.cl, or a task as status names it'),
    name: withDescription(z.string(METRIC_NAME).check(z.regex(/^[A-Za-z_:][\w:]{0,200}$/, METRIC_NAME)), METRIC_NAME),
    labels: z.exactOptional(withDescription(z.record(z.string(), text), 'only series with these labels')),
    ...boundsOf(withDescription(z.number(), 'compared with the value')),
  })
  .check(z.refine(isBound, 'one of is, above, below'));

function unread(of: string, reason: string): Verdict {
  return { holds: false, because: `the metrics of ${of} cannot be read: ${reason}` };
}

/** A metric of a process has a value. Series that match are added up. */
export const metric = defineExpectation({
  name: 'metric',
  schema,
  check(value, facts) {
    if (!knowsProcess(facts, ['metric', 'of'], value.of) || urlsOf(facts.plan, value.of).length > 0) return;
    facts.report(['metric', 'of'], `${value.of} serves no metrics`, {
      allowed: 'a rollup node whose spec has args: { metrics.enabled: true }',
    });
  },
  async begin({ of, name, labels = {}, ...bounds }, run) {
    return async (): Promise<Verdict> => {
      const [url] = urlsOf(run.plan(), of);
      if (url === undefined) throw new Failure('metric', `${of} serves no metrics`);
      let answer: RestAnswer;
      try {
        answer = await httpGet(url, { timeoutMs: METRIC_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES });
      } catch (error) {
        return unread(of, messageOf(error));
      }
      if (answer.status !== 200) return unread(of, `HTTP ${answer.status}`);
      const value = sumOf(answer.text, name, labels);
      if (value === undefined) return { holds: false, because: `${of} has no metric ${name} with these labels` };
      const wrong = broken(value, bounds);
      const evidence = { metric: value };
      return wrong === undefined
        ? { holds: true, evidence }
        : { holds: false, because: `${name} of ${of} is ${wrong}`, evidence };
    };
  },
});

/** Returns the addresses of the metrics of the processes that a word names. */
function urlsOf(plan: Plan, word: string): readonly string[] {
  return tasksOf(plan, word).flatMap(({ ports }) =>
    ports.flatMap(({ name, host, port }) => (name === 'metrics' ? [`http://${host}:${port}/metrics`] : [])),
  );
}
