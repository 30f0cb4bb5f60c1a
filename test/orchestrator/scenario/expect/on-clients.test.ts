import type { Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { balance } from '../../../../src/orchestrator/scenario/expect/balance.ts';
import { game } from '../../../../src/orchestrator/scenario/expect/game.ts';
import type { Expectation } from '../../../../src/orchestrator/scenario/expectation.ts';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import type { GameState } from '../../../../src/orchestrator/traffic/games/games.ts';
import { answerOfGames } from '../games.ts';
import { type Ledger, servedLedger } from '../ledger.ts';
import { twoChains } from '../read/two-chains.ts';
import { scriptedRun } from '../scripted-run.ts';

const OF: Hex = `0x${'ab'.repeat(20)}`;
let l1: Ledger;
let l2: Ledger;
beforeAll(async () => {
  l1 = await servedLedger();
  l2 = await servedLedger();
});
afterAll(() => {
  for (const each of [l1, l2]) each[Symbol.dispose]();
});

function planned(): Plan {
  const plan = twoChains();
  const chains = plan.network.chains.map((chain) => ({
    ...chain,
    nodes: chain.nodes.map((node) => ({ ...node, el: { ...node.el, http: l2.url } })),
  }));
  return { ...plan, network: { ...plan.network, l1: { ...plan.network.l1, rpc: l1.url }, chains } };
}
const look = async (expectation: Expectation, value: Record<string, Json>) =>
  (await expectation.begin({ of: OF, ...value }, { ...scriptedRun(), plan: planned }))();

describe('the expectation of a balance', () => {
  beforeEach(() => {
    l1.balances.set(OF, 7n);
    l2.balances.set(OF, 10n ** 18n);
  });

  it.each<[Record<string, Json>, string]>([
    [{ is: '1 ether' }, String(10n ** 18n)],
    [{ above: '999999999999999999' }, String(10n ** 18n)],
    [{ on: 'l1', is: 7 }, '7'],
    [{ on: 'l1', above: 6, below: 8 }, '7'],
    [{ on: 'other/c', below: '2 ether' }, String(10n ** 18n)],
  ])('holds for %j, with the balance in wei', async (value, found) => {
    expect(await look(balance, value)).toEqual({ holds: true, evidence: { balance: found } });
  });

  it.each<[Record<string, Json>, string]>([
    [{ on: 'l1', is: 8 }, '7 wei, not 8 wei'],
    [{ on: 'l1', above: 7 }, '7 wei, not above 7 wei'],
    [{ below: '1 ether' }, '1 ether, not below 1 ether'],
  ])('does not hold for %j, and says what it is', async (value, text) => {
    expect(await look(balance, value)).toMatchObject({ holds: false, because: `the balance of ${OF} is ${text}` });
  });

  it('needs a bound', () => {
    expect(balance.schema.safeParse({ of: OF }).success).toBe(false);
    expect(balance.schema.safeParse({ of: OF, below: 1 }).success).toBe(true);
  });
});

describe('the expectation of a game', () => {
  const become = (state: GameState) => {
    const one = { address: OF, root: `0x${'11'.repeat(32)}` as const, block: 3, state, claims: 2 };
    l1.call = (to, data) => answerOfGames([one], to, data);
    return one;
  };

  it.each<[GameState, Record<string, Json>]>([
    ['in-progress', {}],
    ['challenger-wins', { claims: 2 }],
    ['defender-wins', { claims: 2 }],
  ])('holds for a game that is %s, %j', async (state, more) => {
    const one = become(state);
    expect(await look(game, { is: state, ...more })).toEqual({ holds: true, evidence: one });
  });

  it.each<[Record<string, Json>, string]>([
    [{ is: 'in-progress' }, `the game ${OF} is defender-wins`],
    [{ is: 'defender-wins', claims: 1 }, `the game ${OF} has 2 claims`],
    [{ is: 'defender-wins', claims: 3 }, `the game ${OF} has 2 claims`],
  ])('does not hold for %j, and says how it is', async (value, because) => {
    const one = become('defender-wins');
    expect(await look(game, value)).toEqual({ holds: false, because, evidence: one });
  });
});
