import { describe, expect, it } from 'vitest';
import type { PlannedChain } from '../../../../src/orchestrator/plan/chain/planned-chain.ts';
import {
  earlierPortalNotices,
  portalBalanceOf,
  portalNotices,
  portalsOf,
} from '../../../../src/orchestrator/plan/chain/portal.ts';
import type { PlanInputs } from '../../../../src/orchestrator/plan/inputs.ts';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import type { ExtraAlloc, GenesisFunds } from '../../../../src/protocol/genesis/index.ts';
import type { Hex } from '../../../../src/protocol/types.ts';

const PORTAL: Hex = `0x${'ab'.repeat(20)}`;
const TOKEN: Hex = `0x${'cd'.repeat(20)}`;
const OTHER: Hex = `0x${'ef'.repeat(20)}`;
const EARLIER = 'an earlier version of devnet began this L1';

const fundsOf = (ether: bigint, more: Partial<GenesisFunds> = {}): GenesisFunds => ({
  ...{ ether: String(ether), tokens: [], canWithdraw: true },
  ...more,
});
const inputsWith = (portals?: Readonly<Record<string, string>>) => ({ portals }) as unknown as PlanInputs;
const shortOf = (balance: string, ether: string) =>
  `main: its portal on L1 holds ${balance} of the ${ether} that L2 has at genesis: ` +
  'withdrawals beyond it are lost until deposits have brought the rest';

describe('what a portal holds at genesis', () => {
  it.each([
    ['all ether of L2', 5n, '5'],
    ['nothing if L2 has none', 0n, '0'],
    ['the most that a deposit cannot overflow', 2n ** 255n, String(2n ** 255n)],
    ['no more than that', 2n ** 255n + 1n, String(2n ** 255n)],
  ])('is %s', (_, ether, balance) => {
    expect(portalBalanceOf(901, fundsOf(ether), inputsWith())).toBe(balance);
  });

  it('is what the L1 that has begun says, and nothing for a chain that it does not know', () => {
    const inputs = inputsWith({ 901: '3' });
    expect(portalBalanceOf(901, fundsOf(5n), inputs)).toBe('3');
    expect(portalBalanceOf(902, fundsOf(5n), inputs)).toBe('0');
  });
});

/** A stored plan of two chains. `balances`: what it says that their portals hold. */
function planOf(balances: readonly (string | undefined)[], alloc?: ExtraAlloc, portal: Hex | undefined = PORTAL) {
  const chains = balances.map((portalBalance, at) => ({ chainId: 901 + at, withdrawals: { portalBalance } }));
  const content = { kind: 'l1-genesis', inputs: { chains, ...(alloc && { alloc }) } };
  const viewOf = (name: string, chainId: number) => ({
    ...{ name, chainId, genesisFile: `/${name}.json` },
    contracts: { l1: portal === undefined ? {} : { OptimismPortal: portal } },
  });
  return {
    files: [
      { path: '/a', content: { kind: 'text', text: '' } },
      { path: '/b', content },
    ],
    network: { chains: [viewOf('main', 901), viewOf('other', 902)] },
  } as unknown as Plan;
}

it('portals of a stored plan hold what it says, and nothing if an earlier version wrote it', () => {
  expect(portalsOf(planOf(['7', undefined]))).toEqual({ 901: '7', 902: '0' });
});

