import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, describe, expect, it } from 'vitest';
import type { L2BlockRef } from '../../../../src/protocol/types.ts';
import { eventually, TestDevnet, type TestRollupNode } from '../support/devnet.ts';
import { startProxy } from '../support/proxy.ts';

let devnet: TestDevnet;
afterEach(() => devnet[Symbol.asyncDispose]());

/** The first account that genesis funds. */
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

const isActive = (node: TestRollupNode) => node.rpc.call<boolean>('admin_sequencerActive');
const start = (node: TestRollupNode, ...head: unknown[]) => node.rpc.call('admin_startSequencer', head);
const stop = (node: TestRollupNode) => node.rpc.call<string>('admin_stopSequencer');
const heads = async (node: TestRollupNode) =>
  (await node.status()) as unknown as Record<'unsafe_l2', L2BlockRef> & Record<'head_l1', { number: number }>;

describe('the sequencer (interface, section 3)', () => {
  it('is active after a start with sequencer.enabled, until admin_stopSequencer, which returns its head', async () => {
    devnet = await TestDevnet.start();
    const sequencer = await devnet.sequencer((await devnet.engine()).node.ports.engine);
    expect(await isActive(sequencer)).toBe(true);
    await sequencer.reached('unsafe_l2', 3);
    await expect(start(sequencer)).rejects.toMatchObject({ code: -32000, message: 'sequencer already running' });
    const hash = await stop(sequencer);
    expect(await isActive(sequencer)).toBe(false);
    const { head_l1, unsafe_l2 } = await heads(sequencer);
    expect(unsafe_l2.hash).toBe(hash);
    await sequencer.reached('head_l1', head_l1.number + 2);
    expect((await heads(sequencer)).unsafe_l2.hash).toBe(hash);
    await expect(stop(sequencer)).rejects.toMatchObject({ code: -32000, message: 'sequencer not running' });
  });

  it('is stopped after a start with sequencer.stopped, until admin_startSequencer', async () => {
    devnet = await TestDevnet.start();
    const sequencer = await devnet.sequencer((await devnet.engine()).node.ports.engine, '--sequencer.stopped');
    // The heads are known once derivation continues from the engine's heads.
    await sequencer.reached('current_l1', 1);
    expect(await isActive(sequencer)).toBe(false);
    expect((await heads(sequencer)).unsafe_l2.number).toBe(0);
    await start(sequencer);
    expect(await isActive(sequencer)).toBe(true);
    await sequencer.reached('unsafe_l2', 3);
  });

  it('starts at the hash at which another one stopped, which then follows it', async () => {
    devnet = await TestDevnet.start();
    const [engine, other] = [await devnet.engine(), await devnet.engine()];
    const first = await devnet.sequencer(engine.node.ports.engine);
    const second = await devnet.sequencer(
      other.node.ports.engine,
      '--sequencer.stopped',
      `--p2p.static=${await first.address()}`,
    );
    const { hash: old, number: below } = await first.reached('unsafe_l2', 3);
    await first.reached('unsafe_l2', below + 1);
    const hash = await stop(first);
    const { number } = (await heads(first)).unsafe_l2;
    await second.reached('unsafe_l2', number);
    await expect(start(second, old)).rejects.toMatchObject({
      code: -32000,
      message: `block hash does not match: head ${hash}, received ${old}`,
    });
    expect(await isActive(second)).toBe(false);
    await start(second, hash);
    const head = await second.reached('unsafe_l2', number + 2);
    await first.reached('unsafe_l2', number + 2);
    const block = await engine.rpc.call<{ hash: string }>('eth_getBlockByNumber', [
      `0x${head.number.toString(16)}`,
      false,
    ]);
    expect(block.hash).toBe(head.hash);
    expect(await isActive(first)).toBe(false);
  });

  it('cannot be started on a verifier', async () => {
    devnet = await TestDevnet.start();
    const verifier = await devnet.node((await devnet.engine()).node.ports.engine);
    for (const method of ['admin_startSequencer', 'admin_stopSequencer', 'admin_overrideLeader'])
      await expect(verifier.rpc.call(method)).rejects.toThrow('sequencer is not enabled');
    expect(await isActive(verifier)).toBe(false);
    expect(await verifier.rpc.call('admin_conductorEnabled')).toBe(false);
  });

  it('inserts a published block before it stops, so that its head is that of its peers', async () => {
    devnet = await TestDevnet.start();
    const [engine, other] = [await devnet.engine(), await devnet.engine()];
    const proxy = devnet.with(await startProxy(engine.node.ports.engine));
    const sequencer = await devnet.sequencer(proxy.port);
    const verifier = await devnet.node(other.node.ports.engine, `--p2p.static=${await sequencer.address()}`);
    await verifier.reached('unsafe_l2', 3);
    proxy.pointTo(undefined);
    const stopping = stop(sequencer);
    proxy.pointTo(engine.node.ports.engine);
    const hash = await stopping;
    await eventually(async () => ((await heads(verifier)).unsafe_l2.hash === hash ? true : undefined));
    expect((await heads(sequencer)).unsafe_l2.hash).toBe(hash);
  });
});

describe('the sequencer', () => {
  it('catches up after a pause without starving transactions, and is never ahead of the clock', async () => {
    devnet = await TestDevnet.start({ ageSeconds: 40 });
    const engine = await devnet.engine();
    const sequencer = await devnet.sequencer(engine.node.ports.engine, '--sequencer.stopped');
    await sequencer.reached('current_l1', 1);
    const account = privateKeyToAccount(KEY);
    const sent: string[] = [];
    for (let nonce = 0; nonce < 20; nonce++) {
      const raw = await account.signTransaction({
        chainId: devnet.config.l2_chain_id,
        type: 'eip1559',
        nonce,
        gas: 21_000n,
        maxFeePerGas: 10n ** 10n,
        maxPriorityFeePerGas: 10n ** 9n,
        to: account.address,
      });
      sent.push(await engine.rpc.call('eth_sendRawTransaction', [raw]));
    }
    await start(sequencer);
    await sequencer.reached('unsafe_l2', 30);
    const { timestamp } = await engine.rpc.call<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
    expect(Number(timestamp)).toBeLessThanOrEqual(Date.now() / 1000);
    const receipts = await Promise.all(
      sent.map((hash) => engine.rpc.call<{ blockNumber: string }>('eth_getTransactionReceipt', [hash])),
    );
    expect(Math.max(...receipts.map(({ blockNumber }) => Number(blockNumber)))).toBeLessThanOrEqual(3);
  });
});
