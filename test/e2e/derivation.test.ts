import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { foundry, Home, node, rpc, run, type Status } from './devnet.ts';

interface Head {
  readonly number: number;
  readonly hash: string;
  readonly l1origin: { readonly number: number };
}

const syncStatus = (url: string) =>
  rpc<Record<'unsafe_l2' | 'safe_l2' | 'finalized_l2', Head>>(url, 'optimism_syncStatus');
const blockAt = (url: string, number: number) =>
  rpc<{ hash: string } | null>(url, 'eth_getBlockByNumber', `0x${number.toString(16)}`, false);

/** Sends a blob, not for the rollup, with cell proofs, and waits until its L1 block is derived. */
async function foreignBlob(home: Home, { l1, chains }: Status): Promise<void> {
  const blob = join(home.folder, 'blob');
  writeFileSync(blob, 'not for this rollup');
  const { address, privateKey } = chains[0]!.accounts[7]!;
  const sent = ['send', '--rpc-url', l1.rpc, '--private-key', privateKey, '--json', '--timeout', '120'];
  const receipt = JSON.parse(await run(foundry('cast'), [...sent, '--blob', '--path', blob, address]));
  expect(receipt).toMatchObject({ status: '0x1', type: '0x3' });
  for (const { cl } of chains[0]!.nodes) {
    await expect
      .poll(async () => (await syncStatus(cl.rpc)).safe_l2.l1origin.number)
      .toBeGreaterThanOrEqual(Number(receipt.blockNumber));
    const { l1Block, safeHead } = await rpc<Record<'l1Block' | 'safeHead', { number: number }>>(
      cl.rpc,
      'optimism_safeHeadAtL1Block',
      receipt.blockNumber,
    );
    expect(l1Block.number).toBeLessThanOrEqual(Number(receipt.blockNumber));
    expect(safeHead.number).toBeGreaterThan(0);
  }
}

/** A verifier without gossip. It derives each block that it reaches. The scenario `blobs-and-calldata` has blobs. */
it('a verifier with no peers and no data derives the chain from calldata', async () => {
  await using home = new Home();
  const spec = home.spec('derive', {
    version: 1,
    name: 'derive-calldata',
    ports: 'auto',
    l1: { blockTime: 1 },
    chains: {
      main: {
        blockTime: 1,
        batcher: { da: 'calldata' },
        proposer: false,
        nodes: {
          sequencer: { role: 'sequencer', el: 'execution-rust' },
          alone: { el: 'execution-go', peers: [], cl: { client: 'rollup-node', args: { 'p2p.disable': true } } },
        },
      },
    },
  });
  const status = await home.up(spec);
  const alone = node(status, 'alone');
  const sequencer = node(status, 'sequencer');
  expect(await home.devnet('warp', '+15s')).toMatchObject({ code: 0 });
  expect((await home.devnet('wait', 'safe:6', '@alone', '--timeout', '300s')).code).toBe(0);
  const derived = await syncStatus(alone.cl.rpc);
  for (const head of [derived.safe_l2, derived.unsafe_l2])
    expect(await blockAt(sequencer.el.http, head.number)).toMatchObject({ hash: head.hash });
  expect((await home.devnet('wait', 'finalized:1', '@alone', '--timeout', '300s')).code).toBe(0);
  await foreignBlob(home, status);
  await home.agrees();

  // The sequencer is stopped and its data deleted, so that the safe hash comes from L1 alone.
  expect((await home.devnet('node', 'stop', 'sequencer')).code).toBe(0);
  const before = await syncStatus(alone.cl.rpc);
  expect((await home.devnet('node', 'stop', 'alone')).code).toBe(0);
  rmSync(join(home.env['DEVNET_HOME']!, status.name, 'nodes', 'main', 'alone', 'el', 'data'), { recursive: true });
  expect((await home.devnet('node', 'start', 'alone')).code).toBe(0);
  await expect
    .poll(() => blockAt(alone.el.http, before.safe_l2.number).catch(() => null))
    .toMatchObject({ hash: before.safe_l2.hash });
});
