import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Devnet } from '../../src/library/index.ts';
import { Home, rpc } from './devnet.ts';
import { pids, RECEIVER, startNetwork } from './support/reverts.ts';

const WAIT = { timeout: 300_000 };

describe('a network that grows and hands over, by the library', () => {
  let home: Home;
  let net: Devnet;
  beforeAll(async () => {
    home = new Home();
    net = await startNetwork(home.env['DEVNET_HOME'] ?? '', 'growing');
  });
  afterAll(async () => {
    await net[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  const urlOf = async (name: string) => {
    const { chains } = await net.status();
    return chains[0]!.nodes.find((node) => node.name === name)!.el.http;
  };

  it('a node joins, and the handle of the network knows it', async () => {
    const before = await pids(net);
    const late = await net.addNode('late', { el: 'execution-rust' });
    expect(late.tasks.toSorted()).toEqual(['main/late/cl', 'main/late/el']);
    expect(net.chain().nodes).toEqual(['sequencer', 'verifier', 'second', 'late']);
    expect(await late.public.getBlockNumber()).toBeGreaterThan(0n);
    expect((await pids(net)).filter((pid) => !before.includes(pid))).toHaveLength(2);
    await net.waitFor('safe:3', { ...WAIT, node: 'late' });
  });

  it('a node that dials no peer is dialled by the others', async () => {
    await net.addNode('quiet', { set: ['cl.args."p2p.static"=null'] });
    const { chains } = await net.status();
    const { cl } = chains[0]!.nodes.find((node) => node.name === 'quiet')!;
    expect((await rpc<{ connected: number }>(cl.rpc, 'opp2p_peerStats')).connected).toBeGreaterThan(0);
    await net.removeNode('quiet');
  });

  it('a snapshot holds a node that has joined, and one of before does not fit', async () => {
    const snapshot = await net.snapshot();
    const { number } = await net.chain().public.getBlock();
    await net.waitFor(`block:${number + 2n}`, WAIT);
    await net.revert(snapshot);
    await net.waitFor(`block:${number + 2n}`, { ...WAIT, node: 'late' });
    await net.removeNode('second');
    await expect(net.revert(snapshot)).rejects.toThrow('main/second');
    expect(await net.check()).toMatchObject({ agree: true });
  });

  it('the clients of the chain are those of the next sequencer', async () => {
    const former = net.chain();
    const hash = await former.wallet.sendTransaction({ to: RECEIVER, value: 1n });
    const moved = await net.moveSequencer('late');
    expect(moved).toMatchObject({ chain: 'main', from: 'sequencer', to: 'late' });
    expect(net.chain().rpc).toBe(await urlOf('late'));
    for (const chain of [net.chain(), former]) {
      const later = await chain.wallet.sendTransaction({ to: RECEIVER, value: 1n });
      const receipt = await chain.public.waitForTransactionReceipt({ hash: later });
      expect(receipt).toMatchObject({ status: 'success' });
      // The former node counts the nonce of the next transaction.
      await net.waitFor(`block:${receipt.blockNumber}`, { ...WAIT, node: 'sequencer' });
    }
    expect(await net.chain().public.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
    await net.waitFor(`safe:${moved.block + 1}`, WAIT);
    await net.removeNode('sequencer');
    expect(net.chain().nodes).toEqual(['verifier', 'late']);
    expect(await net.check()).toMatchObject({ agree: true });
  });

  it('its refusals are typed', async () => {
    await expect(net.addNode('late')).rejects.toMatchObject({ name: 'UsageError' });
    await expect(net.addNode('new', { el: 'op-gth' })).rejects.toMatchObject({ name: 'SpecError' });
    await expect(net.removeNode('late')).rejects.toMatchObject({ name: 'UsageError' });
    await expect(net.moveSequencer('nobody')).rejects.toMatchObject({ name: 'UsageError' });
  });
});
