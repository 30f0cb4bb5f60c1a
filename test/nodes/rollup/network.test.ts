import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RpcEngineClient } from '../../../src/nodes/rollup/engine/client.ts';
import { envelopeToJson } from '../../../src/protocol/codec/payload-json.ts';
import { rollupOf } from '../../../src/protocol/derivation/rollup.ts';
import type { Hex, L2BlockRef } from '../../../src/protocol/types.ts';
import type { TestNode } from '../execution/support/nodes.ts';
import { TestDevnet, type TestRollupNode } from './support/devnet.ts';

describe('a network of a sequencer and verifiers', () => {
  let devnet: TestDevnet;
  let engine: TestNode;
  let sequencer: TestRollupNode;
  let followerEngine: TestNode;
  let follower: TestRollupNode;

  beforeAll(async () => {
    devnet = await TestDevnet.start({ ageSeconds: 10 });
    engine = await devnet.engine();
    sequencer = await devnet.sequencer(engine.node.ports.engine);
    followerEngine = await devnet.engine();
    follower = await devnet.node(followerEngine.node.ports.engine, `--p2p.static=${await sequencer.address()}`);
  });
  afterAll(() => devnet[Symbol.asyncDispose]());

  const hashOf = async (node: TestNode, number: number): Promise<Hex | undefined> =>
    (await node.rpc.call<{ hash: Hex } | null>('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]))?.hash;

  it('makes every block that is due at once, and none ahead of the clock', async () => {
    const { number } = await sequencer.reached('unsafe_l2', 9);
    const { timestamp } = await engine.rpc.call<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false]);
    expect(Number(timestamp) * 1000).toBeLessThanOrEqual(Date.now());
    expect(number).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000 - devnet.config.genesis.l2_time));
  });

  it('brings blocks to a verifier by gossip, and earlier ones on request', async () => {
    const { number, hash } = await follower.reached('unsafe_l2', 10);
    expect(await hashOf(engine, number)).toBe(hash);
    expect(await hashOf(followerEngine, 1)).toBe(await hashOf(engine, 1));
    const peers = await follower.rpc.call<{ totalConnected: number }>('peernet_peers', [true]);
    expect(peers.totalConnected).toBe(1);
  });

  it('derives posted blocks as safe on all nodes, and on one with L1 alone', async () => {
    await devnet.post(engine, 1, 8);
    const safe = await sequencer.reached('safe_l2', 8);
    expect(await follower.reached('safe_l2', 8)).toEqual(safe);
    const bareEngine = await devnet.engine();
    const bare = await devnet.node(bareEngine.node.ports.engine, '--p2p.disable');
    const derived = await bare.reached('safe_l2', 8);
    expect(derived.hash).toBe(safe.hash);
    expect(await hashOf(bareEngine, 5)).toBe(await hashOf(engine, 5));
  });

  it('finalizes what L1 finalized', async () => {
    const finalized = await sequencer.reached('finalized_l2', 8);
    expect(finalized.hash).toBe(await hashOf(engine, 8));
  });

  it('returns the output root of a block, under both method names', async () => {
    const output = await sequencer.rpc.call<{ outputRoot: Hex; version: Hex; blockRef: { hash: Hex } }>(
      'optimism_outputAtBlock',
      ['0x4'],
    );
    expect(await follower.rpc.call('consensus_outputAtBlock', ['0x4'])).toEqual([output.version, output.outputRoot]);
    expect(output.blockRef.hash).toBe(await hashOf(engine, 4));
    await expect(sequencer.rpc.call('optimism_outputAtBlock', ['0xffffff'])).rejects.toMatchObject({
      code: -32000,
      message: 'not found',
    });
  });

  it('answers in the shapes of the interface, and of op-node under its names', async () => {
    const keysOf = async (method: string, params: unknown[] = []) =>
      Object.keys(await sequencer.rpc.call<object>(method, params)).sort();
    const l1 = ['current_l1', 'current_l1_finalized', 'finalized_l1', 'head_l1', 'safe_l1'];
    const l2 = ['finalized_l2', 'pending_safe_l2', 'safe_l2', 'unsafe_l2'];
    expect(await keysOf('consensus_syncStatus')).toEqual(
      [...l1, ...l2, 'engine_sync_target', 'queued_unsafe_l2'].sort(),
    );
    expect(await keysOf('optimism_syncStatus')).toEqual([...l1, ...l2, 'cross_unsafe_l2', 'local_safe_l2'].sort());
    const { head_l1: head, unsafe_l2: unsafe } = await sequencer.status();
    expect(Object.keys(head!).sort()).toEqual(['hash', 'number', 'parentHash', 'timestamp']);
    expect(Object.keys(unsafe!).sort()).toEqual([
      'hash',
      'l1origin',
      'number',
      'parentHash',
      'sequenceNumber',
      'timestamp',
    ]);
    expect(await sequencer.rpc.call('optimism_rollupConfig')).toEqual(devnet.config);
    expect(await sequencer.rpc.call('consensus_rollupConfig')).toMatchObject({ ...devnet.config, karst_time: null });
    expect(await keysOf('peernet_peerStats')).toEqual([
      'banned',
      'blocksTopic',
      'blocksTopicV2',
      'connected',
      'known',
      'table',
    ]);
    expect(await keysOf('opp2p_peerStats')).toEqual([
      'banned',
      'blocksTopic',
      'blocksTopicV2',
      'blocksTopicV3',
      'blocksTopicV4',
      'connected',
      'known',
      'table',
    ]);
    expect(await sequencer.rpc.call('peernet_discoveryTable')).toEqual([]);
    await expect(sequencer.rpc.call('opp2p_discoveryTable')).rejects.toThrow('discovery disabled');
    expect(await sequencer.rpc.call('consensus_version')).toEqual(await sequencer.rpc.call('optimism_version'));
    await expect(sequencer.rpc.call('optimism_safeHeadAtL1Block', ['0x1'])).rejects.toThrow(
      'safe head database not enabled',
    );
    await expect(sequencer.rpc.call('peernet_blockPeer', ['nobody'])).rejects.toMatchObject({ code: -32602 });
  });

  it('reports every head as L1 and the engine have it', async () => {
    const l1Block = (number: number) =>
      devnet.l1.call<Record<string, Hex>>('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
    const status = await follower.rpc.call<Record<string, L2BlockRef>>('consensus_syncStatus');
    for (const head of ['current_l1', 'current_l1_finalized', 'head_l1', 'safe_l1', 'finalized_l1']) {
      const { hash, number, parentHash, timestamp } = status[head]!;
      const block = await l1Block(number);
      expect([head, hash, parentHash, timestamp, number > 0]).toEqual([
        head,
        block['hash'],
        block['parentHash'],
        Number(block['timestamp']),
        true,
      ]);
    }
    expect(status['current_l1_finalized']).toEqual(status['finalized_l1']);
    for (const head of ['unsafe_l2', 'safe_l2', 'finalized_l2', 'pending_safe_l2', 'engine_sync_target']) {
      const ref = status[head]!;
      const quantity = `0x${ref.number.toString(16)}`;
      const { blockRef } = await follower.rpc.call<{ blockRef: L2BlockRef }>('optimism_outputAtBlock', [quantity]);
      const block = await followerEngine.rpc.call<Record<string, Hex>>('eth_getBlockByNumber', [quantity, false]);
      expect([head, ref]).toEqual([head, blockRef]);
      expect([ref.hash, ref.parentHash, ref.timestamp]).toEqual([
        block['hash'],
        block['parentHash'],
        Number(block['timestamp']),
      ]);
      expect(ref.l1origin.hash).toBe((await l1Block(ref.l1origin.number))['hash']);
    }
    const at = (label: string) => status[label]!.number;
    expect([at('finalized_l2') <= at('safe_l2'), at('safe_l2') <= at('unsafe_l2'), at('safe_l2')]).toEqual([
      true,
      true,
      8,
    ]);
    // A block that gossip has just brought is queued for a moment.
    const queued = async () =>
      (await follower.rpc.call<Record<string, L2BlockRef>>('consensus_syncStatus'))['queued_unsafe_l2'];
    await expect.poll(queued).toMatchObject({ number: 0 });
  });

  it('sets the log level, and refuses one that does not exist', async () => {
    expect(await sequencer.rpc.call('admin_setLogLevel', ['SILENT'])).toBeNull();
    await expect(sequencer.rpc.call('admin_setLogLevel', ['loud'])).rejects.toThrow('expected one of silent, error');
  });

  it('stops and starts the sequencer, from its head only', async () => {
    const head = await sequencer.rpc.call<Hex>('admin_stopSequencer');
    expect((await sequencer.status()).unsafe_l2?.hash).toBe(head);
    expect(await sequencer.rpc.call('admin_sequencerActive')).toBe(false);
    await expect(sequencer.rpc.call('admin_stopSequencer')).rejects.toThrow('sequencer not running');
    await expect(sequencer.rpc.call('admin_startSequencer', [`0x${'11'.repeat(32)}`])).rejects.toThrow(
      `block hash does not match: head ${head}`,
    );
    await sequencer.rpc.call('admin_startSequencer', [head]);
    await expect(sequencer.rpc.call('admin_startSequencer')).rejects.toThrow('sequencer already running');
    const before = (await sequencer.status()).unsafe_l2?.number ?? 0;
    await sequencer.reached('unsafe_l2', before + 1);
  });

  it('continues from the same heads after a restart of the rollup node, and of engine and node', async () => {
    const before = await follower.reached('unsafe_l2', 9);
    await follower[Symbol.asyncDispose]();
    follower = await devnet.node(followerEngine.node.ports.engine, `--p2p.static=${await sequencer.address()}`);
    await follower.reached('unsafe_l2', before.number + 1);
    expect((await follower.reached('safe_l2', 8)).number).toBeGreaterThanOrEqual(8);
    expect(await hashOf(followerEngine, before.number)).toBe(before.hash);
  });

  it('imports a block of an administrator like a gossiped one, if its hash is right', async () => {
    const lonelyEngine = await devnet.engine();
    const lonely = await devnet.node(lonelyEngine.node.ports.engine, '--p2p.disable', '--verifier.l1-confs=1000');
    await lonely.reached('head_l1', 1);
    const rollup = rollupOf(devnet.config);
    const client = new RpcEngineClient({ rpc: engine.engine, rollup, url: 'http://engine', secretFile: '' });
    const block = envelopeToJson((await client.payloadByNumber(1))!);
    const wrong = { ...block, executionPayload: { ...(block['executionPayload'] as object), gasUsed: '0x1' } };
    await expect(lonely.rpc.call('admin_postUnsafePayload', [wrong])).rejects.toThrow('payload has bad block hash');
    await expect(lonely.rpc.call('admin_postUnsafePayload', [{}])).rejects.toMatchObject({ code: -32602 });
    await lonely.rpc.call('admin_postUnsafePayload', [block]);
    expect((await lonely.reached('unsafe_l2', 1)).number).toBe(1);
    await expect(lonely.rpc.call('admin_startSequencer')).rejects.toThrow('sequencer is not enabled');
    await expect(lonely.rpc.call('opp2p_self')).rejects.toThrow('p2p is disabled');
  });

  it('resets derivation and derives the same again', async () => {
    const before = await follower.reached('safe_l2', 8);
    await follower.rpc.call('admin_resetDerivationPipeline');
    expect(await follower.reached('safe_l2', 8)).toEqual(before);
  });
});
