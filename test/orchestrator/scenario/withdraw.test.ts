import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { closeClients } from '../../../src/orchestrator/probe/call.ts';
import { type WithdrawalWish, withdrawInTime } from '../../../src/orchestrator/scenario/withdraw.ts';
import { EXIT } from '../../../src/system/failure.ts';
import { type Ledger, servedLedger } from './ledger.ts';
import { twoChains } from './read/two-chains.ts';
import { standingTime } from './served-devnet.ts';

const PORTAL: Hex = `0x${'44'.repeat(20)}`;
const MESSAGE_PASSER: Hex = `0x4200${'0'.repeat(34)}16`;
let l1: Ledger;
let l2: Ledger;
beforeAll(async () => {
  l1 = await servedLedger();
  l2 = await servedLedger();
  l1.balances.set(PORTAL, 10n ** 20n);
});
afterAll(() => {
  closeClients();
  for (const each of [l1, l2]) each[Symbol.dispose]();
});

/** Withdraws within 300 ms of the network, in which nothing passes but what is waited for. */
function withdrawing(more: Partial<WithdrawalWish> = {}) {
  const contracts = { l1: { OptimismPortal: PORTAL, L2OutputOracle: PORTAL }, l2: {} };
  const plan = twoChains({ contracts });
  const chains = plan.network.chains.map((chain) => ({
    ...chain,
    nodes: chain.nodes.map((node) => ({ ...node, el: { ...node.el, http: l2.url } })),
  }));
  const network = { ...plan.network, l1: { ...plan.network.l1, direct: { rpc: l1.url, ws: '' } }, chains };
  const planned: Plan = { ...plan, network };
  const wish: WithdrawalWish = { from: 0, to: undefined, value: 5n, data: '0x', gas: 100_000n, ...more };
  const run = { time: standingTime(), signal: new AbortController().signal };
  return withdrawInTime(run, planned, planned.network.chains[0]!, wish, 300);
}

describe('a withdrawal in the time of a network', () => {
  it('is late when no block has it, and says what helps', async () => {
    l2.includes = false;
    await expect(withdrawing()).rejects.toMatchObject({
      ...{ code: 'late', exit: EXIT.notReady },
      message: expect.stringMatching(
        /^the withdrawal is not finalized after 0\.3 s: not within 0\.3 s: transaction 0x\w+ is not in a block$/,
      ),
      hint: "raise its timeout, or let it warp through the delays of the chain's proposer (--warp)",
      cause: expect.objectContaining({ code: 'late' }),
    });
    expect(l2.taken).toMatchObject([{ to: MESSAGE_PASSER, value: 5n }]);
  });

  it('fails as it is when it is not late', async () => {
    l2.status = 'reverted';
    l2.includes = true;
    await expect(withdrawing()).rejects.toMatchObject({
      code: 'withdrawal',
      message: expect.stringMatching(/^the withdrawal could not be initiated: 0x\w+ reverted$/),
    });
    await expect(withdrawing({ from: 7 })).rejects.toMatchObject({ code: 'account' });
  });
});
