import * as z from 'zod/mini';
import { present } from '../../../protocol/present.ts';
import { clientFor } from '../../probe/call.ts';
import { choice, withDescription } from '../../spec/schema/words.ts';
import { knowsChain, runsHere } from '../facts.ts';
import { chainNamed } from '../places.ts';
import { defineStep } from '../step.ts';
import { chainName } from '../words.ts';

/** Names of the answers, as the DA server of this package knows them. */
const ANSWERS = ['honest', 'withhold', 'wrong-data', 'wrong-commitment'] as const;

/** Time (ms) within which the DA server answers. */
const DA_ANSWER_TIMEOUT_MS = 30_000;

/** Says how a chain's DA server answers from now on. */
export const altDa = defineStep({
  name: 'altDa',
  summary: "Says how a chain's DA server answers from now on.",
  schema: z.strictObject({
    answer: withDescription(
      choice(...ANSWERS),
      'honest; withhold: it has no data; wrong-data: other bytes; wrong-commitment: one of another kind',
    ),
    chain: z.exactOptional(chainName),
  }),
  check({ chain: name }, facts) {
    if (!knowsChain(facts, ['chain'], name)) return;
    const chain = chainNamed(facts.plan, name);
    if (chain?.daServer === undefined)
      facts.report([], `${chain?.name} has no DA server`, { allowed: 'a chain with altDa: {}' });
    else runsHere(facts, [], chain.daServer.task);
  },
  async run({ answer, chain }, run) {
    const server = present(chainNamed(run.plan(), chain)?.daServer, 'DA server of an altDa step');
    const rpc = clientFor(present(server.rpc, 'address of the DA server'));
    await rpc.call('devnet_answer', [answer], { timeoutMs: DA_ANSWER_TIMEOUT_MS, signal: run.signal });
    return {};
  },
});
