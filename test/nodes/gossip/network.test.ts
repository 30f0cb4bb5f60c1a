import { afterEach, describe, expect, it } from 'vitest';
import { keySigner } from '../../../src/nodes/gossip/message/signature.ts';
import { type Clock, wallClock } from '../../../src/system/time/clock.ts';
import { upTo } from '../../protocol/genesis/inputs.ts';
import { blockOf, keyNamed, rollupAt, signer } from './blocks.ts';
import { startPeer, type TestPeer, until } from './support.ts';

const now = () => Math.floor(Date.now() / 1000);
const rollup = rollupAt(now() - 100);
const running: TestPeer[] = [];
const peer = async (...parameters: Parameters<typeof startPeer>) => {
  const started = await startPeer(...parameters);
  running.push(started);
  return started;
};

async function pair(): Promise<[TestPeer, TestPeer]> {
  const sequencer = await peer('sequencer', rollup);
  const verifier = await peer('verifier', rollup, { staticPeers: [sequencer.address()] });
  await until(() => sequencer.network.stats().blocksTopicV4 === 1 && verifier.network.stats().blocksTopicV4 === 1);
  return [sequencer, verifier];
}

afterEach(async () => {
  for (const started of running.splice(0)) await started[Symbol.asyncDispose]();
});

describe('the peer network', () => {
  it('delivers a signed block to a peer, once', async () => {
    const [sequencer, verifier] = await pair();
    const block = blockOf(rollup, now());
    expect(await sequencer.network.publish(block, signer)).toBe(1);
    await until(() => verifier.received.length > 0);
    await sequencer.network.publish(block, signer);
    const next = blockOf(rollup, now(), { gasUsed: 1n });
    await sequencer.network.publish(next, signer);
    await until(() => verifier.received.length > 1);
    expect(verifier.received).toEqual([block, next]);
  });

  it('passes a block on to peers of peers', async () => {
    const [sequencer, verifier] = await pair();
    const far = await peer('far', rollup, { staticPeers: [verifier.address()] });
    await until(() => verifier.network.stats().blocksTopicV4 === 2);
    const block = blockOf(rollup, now());
    await sequencer.network.publish(block, signer);
    await until(() => far.received.length === 1);
    expect(far.received).toEqual([block]);
    expect(far.network.stats().connected).toBe(1);
  });

  it('delivers the last blocks to a peer that joins after they were published', async () => {
    const sequencer = await peer('sequencer', rollup);
    const blocks = [0, 1, 2].map((gasUsed) => blockOf(rollup, now() - 4 + 2 * gasUsed, { gasUsed: BigInt(gasUsed) }));
    for (const block of blocks) await sequencer.network.publish(block, signer);
    const verifier = await peer('verifier', rollup, { staticPeers: [sequencer.address()] });
    await until(() => verifier.received.length === 3);
    expect(verifier.received).toEqual(blocks);
    await sequencer.network.publish(blocks[0]!, signer);
    const next = blockOf(rollup, now(), { gasUsed: 9n });
    await sequencer.network.publish(next, signer);
    await until(() => verifier.received.length > 3);
    expect(verifier.received).toEqual([...blocks, next]);
  });

  it('validates a block that arrived before the signer was known', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sequencer = await peer('sequencer', rollup);
    const verifier = await peer('verifier', rollup, { staticPeers: [sequencer.address()], signerKnown: promise });
    await until(() => sequencer.network.stats().blocksTopicV4 === 1);
    await sequencer.network.publish(blockOf(rollup, now()), signer);
    await until(() => verifier.network.stats().connected === 1);
    expect(verifier.received).toEqual([]);
    resolve();
    await until(() => verifier.received.length === 1);
  });

  it('holds a block that is ahead of a standing clock until that clock is moved', async () => {
    const [start, listeners] = [Date.now(), new Set<() => void>()];
    let at = start;
    const clock: Clock = {
      ...wallClock(),
      now: () => at,
      wallUntil: (time) => (time <= at ? 0 : Number.POSITIVE_INFINITY),
      onMoved: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const sequencer = await peer('sequencer', rollup);
    const verifier = await peer('verifier', rollup, { staticPeers: [sequencer.address()], clock });
    await until(() => sequencer.network.stats().blocksTopicV4 === 1);
    const block = blockOf(rollup, Math.floor(start / 1000) + 10);
    await sequencer.network.publish(block, signer);
    await until(() => listeners.size > 0);
    expect(verifier.received).toEqual([]);
    at += 10_000;
    for (const listener of [...listeners]) listener();
    await until(() => verifier.received.length === 1);
    expect(verifier.received).toEqual([block]);
  });

  it('does not deliver a block of another signer, and lowers the score of its sender', async () => {
    const [sequencer, verifier] = await pair();
    await sequencer.network.publish(blockOf(rollup, now()), keySigner(keyNamed('stranger')));
    const invalid = async () => {
      const { peers } = await verifier.network.peers(true);
      return peers[sequencer.network.peerId]?.scores.gossip.blocks.invalidMessageDeliveries ?? 0;
    };
    await until(async () => (await invalid()) > 0);
    expect(verifier.received).toEqual([]);
  });

  it('reports itself and its peers in the shape of the interface', async () => {
    const [sequencer, verifier] = await pair();
    const { peerId } = sequencer.network;
    await until(async () => ((await verifier.network.peers(true)).peers[peerId]?.userAgent ?? '') !== '');
    const { peers, totalConnected } = await verifier.network.peers(true);
    expect(totalConnected).toBe(1);
    expect(peers[peerId]).toMatchObject({
      peerID: peerId,
      nodeID: expect.stringMatching(/^[0-9a-f]{64}$/),
      userAgent: 'test/sequencer',
      connectedness: 1,
      direction: 2,
      protected: true,
      chainID: 901,
      gossipBlocks: true,
    });
    expect(peers[peerId]?.addresses).toContain(sequencer.address());
    expect(verifier.network.self().addresses[0]).toMatch(/^\/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\/16U/);
    expect(verifier.network.stats()).toMatchObject({
      connected: 1,
      table: 0,
      blocksTopic: 1,
      blocksTopicV2: 1,
      banned: 0,
      known: 1,
    });
  });

  it('forwards a block of other fork times than its own, and does not import it', async () => {
    const [ahead, behind] = [rollupAt(now() - 100, upTo('isthmus')), rollupAt(now() - 100, upTo('ecotone'))];
    const sequencer = await peer('sequencer', ahead);
    const late = await peer('late', behind, { staticPeers: [sequencer.address()] });
    const far = await peer('far', ahead, { staticPeers: [late.address()] });
    await until(() => late.network.stats().blocksTopicV4 === 2 && sequencer.network.stats().blocksTopicV4 === 1);
    await sequencer.network.publish(blockOf(ahead, now(), { extraData: '0x' }), signer);
    await until(() => far.received.length === 1);
    expect(late.received).toEqual([]);
    const { peers } = await late.network.peers(true);
    expect(peers[sequencer.network.peerId]?.scores.gossip.blocks.invalidMessageDeliveries).toBe(0);
  });

  it('ends the connection with a blocked peer, and takes it again once unblocked', async () => {
    const [sequencer, verifier] = await pair();
    sequencer.network.gater.blockPeer(verifier.network.peerId);
    await until(() => sequencer.network.stats().connected === 0);
    expect(sequencer.network.gater.blockedPeers()).toEqual([verifier.network.peerId]);
    sequencer.network.gater.unblockPeer(verifier.network.peerId);
    await until(() => sequencer.network.stats().connected === 1);
  });

  it.each([
    ['an address', (gater: TestPeer['network']['gater']) => gater.blockAddress('127.0.0.1')],
    ['a subnet', (gater: TestPeer['network']['gater']) => gater.blockSubnet('127.0.0.0/8')],
  ])('ends connections with %s that is blocked', async (_, block) => {
    const [sequencer] = await pair();
    block(sequencer.network.gater);
    await until(() => sequencer.network.stats().connected === 0);
  });

  it('connects within the allowed subnets only', async () => {
    const closed = await peer('closed', rollup, { netRestrict: ['10.0.0.0/8'] });
    const other = await peer('other', rollup);
    await expect(other.network.connect(closed.address())).rejects.toThrow();
    await expect(closed.network.connect(other.address())).rejects.toThrow();
    expect(closed.network.stats().connected).toBe(0);
  });

  it('reconnects with a static peer that was offline', async () => {
    const [sequencer, verifier] = await pair();
    const { port } = sequencer.network;
    await sequencer[Symbol.asyncDispose]();
    await until(() => verifier.network.stats().connected === 0);
    await peer('sequencer', rollup, { port });
    await until(() => verifier.network.stats().connected === 1);
  });

  it('keeps one connection when two peers name each other as static', async () => {
    const first = await peer('sequencer', rollup);
    const second = await peer('verifier', rollup, { staticPeers: [first.address()] });
    await first[Symbol.asyncDispose]();
    const again = await peer('sequencer', rollup, { port: first.network.port, staticPeers: [second.address()] });
    await until(() => again.network.stats().connected === 1 && second.network.stats().connected === 1);
    await second.network.disconnect(again.network.peerId);
    await until(() => again.network.stats().connected === 1 && second.network.stats().connected === 1);
  });

  it('is not disturbed by being its own static peer', async () => {
    const port = (await peer('sequencer', rollup)).network.port;
    const address = running[0]!.address();
    await running.pop()![Symbol.asyncDispose]();
    const lonely = await peer('sequencer', rollup, { port, staticPeers: [address] });
    expect(lonely.network.stats()).toMatchObject({ connected: 0, known: 0 });
  });
});
