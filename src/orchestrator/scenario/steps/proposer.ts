import type { Hex } from 'viem';
import * as z from 'zod/mini';
import { present } from '../../../protocol/present.ts';
import { sayAction } from '../../change/act-on-node.ts';
import { choice, key, withDescription } from '../../spec/schema/words.ts';
import { proposeFalseOutput } from '../../traffic/games/false-output.ts';
import { forgeWithdrawal } from '../../traffic/games/forged-withdrawal.ts';
import { gameOf } from '../../traffic/games/games.ts';
import { chainAt } from '../../traffic/transaction.ts';
import { outputEvidence } from '../evidence.ts';
import { type Facts, knowsPoster } from '../facts.ts';
import { chainNamed, posterTask } from '../places.ts';
import { untilHolds } from '../run.ts';
import { defineStep, type Evidence, type Run } from '../step.ts';
import { address, as, blockNumber, chainName, orAction, POSTER_ACTIONS, wei } from '../words.ts';

const lie = z.strictObject({
  to: withDescription(address, 'the receiver of the withdrawal that it holds'),
  value: z._default(withDescription(wei, 'the amount of that withdrawal'), '1000000000000000000'),
  block: key(blockNumber, 'the L2 block that it is for; default: the newest safe one'),
});

const long = z
  .strictObject({
    do: key(choice(...POSTER_ACTIONS), 'what happens to it'),
    lie: key(lie, 'a false output that it proposes: it holds a withdrawal that no block of L2 has'),
    chain: z.exactOptional(chainName),
    as,
  })
  .check(z.refine((value) => (value.do === undefined) !== (value.lie === undefined), 'one of do, lie'));

/** Time (ms) within which a false output must be on L1. */
const PROPOSAL_TIMEOUT_MS = 60_000;

/** Stops or starts a chain's proposer, or has it propose a false output. */
export const proposer = defineStep({
  name: 'proposer',
  summary: "Stops or starts a chain's proposer, or has it propose a false output.",
  schema: orAction(POSTER_ACTIONS, long, (action) => ({ do: action })),
  gives: ['game', 'block', 'root', 'honestRoot'],
  check(value, facts) {
    if (knowsPoster(facts, 'proposer', value.chain) && value.lie !== undefined) hasGames(facts, value.chain);
  },
  async run({ do: action, lie: wish, chain }, run) {
    if (wish !== undefined) return lieOnL1(run, chain, { ...wish, value: BigInt(wish.value) });
    const task = posterTask(run.plan(), 'proposer', chain);
    return outputEvidence(run, (io) => sayAction(io, run.devnet(), present(action, 'action'), task));
  },
});

/** Reports a chain whose outputs are no dispute games. */
export function hasGames({ plan, report }: Facts, name: string | undefined): void {
  const chain = chainNamed(plan, name);
  if (chain !== undefined && chain.contracts.l1['DisputeGameFactory'] === undefined)
    report([], `the outputs of ${chain.name} are no dispute games`, {
      allowed: 'a chain with proposer: { system: dispute-games }',
    });
}

async function lieOnL1(
  run: Run,
  name: string | undefined,
  { to, value, block }: { readonly to: Hex; readonly value: bigint; readonly block?: number },
): Promise<Evidence> {
  const chain = present(chainNamed(run.plan(), name), 'chain of a proposer step');
  const { root } = forgeWithdrawal(to, value);
  const output = await proposeFalseOutput(chain, root, block, run.signal);
  const l1 = chainAt(run.plan().network.l1.rpc);
  return untilHolds(run, PROPOSAL_TIMEOUT_MS, async () => {
    const game = await gameOf(l1, chain, root, output.block);
    if (game === undefined) return { holds: false, because: 'L1 has not included the false output' };
    return { holds: true, evidence: { game, ...output } };
  });
}
