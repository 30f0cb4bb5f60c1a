import { multiaddr } from '@multiformats/multiaddr';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gossipTopic } from '../../../../src/protocol/codec/gossip.ts';
import { rawHost } from '../../gossip/support.ts';
import { eventually } from '../support/devnet.ts';
import { RollupNodes, type RunningNode } from '../support/process.ts';

const until = (condition: () => Promise<boolean>): Promise<true> =>
  eventually(async () => (await condition()) || undefined);

describe('peers between processes (interface, sections 2.15 and 3)', () => {
  let nodes: RollupNodes;
  let host: RunningNode;
  let guest: RunningNode;
  /** Differs from the host only in its grace period and ban duration. */
  let patient: RunningNode;
  let id: string;
  let address: string;
  beforeAll(async () => {
    nodes = new RollupNodes();
    const argv = ['--p2p.ban.threshold=-50', '--p2p.peers.lo=1', '--p2p.peers.hi=2'];
    [host, guest, patient] = await Promise.all([
      nodes.start('host', [...argv, '--p2p.ban.duration=2s', '--p2p.peers.grace=1s']),
      nodes.start('guest', ['--p2p.peers.grace=1s']),
      nodes.start('patient', [...argv, '--p2p.peers.grace=1h']),
    ]);
    address = await host.address();
    await Promise.all([guest, patient].map((node) => node.address()));
    id = (await guest.call('peernet_self')).peerID;
  });
  afterAll(() => nodes[Symbol.asyncDispose]());

  const connected = async () => (await host.call('peernet_peerStats')).connected === 1;
  const isAlone = async () => (await host.call('peernet_peerStats')).connected === 0;
  const strangers: Awaited<ReturnType<typeof rawHost>>[] = [];
  async function stranger(name: string) {
    const raw = await rawHost(name);
    strangers.push(raw);
    return raw;
  }
  afterEach(async () => {
    for (const raw of strangers.splice(0)) await raw.stop();
  });
  beforeEach(async () => {
    await until(async () => (await host.call('peernet_peerStats')).connected <= 1);
    if (await connected()) return;
    await guest.call('peernet_connectPeer', address);
    await until(connected);
  });

  it('list each other with the fields of the interface, under both names', async () => {
    await until(async () => {
      const peer = (await host.call('peernet_peers', true)).peers[id];
      return peer.userAgent !== '' && peer.gossipBlocks && peer.latency > 0;
    });
    const { totalConnected, peers, bannedPeers, bannedIPS, bannedSubnets } = await host.call('peernet_peers', true);
    expect([totalConnected, bannedPeers, bannedIPS, bannedSubnets]).toEqual([1, [], [], []]);
    const counts = expect.any(Number);
    expect(peers[id]).toEqual({
      peerID: id,
      nodeID: expect.stringMatching(/^[0-9a-f]{64}$/),
      userAgent: expect.stringMatching(/^rollup-node\//),
      protocolVersion: expect.any(String),
      ENR: '',
      addresses: expect.arrayContaining([expect.stringMatching(new RegExp(`^/ip4/127.0.0.1/tcp/\\d+/p2p/${id}$`))]),
      protocols: expect.arrayContaining(['/ipfs/ping/1.0.0', '/meshsub/1.1.0', '/opstack/req/payload_by_number/901/0']),
      connectedness: 1,
      direction: 1,
      protected: false,
      chainID: 901,
      latency: counts,
      gossipBlocks: true,
      scores: {
        gossip: {
          total: counts,
          blocks: {
            timeInMesh: counts,
            firstMessageDeliveries: 0,
            meshMessageDeliveries: 0,
            invalidMessageDeliveries: 0,
          },
          IPColocationFactor: 0,
          behavioralPenalty: 0,
        },
        reqResp: { validResponses: 0, errorResponses: 0, rejectedPayloads: 0 },
      },
    });
    const self = await host.call('peernet_self');
    expect(Object.keys(self).sort()).toEqual(Object.keys(peers[id]).sort());
    expect(self.addresses).toEqual([address]);
    expect(await host.call('opp2p_self')).toEqual(self);
    expect(Object.keys(await host.call('peernet_peerStats')).sort()).toEqual([
      'banned',
      'blocksTopic',
      'blocksTopicV2',
      'connected',
      'known',
      'table',
    ]);
    expect(await host.call('peernet_discoveryTable')).toEqual([]);
    await expect(host.call('opp2p_discoveryTable')).rejects.toThrow('discovery disabled');
  });

  it.each([
    ['Peer', (): string => id, 'Peers'],
    ['Addr', (): string => '127.0.0.1', 'Addrs'],
    ['Subnet', (): string => '127.0.0.0/8', 'Subnets'],
  ] as const)('block%s disconnects and refuses, unblock admits again', async (what, value, list) => {
    expect(await host.call(`peernet_block${what}`, value())).toBeNull();
    await until(isAlone);
    expect(await host.call(`peernet_listBlocked${list}`)).toEqual([value()]);
    await guest.call('peernet_connectPeer', address).catch(() => {});
    expect(await isAlone()).toBe(true);
    expect(await host.call(`peernet_unblock${what}`, value())).toBeNull();
    expect(await host.call(`peernet_listBlocked${list}`)).toEqual([]);
    await until(async () => {
      await guest.call('peernet_connectPeer', address).catch(() => {});
      return connected();
    });
  });

  it('disconnectPeer disconnects, connectPeer connects', async () => {
    expect(await host.call('peernet_disconnectPeer', id)).toBeNull();
    await until(isAlone);
    expect(await guest.call('peernet_connectPeer', address)).toBeNull();
    await until(connected);
    await expect(guest.call('peernet_connectPeer', '/ip4/127.0.0.1/tcp/1')).rejects.toThrow('ends with no /p2p/');
  });

  it('--p2p.peers.hi, --p2p.peers.lo, --p2p.peers.grace: prunes peers, but no protected one', async () => {
    expect(await host.call('peernet_protectPeer', id)).toBeNull();
    const crowd = await Promise.all(['a', 'b', 'c'].map(stranger));
    // Neither prunes: one has all peers in their grace period, the other has no excess peers.
    for (const node of [patient, guest]) {
      const at = multiaddr(await node.address());
      await Promise.all(crowd.map((one) => one.dial(at)));
    }
    const pruned = () => host.logged('pruned a peer').length;
    for (;;) {
      const before = pruned();
      await Promise.all(crowd.map((one) => one.dial(multiaddr(address))));
      await until(async () => pruned() >= before + crowd.length - 1);
      // A check between the ends of two grace periods prunes only some peers, and two peers are no excess.
      if (pruned() === before + crowd.length) break;
      for (const one of crowd) await one.hangUp(multiaddr(address));
      await until(connected);
    }
    await until(connected);
    const { peers } = await host.call('peernet_peers', true);
    expect(Object.keys(peers)).toEqual([id]);
    expect(peers[id].protected).toBe(true);
    for (const node of [patient, guest]) {
      expect(node.logged('pruned a peer')).toEqual([]);
      expect((await node.call('peernet_peerStats')).connected).toBeGreaterThanOrEqual(crowd.length);
    }
    expect(await host.call('peernet_unprotectPeer', id)).toBeNull();
    expect((await host.call('peernet_peers', true)).peers[id].protected).toBe(false);
    const protectedId = crowd[0]!.peerId.toString();
    await host.call('peernet_protectPeer', protectedId);
    for (const one of crowd) await one.dial(multiaddr(address));
    await until(async () => host.logged('pruned a peer').some(({ peer }) => peer === id));
    expect((await host.call('peernet_peers', true)).peers[protectedId].protected).toBe(true);
    await host.call('peernet_unprotectPeer', protectedId);
  });

  it('--p2p.ban.duration: bans a peer whose score falls below the threshold', async () => {
    const liar = await stranger('liar');
    const name = liar.peerId.toString();
    for (const node of [host, patient]) await liar.dial(multiaddr(await node.address()));
    const topic = gossipTopic(901, 4);
    await until(async () => liar.services.pubsub.getSubscribers(topic).length === 2);
    // The ban of the host lasts 2 s, which a poll of a busy machine may miss.
    const wasBanned = (node: RunningNode) =>
      node.logged('a peer is banned for its score').some(({ peer }) => peer === name);
    let lies = 0;
    // The first message may precede the stream to a node that subscribes.
    await until(async () => {
      const lie = new TextEncoder().encode(`no block ${++lies}`);
      if (liar.services.pubsub.getSubscribers(topic).length > 0) await liar.services.pubsub.publish(topic, lie);
      return [host, patient].every(wasBanned);
    });
    await until(async () => liar.getConnections().length === 0);
    expect((await patient.call('peernet_peerStats')).banned).toBe(1);
    expect(await host.call('peernet_listBlockedPeers')).toEqual([]);
    await until(async () => {
      await liar.dial(multiaddr(address)).catch(() => {});
      // In one answer: its score may be low enough for the next ban.
      const { totalConnected, bannedPeers } = await host.call('peernet_peers', true);
      return totalConnected === 2 && bannedPeers.length === 0;
    });
    expect((await patient.call('peernet_peers', false)).bannedPeers).toEqual([name]);
  });

  it('answer an error to malformed ids, addresses and subnets', async () => {
    for (const [method, value] of [
      ['blockPeer', 'nobody'],
      ['unblockPeer', 'nobody'],
      ['protectPeer', 'nobody'],
      ['disconnectPeer', 'nobody'],
      ['blockAddr', '1.2.3'],
      ['unblockAddr', '1.2.3'],
      ['blockSubnet', '10.0.0.0'],
      ['unblockSubnet', '10.0.0.0/99'],
      ['connectPeer', 'nowhere'],
    ] as const)
      await expect(host.call(`peernet_${method}`, value), method).rejects.toMatchObject({ code: -32602 });
    await expect(host.call('peernet_blockPeer')).rejects.toMatchObject({ code: -32602 });
  });

  it('are logged at the level that an administrator sets', async () => {
    const debugs = () => guest.lines.filter((line) => line.includes('"lvl":"debug"')).length;
    expect(debugs()).toBe(0);
    expect(await guest.call('admin_setLogLevel', 'DEBUG')).toBeNull();
    await until(async () => debugs() > 0);
    await guest.call('admin_setLogLevel', 'info');
    await expect(guest.call('admin_setLogLevel', 'loud')).rejects.toMatchObject({ code: -32602 });
  });
});
