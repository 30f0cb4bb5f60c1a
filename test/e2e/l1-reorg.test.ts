import { expect, it, vi } from 'vitest';
import { Home, rpc, type Status } from './devnet.ts';

const spec = (finality: 'devnet' | 'real') => ({
  version: 1,
  name: `reorg-${finality}`,
  ports: 'auto',
  l1: { blockTime: 1, finality },
  chains: {
    main: {
      blockTime: 1,
      proposer: false,
      nodes: {
        sequencer: { role: 'sequencer', el: 'execution-go' },
        verifier: { el: 'execution-go' },
        light: { cl: { follow: 'verifier' } },
      },
    },
  },
});
const DEPTH = 6;

interface Block {
  readonly number: string;
  readonly hash: string;
}

const latest = ({ l1 }: Status) => rpc<Block>(l1.rpc, 'eth_getBlockByNumber', 'latest', false);

/** Starts a network, warps over some blocks, and replaces the newest blocks of its L1. */
async function reorganised(home: Home, finality: 'devnet' | 'real'): Promise<Status> {
  const status = await home.up(home.spec(finality, spec(finality)));
  expect(await home.devnet('warp', `+${3 * DEPTH}s`)).toMatchObject({ code: 0 });
  expect((await home.devnet('wait', `safe:${2 * DEPTH}`, '--timeout', '300s')).code).toBe(0);
  if (finality === 'devnet') expect((await home.devnet('wait', 'finalized:6', '--timeout', '300s')).code).toBe(0);
  const before = await latest(status);
  await rpc(status.l1.rpc, 'anvil_reorg', DEPTH, []);
  expect(await rpc<Block>(status.l1.rpc, 'eth_getBlockByNumber', before.number, false)).not.toMatchObject(before);
  return status;
}

it('an L1 reorg below finality ends the network, and its report says what was final and what to set', async () => {
  await using home = new Home();
  await reorganised(home, 'devnet');
  const report = await vi.waitFor(
    async () => {
      const { stdout } = await home.devnet('status');
      expect(stdout).toMatch(/^reorg-devnet {2}failed/);
      return stdout;
    },
    { timeout: 120_000, interval: 500 },
  );
  const id = '0x[0-9a-f]{64}';
  expect(report).toMatch(
    new RegExp(
      `L1 was reorganised below its finality: L1 block \\d+ was final as ${id} and is ${id} now, ` +
        `L2 is final up to block \\d+ \\(${id}\\)`,
    ),
  );
  expect(report).toContain('l1: { finality: real }');
});

it('the network survives the same reorg with `l1: { finality: real }`', async () => {
  await using home = new Home();
  const status = await reorganised(home, 'real');
  const { number } = await latest(status);
  const safe = Number(number) + 2 * DEPTH;
  expect((await home.devnet('wait', `safe:${safe}`, '--timeout', '300s')).code).toBe(0);
  await home.agrees();
});
