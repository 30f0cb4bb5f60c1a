import * as z from 'zod/mini';
import { count, pid, second, time } from '../../system/numbers/schema.ts';
import type { NetworkEvent } from '../state/network-event-type.ts';

z.config({ jitless: true });

const text = z.string();
const block = z.object({ number: count, hash: text });
const texts = z.array(text);

/** Defines one kind of event. */
function kind<Name extends string, Shape extends z.core.$ZodShape>(name: Name, shape: Shape) {
  return z.object({ kind: z.literal(name), at: time, ...shape });
}

/** The schema of what `devnet watch` prints: one object a line. Other keys are left out. */
export const networkEvent: z.ZodMiniType<NetworkEvent> = z.discriminatedUnion('kind', [
  kind('head', { chain: text, node: text, ...block.shape, time: second }),
  kind('fork', { chain: text, node: text, fork: text, block: count, time: second }),
  kind('reorg', { chain: text, node: text, from: block, to: block }),
  kind('stall', { subject: text, what: text, since: time, because: z.nullable(text) }),
  kind('recovery', { subject: text, what: text, since: time }),
  kind('divergence', {
    ...{ chain: text, block: count, nodes: texts },
    ...{ how: z.enum(['hash', 'refused']), fields: texts, reason: text, since: time },
  }),
  kind('explanation', { chain: text, block: count, nodes: texts, path: text, lines: texts }),
  kind('agreement', { chain: text, block: count, nodes: texts }),
  kind('started', { task: text, pid: z.nullable(pid) }),
  kind('ended', { task: text, what: text }),
  kind('fault', { id: text, what: text, state: z.enum(['added', 'healed', 'done']) }),
  kind('phase', { phase: text }),
]);
