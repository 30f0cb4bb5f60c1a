import * as z from 'zod/mini';
import { Failure } from '../../system/failure.ts';
import { count, duration, rate, time } from '../../system/numbers/schema.ts';
import { standingFaults } from '../faults/schema.ts';
import type { AnsweredRequest } from './requests.ts';

z.config({ jitless: true });

const words = z.array(z.string());
const reading = z.looseObject({ at: time, rate, isPaused: z.boolean() });
const warp = z.looseObject({ from: time, at: time, to: time, complete: z.boolean(), ms: duration });
const end = z.looseObject({ killed: words, errors: words });
const block = z.looseObject({ number: count, hash: z.string() });
const state = z.looseObject({
  name: z.string(),
  phase: z.enum(['starting', 'ready', 'degraded', 'stopping', 'stopped', 'failed']),
  tasks: z.record(z.string(), z.looseObject({ phase: z.string() })),
  problems: z.array(z.looseObject({ subject: z.string(), what: z.string() })),
});

/** The results of the requests of the control socket. A newer supervisor may send more keys. */
const results: Readonly<Record<AnsweredRequest['method'], z.ZodMiniType>> = {
  state: z.looseObject({ state }),
  node: z.looseObject({ tasks: words }),
  skew: z.looseObject({ tasks: words }),
  sequencer: z.looseObject({
    tasks: words,
    head: z.looseObject({ number: count, hash: z.string() }),
    forwarded: count,
  }),
  nodes: z.looseObject({ tasks: words, head: z.nullable(z.looseObject({ number: count, hash: z.string() })) }),
  snapshot: z.looseObject({ at: time }),
  clock: z.union([reading, warp]),
  warp,
  jump: reading,
  l1: z.looseObject({ stalled: z.nullable(z.looseObject({ since: time, until: z.nullable(time) })) }),
  reorg: z.looseObject({ common: block, from: block, to: block }),
  faults: z.looseObject({ faults: standingFaults, ids: words }),
  stop: end,
  down: end,
};

const answer = z.union([
  z.looseObject({
    id: count,
    error: z.string(),
    code: z.optional(z.string()),
    data: z.optional(z.record(z.string(), z.unknown())),
    failure: z.optional(z.looseObject({ what: z.string() })),
  }),
  z.looseObject({ id: count, event: z.looseObject({ event: z.string() }) }),
  z.looseObject({ id: count, result: z.unknown() }),
]);

/** Whether a message of the control socket has the form of an answer. */
export function isAnswer(value: unknown): boolean {
  return answer.safeParse(value).success;
}

/** @throws Failure `control` if a result is not one of its method */
export function mustBeResult(method: AnsweredRequest['method'], result: unknown, path: string): void {
  const parsed = results[method].safeParse(result);
  if (parsed.success) return;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? 'the result' : issue.path.join('.');
  throw new Failure('control', `the answer to "${method}" on ${path} is malformed at ${place}: ${issue?.message}`, {
    hint: 'is its supervisor of another version? `devnet doctor` checks the folder of the socket',
  });
}