describe('the notice of a portal that an earlier version began', () => {
  const noticesOf = (plan: Plan, ether = 2n) => earlierPortalNotices(plan, () => fundsOf(ether));

  it('is given for each chain whose stored plan does not say what its portal holds', () => {
    expect(noticesOf(planOf(['2', undefined]))).toEqual([
      `${shortOf('0 wei', '2 wei').replace('main', 'other')}: ${EARLIER}`,
    ]);
    expect(noticesOf(planOf(['0', '0']))).toEqual([]);
    expect(noticesOf(planOf([undefined, undefined]))).toHaveLength(2);
  });

  it('reads the funds of the chain from its genesis file', () => {
    const asked: unknown[] = [];
    earlierPortalNotices(planOf(['1', undefined]), ({ chainId }, file) => {
      asked.push([chainId, file]);
      return fundsOf(0n);
    });
    expect(asked).toEqual([[902, '/other.json']]);
  });

  it.each([
    ['2', []],
    ['1', [`${shortOf('1 wei', '2 wei')}: ${EARLIER}`]],
  ])('counts the %s wei that an alloc of L1 gives the portal', (wei, notices) => {
    const alloc = { [PORTAL]: { balance: `0x${wei}` } } as ExtraAlloc;
    expect(noticesOf(planOf([undefined, '0'], alloc))).toEqual(notices);
    expect(noticesOf(planOf([undefined, '0'], { [OTHER]: { balance: '0x9' } }))).toHaveLength(1);
    expect(noticesOf(planOf([undefined, '0'], { [PORTAL]: {} }))).toHaveLength(1);
  });

  it('is not given for a chain that the network no longer has, or of a plan without an L1 of its own', () => {
    const plan = planOf([undefined, undefined]);
    const others = { ...plan, network: { ...plan.network, chains: [] } };
    expect(noticesOf(others)).toEqual([]);
    expect(noticesOf({ ...plan, files: plan.files.slice(0, 1) })).toEqual([]);
  });

  it('is given for a chain without a portal', () => {
    const plan = planOf([undefined, '0']);
    const chains = plan.network.chains.map((chain) => ({ ...chain, contracts: { ...chain.contracts, l1: {} } }));
    const without = { ...plan, network: { ...plan.network, chains } };
    expect(noticesOf(without)).toHaveLength(1);
    expect(noticesOf(without, 0n)).toEqual([]);
  });
});

describe('the notices of a portal that is planned', () => {
  const noticesOf = (
    funds: GenesisFunds,
    { portals, alloc, from = null, l1 = { OptimismPortal: PORTAL } }: Partial<NoticeInputs> = {},
  ) => {
    const chain = {
      ...{ name: 'main', funds, contracts: l1, genesisFile: '/g.json', spec: { from } },
      genesis: { withdrawals: { portalBalance: '4' } },
    } as unknown as PlannedChain;
    return portalNotices(chain, inputsWith(portals), alloc);
  };
  interface NoticeInputs {
    readonly portals: Readonly<Record<string, string>>;
    readonly alloc: ExtraAlloc;
    readonly from: object | null;
    readonly l1: Readonly<Record<string, Hex>>;
  }

  it('are none if it holds all ether of L2', () => {
    expect(noticesOf(fundsOf(4n))).toEqual([]);
    expect(noticesOf(fundsOf(3n))).toEqual([]);
  });

  it('say what it lacks, and why if L1 has begun', () => {
    expect(noticesOf(fundsOf(5n))).toEqual([shortOf('4 wei', '5 wei')]);
    expect(noticesOf(fundsOf(5n), { portals: {} })).toEqual([`${shortOf('4 wei', '5 wei')}: ${EARLIER}`]);
  });

  it('count what an alloc of L1 gives in place of what the plan would', () => {
    expect(noticesOf(fundsOf(5n), { alloc: { [PORTAL]: { balance: '0x5' } } })).toEqual([]);
    expect(noticesOf(fundsOf(4n), { alloc: { [PORTAL]: { balance: '0x1' } } })).toEqual([shortOf('1 wei', '4 wei')]);
    expect(noticesOf(fundsOf(4n), { alloc: { [PORTAL]: {}, [OTHER]: { balance: '0x1' } } })).toEqual([]);
    expect(noticesOf(fundsOf(4n), { l1: {}, alloc: { [PORTAL]: { balance: '0x1' } } })).toEqual([]);
  });

  it('are of nothing but the message passer without it', () => {
    expect(noticesOf(fundsOf(5n, { canWithdraw: false, tokens: [TOKEN] }))).toEqual([
      'main: nothing can be withdrawn: /g.json has no L2ToL1MessagePasser (0x4200…0016)',
    ]);
  });

  it.each([
    [null, 'its alloc'],
    [{}, '/g.json'],
  ])('name the tokens, beside what the portal lacks, and where they are from', (from, place) => {
    expect(noticesOf(fundsOf(5n, { tokens: [TOKEN, OTHER] }), { from })).toEqual([
      shortOf('4 wei', '5 wei'),
      `main: the tokens that ${place} gives cannot be withdrawn to L1, ` +
        `because L1's bridge holds none of them: ${TOKEN}, ${OTHER}`,
    ]);
  });
});
