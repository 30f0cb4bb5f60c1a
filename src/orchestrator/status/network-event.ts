import * as z from 'zod/mini';
import type { NetworkEvent } from '../state/network-event-type.ts';

z.config({ jitless: true });

const text = z.string();
const number = z.number();
const block = z.object({ number: z.int(), hash: text });
const texts = z.array(text);

/** Defines one kind of event. */
function kind<Name extends string, Shape extends z.core.$ZodShape>(name: Name, shape: Shape) {
  return z.object({ kind: z.literal(name), at: number, ...shape });
}

/** The schema of what `devnet watch` prints: one object a line. Other keys are left out. */
export const networkEvent: z.ZodMiniType<NetworkEvent> = z.discriminatedUnion('kind', [
  kind('head', { chain: text, node: text, ...block.shape, time: number }),
  kind('fork', { chain: text, node: text, fork: text, block: z.int(), time: number }),
  kind('reorg', { chain: text, node: text, from: block, to: block }),
  kind('stall', { subject: text, what: text, since: number, because: z.nullable(text) }),
  kind('recovery', { subject: text, what: text, since: number }),
  kind('divergence', {
    ...{ chain: text, block: z.int(), nodes: texts },
    ...{ how: z.enum(['hash', 'refused']), fields: texts, reason: text, since: number },
  }),
  kind('explanation', { chain: text, block: z.int(), nodes: texts, path: text, lines: texts }),
  kind('agreement', { chain: text, block: z.int(), nodes: texts }),
  kind('started', { task: text, pid: z.nullable(z.int()) }),
  kind('ended', { task: text, what: text }),
  kind('phase', { phase: text }),
]);
