import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portalsOf } from '../../../../src/orchestrator/plan/chain/portal.ts';
import type { Plan } from '../../../../src/orchestrator/plan/plan.ts';
import { renderContent } from '../../../../src/orchestrator/plan/render.ts';
import { readRollupConfig } from '../../../../src/protocol/genesis/file/rollup-file.ts';
import { type ExtraAlloc, type GenesisFunds, genesisFunds } from '../../../../src/protocol/genesis/index.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { contracts, planOf } from '../planned.ts';

const ETHER = 10n ** 18n;
const OWN: Hex = `0x${'ab'.repeat(20)}`;
const OTHER: Hex = `0x${'cd'.repeat(20)}`;
const REAL = 'hardfork: cancun, client: geth, binary: geth, beacon: { client: lodestar, binary: lodestar }';

interface GenesisFile {
  readonly alloc: Readonly<Record<string, { readonly balance: string }>>;
}

const rendered = (plan: Plan, path: string): GenesisFile =>
  JSON.parse(renderContent(plan.files.find((file) => file.path === path)!.content, { contracts, bundle: () => '' }));
const sumOf = ({ alloc }: GenesisFile) => Object.values(alloc).reduce((sum, { balance }) => sum + BigInt(balance), 0n);
const portalBalance = (plan: Plan, index = 0) => {
  const portal = plan.network.chains[index]!.contracts.l1['OptimismPortal']!;
  return BigInt(rendered(plan, `${plan.home}/genesis/l1.json`).alloc[portal]!.balance);
};
const supply = (plan: Plan, index = 0) => sumOf(rendered(plan, plan.network.chains[index]!.genesisFile));

describe('the portal on L1', () => {
  it('holds what L2 begins with, for any accounts, alloc, system of withdrawals and client of L1', () => {
    const accounts = fc.record({
      count: fc.integer({ min: 0, max: 12 }),
      balance: fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String),
      addresses: fc.uniqueArray(
        fc.integer({ min: 1, max: 5 }).map((byte) => `0x${String(byte).padStart(2, '0').repeat(20)}`),
        { maxLength: 3 },
      ),
    });
    const alloc: fc.Arbitrary<ExtraAlloc> = fc.dictionary(
      // Precompiles, predeploys and funded addresses among them.
      fc.constantFrom(OWN, `0x${'01'.repeat(20)}`, `0x${'0'.repeat(39)}1`, `0x42${'0'.repeat(37)}6`) as never,
      fc.bigInt({ min: 0n, max: 10n ** 30n }).map((wei) => ({ balance: `0x${wei.toString(16)}` as const })),
    );
    const system = fc.constantFrom('output-oracle', 'dispute-games');
    const chain = fc.record({ accounts, alloc: fc.option(alloc), system });
    const inputs = fc.record({ chains: fc.tuple(chain, chain), l1: fc.constantFrom('', REAL) });
    fc.assert(
      fc.property(inputs, ({ chains, l1 }) => {
        const allocs = Object.fromEntries(
          chains.flatMap((one, index) => (one.alloc ? [[`/${index}`, one.alloc]] : [])),
        );
        const text = chains.map((one, index) => {
          const rest = one.alloc ? `, alloc: /${index}` : '';
          return `c${index}: { accounts: ${JSON.stringify(one.accounts)}, proposer: { system: ${one.system} }${rest} }`;
        });
        const plan = planOf(`l1: { ${l1} }\nchains: { ${text.join(', ')} }`, { allocs });
        for (const index of [0, 1]) expect(portalBalance(plan, index)).toBe(supply(plan, index));
        expect(plan.notices.join()).not.toContain('withdraw');
      }),
      { numRuns: 8 },
    );
  });

  it('holds the ether of the default network', () => {
    expect(portalBalance(planOf('{}'))).toBe(100_000n * ETHER + 256n);
  });

  it('is part of the block 0 of an L1 that takes its state', () => {
    const hash = (balance: string) =>
      planOf(`l1: { ${REAL} }\nchains: { main: { accounts: { count: 0 }, alloc: /own } }`, {
        allocs: { '/own': { [OWN]: { balance: `0x${balance}` } } },
      }).network.l1.genesisHash;
    expect(hash('1')).not.toBe(hash('2'));
  });

  it('holds less than L2 has if a deposit could overflow it, and the plan says so', () => {
    const balance = `0x${'f'.repeat(64)}` as const;
    const plan = planOf('chains: { main: { alloc: /own } }', { allocs: { '/own': { [OWN]: { balance } } } });
    expect(portalBalance(plan)).toBe(2n ** 255n);
    expect(plan.notices.join('\n')).toMatch(/^main: its portal on L1 holds .* of the .* that L2 has at genesis/m);
  });

  it('holds what an alloc of L1 gives it, and the plan says if that is less than L2 has', () => {
    const portal = planOf('{}').network.chains[0]!.contracts.l1['OptimismPortal']!;
    const plan = planOf('l1: { alloc: /l1 }', { allocs: { '/l1': { [portal]: { balance: '0x1' } } } });
    expect(portalBalance(plan)).toBe(1n);
    expect(plan.notices.join('\n')).toMatch(/^main: its portal on L1 holds 1 wei of the /m);
  });
});

