import { expect, it } from 'vitest';
import { Home, node, rpc } from './devnet.ts';

interface Block {
  readonly number: string;
  readonly hash: string;
}

it('the finality of L1 stands and goes on by a command, and a reorg of later blocks is allowed meanwhile', async () => {
  await using home = new Home();
  const chain = { blockTime: 1, proposer: false, nodes: { sequencer: { role: 'sequencer' } } };
  const spec = { name: 'finality', ports: 'auto', faults: true, l1: { blockTime: 1 }, chains: { main: chain } };
  const status = await home.up(home.spec('finality', spec));
  const { http } = node(status, 'sequencer').el;
  const finalized = async () => Number((await rpc<Block>(http, 'eth_getBlockByNumber', 'finalized', false)).number);
  expect((await home.devnet('wait', 'finalized:1')).code).toBe(0);
  expect((await home.devnet('l1', 'finality', 'go')).code).toBe(1);
  expect(await home.devnet('l1', 'finality', 'stop')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^L1 stays final up to block \d+\n/),
  });
  expect((await home.devnet('l1', 'finality', 'stop')).code).toBe(1);
  const { number } = await rpc<Block>(status.l1.rpc, 'eth_getBlockByNumber', 'latest', false);
  expect((await home.devnet('wait', `block:${Number(number) + 8}`)).code).toBe(0);
  const stands = await finalized();
  const reorg = await home.devnet('l1', 'reorg', '5');
  expect(reorg.code, reorg.stderr).toBe(0);
  expect((await home.devnet('wait', `safe:${Number(number) + 8}`)).code).toBe(0);
  expect(await finalized()).toBe(stands);
  expect((await home.devnet('l1', 'finality', 'go')).code).toBe(0);
  await expect.poll(finalized, { timeout: 120_000 }).toBeGreaterThan(stands);
  await home.agrees();
});
