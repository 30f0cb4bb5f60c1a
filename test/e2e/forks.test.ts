import { describe, expect, it } from 'vitest';
import { Home, node, rpc } from './devnet.ts';

interface Check {
  readonly agree: boolean;
  readonly implementations: number;
  readonly divergence: {
    chain: string;
    block: number;
    nodes: string[];
    kind: 'hash' | 'refused' | 'behind';
    fields: string[];
    reason: string;
  } | null;
}

const nodes = {
  sequencer: { role: 'sequencer', el: 'execution-go' },
  verifier: { el: 'execution-rust' },
};

describe('a fork in mid-chain', () => {
  it.each([
    { base: 'granite', forks: { holocene: '+4s' } },
    { base: 'holocene', forks: { isthmus: '+4s' } },
    { base: 'isthmus', forks: { jovian: { block: 5 } } },
    { base: 'granite', forks: { holocene: '+3s', isthmus: '+5s', jovian: '+7s' } },
    { base: 'regolith', forks: { canyon: '+3s', delta: '+3s', ecotone: '+4s', fjord: '+5s', granite: '+6s' } },
  ])(
    'from $base, $forks: all nodes activate it and agree across it',
    async ({ base, forks }) => {
      await using home = new Home();
      const spec = home.spec('drill', {
        version: 1,
        name: 'drill',
        ports: 'auto',
        l1: { blockTime: 1 },
        chains: { main: { blockTime: 1, forks: { base, ...forks }, nodes } },
      });
      const status = await home.up(spec);
      const last = Object.keys(forks).at(-1)!;
      expect((await home.devnet('wait', `fork:${last}`, '--timeout', '60s')).code).toBe(0);
      const table =
        await home.json<{ fork: string; time: number; block: number; nodes: Record<string, string> }[]>('forks');
      const activation = table.find((row) => row.fork === last)!;
      expect((await home.devnet('wait', `safe:${activation.block + 2}`, '--timeout', '60s')).code).toBe(0);
      const check = await home.json<Check>('check');
      expect(check).toMatchObject({ agree: true, divergence: null });
      const block = await rpc<{ timestamp: string }>(
        node(status, 'verifier').el.http,
        'eth_getBlockByNumber',
        `0x${activation.block.toString(16)}`,
        false,
      );
      expect(Number(block.timestamp)).toBe(activation.time);
    },
    120_000,
  );

  it('one verifier overridden to activate late is named, with the block and what differs', async () => {
    await using home = new Home();
    const spec = home.spec('late', {
      version: 1,
      name: 'late',
      ports: 'auto',
      l1: { blockTime: 1 },
      chains: {
        main: {
          blockTime: 1,
          forks: { base: 'granite', holocene: '+4s' },
          nodes: { ...nodes, late: { el: 'execution-rust', override: { holocene: '+60s' } } },
        },
      },
    });
    await home.up(spec);
    expect((await home.devnet('wait', 'block:8', '@sequencer', '--timeout', '60s')).code).toBe(0);
    await expect
      .poll(async () => (await home.devnet('check', '--json')).code, { timeout: 30_000, interval: 300 })
      .toBe(1);
    const outcome = await home.devnet('check', '--json');
    const { agree, divergence } = JSON.parse(outcome.stdout) as Check;
    expect(agree).toBe(false);
    expect(divergence).toMatchObject({ chain: 'main', block: 4, nodes: ['late'] });
    expect(['hash', 'refused']).toContain(divergence!.kind);
    expect(divergence!.fields.length + divergence!.reason.length).toBeGreaterThan(0);
    const spoken = await home.devnet('check');
    expect(spoken.code).toBe(1);
    expect(spoken.stderr + spoken.stdout).toMatch(/late/);
  }, 120_000);
});