describe('the portal of an L1 that has begun', () => {
  const text = `l1: { ${REAL} }\nchains: { main: {}, other: {} }`;

  it('keeps its balance, so that its block 0 stays the same', () => {
    const plan = planOf(text);
    expect(planOf(text, { portals: portalsOf(plan) })).toEqual(plan);
    const portals = { 902: '7' };
    const before = planOf(text, { portals });
    expect([portalBalance(before), portalBalance(before, 1), portalsOf(before)]).toEqual([
      0n,
      7n,
      { 901: '0', 902: '7' },
    ]);
    expect(before.network.l1.genesisHash).not.toBe(plan.network.l1.genesisHash);
    expect(planOf(text, { portals: portalsOf(before) })).toEqual(before);
    expect(
      before.notices.filter((notice) => notice.endsWith('an earlier version of devnet began this L1')),
    ).toHaveLength(2);
  });
});

describe('tokens of an alloc', () => {
  // PUSH4 of balanceOf(address), as a dispatcher of solc has it.
  const code = '0x6370a0823100';
  const storage = { [`0x${'0'.repeat(64)}`]: `0x${'0'.repeat(63)}1` } as const;
  const IMPLEMENTATION: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
  const noticesOf = (alloc: ExtraAlloc) =>
    planOf('chains: { main: { alloc: /own } }', { allocs: { '/own': alloc } }).notices.join('\n');

  it.each<[string, ExtraAlloc]>([
    ['a contract of its own', { [OWN]: { code, storage } }],
    [
      'a proxy (EIP-1967)',
      {
        [OWN]: {
          code: '0x00',
          storage: {
            [IMPLEMENTATION]: `0x${'0'.repeat(24)}${OTHER.slice(2)}`,
          },
        },
        [OTHER]: { code },
      },
    ],
    [
      'a clone (EIP-1167)',
      {
        [OWN]: { code: `0x363d3d373d3d3d363d73${OTHER.slice(2)}5af43d82803e903d91602b57fd5bf3`, storage },
        [OTHER]: { code },
      },
    ],
  ])('cannot be withdrawn, as the plan says: %s', (_, alloc) => {
    expect(noticesOf(alloc)).toMatch(
      new RegExp(`^main: the tokens that its alloc gives cannot be withdrawn to L1.*: ${OWN}`, 'm'),
    );
  });

  it.each<[string, ExtraAlloc]>([
    ['a contract without tokens', { [OWN]: { code: '0x6001', storage } }],
    ['a token without balances', { [OWN]: { code } }],
    ['an account with ether', { [OWN]: { balance: '0x5' } }],
  ])('are not reported for %s', (_, alloc) => {
    expect(noticesOf(alloc)).not.toContain('token');
  });
});

describe('the files of an existing chain', () => {
  const first = planOf('name: first', { now: 1_700_000_000 });
  const { genesisFile, rollupFile } = first.network.chains[0]!;
  const genesis = rendered(first, genesisFile) as GenesisFile & { readonly config: Record<string, unknown> };
  const { content } = first.files.find(({ path }) => path === rollupFile)!;
  const rollup = readRollupConfig(JSON.parse(content.kind === 'text' ? content.text : ''));
  const from = (state: Readonly<Record<string, unknown>>, funds: GenesisFunds = genesisFunds(state)) =>
    planOf('name: second\nchains: { main: { from: { genesis: /g, rollup: /r } } }', {
      rollupConfigs: rollup.ok ? { '/r': rollup.value } : {},
      genesisConfigs: { '/g': genesis.config },
      genesisFunds: { '/g': funds },
    });

  it('decide what the portal holds', () => {
    const plan = from({ ...genesis.alloc, [OWN.slice(2)]: { balance: '5000' } });
    expect(portalBalance(plan)).toBe(sumOf(genesis) + 5000n);
    expect(plan.notices).toEqual([]);
  });

  it('without the message passer pay no withdrawal, and the plan says so', () => {
    const { [`0x42${'0'.repeat(36)}16`]: _, ...rest } = genesis.alloc as Record<string, unknown>;
    expect(from(rest).notices.join('\n')).toMatch(/^main: nothing can be withdrawn: .*L2ToL1MessagePasser/m);
  });

  it('with tokens give tokens that cannot be withdrawn, and the plan says so', () => {
    const token = { balance: '0x0', code: '0x6370a0823100', storage: { '0x0': '0x1' } };
    expect(from({ ...genesis.alloc, [OWN]: token }).notices.join('\n')).toContain(OWN);
  });
});
