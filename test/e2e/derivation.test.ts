import { expect, it } from 'vitest';
import { Home, node, rpc } from './devnet.ts';

interface SyncStatus {
  readonly unsafe_l2: { readonly number: number; readonly hash: string };
  readonly safe_l2: { readonly number: number; readonly hash: string };
  readonly finalized_l2: { readonly number: number; readonly hash: string };
}

const syncStatus = (url: string) => rpc<SyncStatus>(url, 'optimism_syncStatus');

/** A verifier without gossip. It derives each block that it reaches. */
it.each(['calldata', 'blobs'])(
  'a verifier with no peers and an empty data folder derives the sequencer’s chain from %s',
  async (da) => {
    await using home = new Home();
    const spec = home.spec('derive', {
      version: 1,
      name: `derive-${da}`,
      ports: 'auto',
      l1: { blockTime: 1 },
      chains: {
        main: {
          blockTime: 1,
          batcher: { da },
          nodes: {
            sequencer: { role: 'sequencer', el: 'execution-rust' },
            alone: { el: 'execution-go', peers: [], cl: { client: 'rollup-node', args: { 'p2p.disable': true } } },
          },
        },
      },
    });
    const status = await home.up(spec, '--ready-budget', '60s');
    const alone = node(status, 'alone');
    const sequencer = node(status, 'sequencer');
    expect((await home.devnet('wait', 'safe:6', '@alone', '--timeout', '60s')).code).toBe(0);
    const derived = await syncStatus(alone.cl.rpc);
    for (const head of [derived.safe_l2, derived.unsafe_l2]) {
      const block = await rpc<{ hash: string }>(
        sequencer.el.http,
        'eth_getBlockByNumber',
        `0x${head.number.toString(16)}`,
        false,
      );
      expect(head.hash).toBe(block.hash);
    }
    expect((await home.devnet('wait', 'finalized:1', '@alone', '--timeout', '60s')).code).toBe(0);
    expect((await home.devnet('check')).code).toBe(0);

    // The sequencer is stopped and its data deleted, so that the safe hash comes from L1 alone.
    expect((await home.devnet('node', 'stop', 'sequencer')).code).toBe(0);
    const before = await syncStatus(alone.cl.rpc);
    expect((await home.devnet('node', 'stop', 'alone')).code).toBe(0);
    const { rmSync } = await import('node:fs');
    const { join } = await import('node:path');
    rmSync(join(home.env['DEVNET_HOME']!, status.name, 'nodes', 'main', 'alone', 'el', 'data'), {
      recursive: true,
      force: true,
    });
    expect((await home.devnet('node', 'start', 'alone')).code).toBe(0);
    await expect
      .poll(
        async () =>
          rpc<{ hash: string } | null>(
            alone.el.http,
            'eth_getBlockByNumber',
            `0x${before.safe_l2.number.toString(16)}`,
            false,
          ).catch(() => null),
        { timeout: 30_000 },
      )
      .toMatchObject({ hash: before.safe_l2.hash });
  },
  180_000,
);
