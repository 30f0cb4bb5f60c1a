import { describe, expect, it } from 'vitest';
import { namesAt } from '../../../src/orchestrator/inspect/contract-names.ts';
import type { Layer } from '../../../src/orchestrator/inspect/layer.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';

const address = (digit: string) => `0x${digit.repeat(40)}`;
const chainOf = (name: string, portal: string) => ({
  name,
  contracts: { l1: { OptimismPortal: address(portal), Shared: address('5') }, l2: { L1Block: address('B') } },
  accounts: [
    { address: address('1') },
    { address: address('2'), role: 'batcher' },
    { address: address('3') },
    { address: address('5'), role: 'owner' },
  ],
});
const planOf = (...chains: readonly ReturnType<typeof chainOf>[]) =>
  ({ network: { l1: { contracts: { Multicall3: address('A') } }, chains } }) as unknown as Plan;
const onL1 = { kind: 'l1' } as Layer;
const onL2 = (plan: Plan) => ({ kind: 'l2', chain: plan.network.chains[0] }) as Layer;

describe('the names of addresses', () => {
  it('are on L1 those of contracts, of inboxes and of accounts by their roles and numbers', () => {
    expect([...namesAt(planOf(chainOf('main', 'c')), onL1, [['main', address('F')]])]).toEqual([
      [address('a'), 'Multicall3'],
      [address('c'), 'OptimismPortal'],
      [address('5'), 'Shared'],
      [address('1'), 'account 0'],
      [address('2'), 'batcher'],
      [address('3'), 'account 1'],
      [address('f'), 'batch inbox'],
    ]);
  });

  it('are on L1 with the name of their chain when there are several, and the first one of an address', () => {
    const plan = planOf(chainOf('one', 'c'), chainOf('two', 'd'));
    const inboxes = [
      ['one', address('e')],
      ['two', address('f')],
    ] as const;
    expect(Object.fromEntries(namesAt(plan, onL1, inboxes))).toEqual({
      ...{ [address('a')]: 'Multicall3', [address('c')]: 'one OptimismPortal', [address('d')]: 'two OptimismPortal' },
      ...{ [address('5')]: 'one Shared', [address('1')]: 'one account 0', [address('2')]: 'one batcher' },
      ...{ [address('3')]: 'one account 1' },
      ...{ [address('e')]: 'one batch inbox', [address('f')]: 'two batch inbox' },
    });
  });

  it('are on L2 those of its own contracts and accounts alone', () => {
    const plan = planOf(chainOf('one', 'c'), chainOf('two', 'd'));
    expect([...namesAt(plan, onL2(plan), [['one', address('e')]])]).toEqual([
      [address('b'), 'L1Block'],
      [address('1'), 'account 0'],
      [address('2'), 'batcher'],
      [address('3'), 'account 1'],
      [address('5'), 'owner'],
    ]);
  });
});
