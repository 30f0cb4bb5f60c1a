import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENR } from '@chainsafe/enr';
import { multiaddr } from '@multiformats/multiaddr';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gossipTopic } from '../../../../src/protocol/codec/gossip.ts';
import { freePort } from '../../../system/free-port.ts';
import { rawHost } from '../../gossip/support.ts';
import { eventually } from '../support/devnet.ts';
import { RollupNodes, type RunningNode } from '../support/process.ts';

const until = (condition: () => Promise<boolean>): Promise<true> =>
  eventually(async () => (await condition()) || undefined);

const connected = async (node: RunningNode): Promise<number> => (await node.call('opp2p_peerStats')).connected;

describe('options of the peer network: two nodes that differ in one', () => {
  let nodes: RollupNodes;
  let plain: RunningNode;
  let listed: RunningNode;
  let ports: { tcp: number; udp: number };
  beforeAll(async () => {
    nodes = new RollupNodes();
    ports = { tcp: await freePort('127.0.0.2'), udp: await freePort('127.0.0.2') };
    [plain, listed] = await Promise.all([
      nodes.start('plain'),
      nodes.start('listed', [
        '--p2p.listen.ip=127.0.0.2',
        `--p2p.listen.tcp=${ports.tcp}`,
        `--p2p.listen.udp=${ports.udp}`,
        '--p2p.advertise.ip=127.0.0.2',
        '--p2p.no-discovery=false',
      ]),
    ]);
    await Promise.all([plain.address(), listed.address()]);
  });
  afterAll(() => nodes[Symbol.asyncDispose]());

  it('--p2p.listen.ip, --p2p.listen.tcp: peers connect there', async () => {
    const { peerID } = await listed.call('opp2p_self');
    const at = (ip: string) => `/ip4/${ip}/tcp/${ports.tcp}/p2p/${peerID}`;
    expect(await plain.listens('p2p listens')).not.toBe(ports.tcp);
    expect(await plain.address()).toMatch(/^\/ip4\/127\.0\.0\.1\//);
    await expect(plain.call('opp2p_connectPeer', at('127.0.0.1'))).rejects.toThrow();
    expect(await plain.call('opp2p_connectPeer', at('127.0.0.2'))).toBeNull();
    await plain.call('opp2p_disconnectPeer', peerID);
  });

  it('--p2p.no-discovery, --p2p.listen.udp: a node with discovery has a record, with that port', async () => {
    const record = ENR.decodeTxt((await listed.call('opp2p_self')).ENR);
    expect([record.ip, record.tcp, record.udp]).toEqual(['127.0.0.2', ports.tcp, ports.udp]);
    expect((await plain.call('opp2p_self')).ENR).toBe('');
  });

  it('--p2p.disable: there is no network', async () => {
    const disabled = await nodes.start('disabled', ['--p2p.disable']);
    await expect(disabled.call('opp2p_self')).rejects.toThrow('p2p is disabled');
    expect((await plain.call('opp2p_self')).peerID).toMatch(/^16Uiu2/);
  });

  it('--p2p.bootnodes, --p2p.discovery.path: discovery starts from there, and from what it found before', async () => {
    const record = (await listed.call('opp2p_self')).ENR;
    const path = join(nodes.folder, 'discovered');
    const discovering = ['--p2p.no-discovery=false', '--p2p.listen.ip=127.0.0.2', '--p2p.advertise.ip=127.0.0.2'];
    const start = async (name: string, ...argv: string[]) => {
      const node = await nodes.start(name, [...discovering, ...argv]);
      await node.address();
      return node;
    };
    const [searching, alone] = await Promise.all([
      start('found', `--p2p.bootnodes=${record}`, `--p2p.discovery.path=${path}`),
      start('alone'),
    ]);
    await until(async () => (await connected(searching)) === 1);
    expect(await searching.call('opp2p_discoveryTable')).toContain(record);
    expect(await alone.call('opp2p_discoveryTable')).toEqual([]);
    await searching.stop();
    expect(readFileSync(path, 'utf8')).toContain(record);
    const again = await start('again', `--p2p.discovery.path=${path}`);
    await until(async () => (await again.call('opp2p_discoveryTable')).length === 1);
    await Promise.all([again, alone].map((node) => node[Symbol.asyncDispose]()));
  });

  it('--p2p.static, --p2p.netrestrict: static peers are dialled, unless they are outside the subnets', async () => {
    const address = await plain.address();
    const [fixed, bound] = await Promise.all([
      nodes.start('fixed', [`--p2p.static=${address}`]),
      nodes.start('bound', [`--p2p.static=${address}`, '--p2p.netrestrict=10.0.0.0/8']),
    ]);
    await until(async () => (await connected(fixed)) === 1);
    await bound.address();
    await expect(bound.call('opp2p_connectPeer', address)).rejects.toThrow();
    expect([await connected(bound), await connected(plain)]).toEqual([0, 1]);
    await Promise.all([fixed, bound].map((node) => node[Symbol.asyncDispose]()));
  });

  it('--p2p.peerstore.path: peers that an administrator blocked stay blocked after a restart', async () => {
    const path = join(nodes.folder, 'store');
    const id = (await plain.call('opp2p_self')).peerID;
    const blockedAfter = async (name: string, store: string) => {
      const argv = [`--p2p.peerstore.path=${store}`, `--p2p.priv.path=${join(nodes.folder, `${name}.key`)}`];
      const first = await nodes.start(`${name}-first`, argv);
      await first.address();
      await first.call('opp2p_blockPeer', id);
      await first.stop();
      const second = await nodes.start(`${name}-second`, argv);
      await second.address();
      const blocked = await second.call('opp2p_listBlockedPeers');
      await second[Symbol.asyncDispose]();
      return blocked;
    };
    expect(await Promise.all([blockedAfter('kept', path), blockedAfter('memory', 'memory')])).toEqual([[id], []]);
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, 'utf8')).toContain(readFileSync(join(nodes.folder, 'kept.key'), 'utf8'));
  });

  it('--p2p.peerstore.path refuses a ban of 1e300; one until the last date keeps no node from SIGTERM', async () => {
    const id = (await plain.call('opp2p_self')).peerID;
    const stored = (name: string, until: number) => {
      const path = join(nodes.folder, name);
      const blocked = { peers: [], addresses: [], subnets: [] };
      writeFileSync(path, JSON.stringify({ privateKey: '0'.repeat(64), peers: [], bans: [{ id, until }], blocked }));
      return [`--p2p.peerstore.path=${path}`];
    };
    const refused = nodes.spawn('past', stored('past', 1e300));
    const last = await nodes.spawn('last', stored('last', 8.64e15)).started();
    expect([await refused.exit, refused.lines.join('\n')]).toEqual([
      1,
      expect.stringMatching(/not a file of peers.*until/s),
    ]);
    expect(await last.stop()).toBe(0);
  });

  it('--p2p.scoring, --p2p.ban.peers, --p2p.ban.threshold: bans a peer that sends malformed blocks', async () => {
    const strict = '--p2p.ban.threshold=-50';
    const judges = {
      banning: [strict, '--p2p.ban.duration=2s'],
      forgiving: [strict, '--p2p.ban.peers=false'],
      lenient: ['--p2p.ban.threshold=-1000000'],
      blind: [strict, '--p2p.scoring=none'],
    };
    const topic = gossipTopic(901, 4);
    const [liar, later] = await Promise.all([rawHost('liar'), rawHost('later liar')]);
    const name = liar.peerId.toString();
    const started = await Promise.all(
      Object.entries(judges).map(async ([judge, argv]) => {
        const node = await nodes.start(judge, argv);
        await liar.dial(multiaddr(await node.address()));
        return [judge, node] as const;
      }),
    );
    const node = Object.fromEntries(started) as Record<keyof typeof judges, RunningNode>;
    await until(async () => liar.services.pubsub.getSubscribers(topic).length === started.length);
    let lies = 0;
    /** Sends malformed blocks until it has the effect: the first may precede the stream to a node that subscribes. */
    const lieUntil = (from: typeof liar, condition: () => Promise<boolean>) =>
      until(async () => {
        const lie = new TextEncoder().encode(`no block ${++lies} of ${from.peerId}`);
        if (from.services.pubsub.getSubscribers(topic).length > 0) await from.services.pubsub.publish(topic, lie);
        return condition();
      });
    // A ban lasts 2 s, which a poll of a busy machine may miss.
    const wasBanned = async (from: typeof liar): Promise<boolean> =>
      node.banning.logged('a peer is banned for its score').some(({ peer }) => peer === from.peerId.toString());
    const isBanned = async (from: typeof liar): Promise<boolean> =>
      (await node.banning.call('opp2p_peers', false)).bannedPeers.includes(from.peerId.toString());
    const scoreAt = async (judge: keyof typeof judges): Promise<number> =>
      (await node[judge].call('opp2p_peers', true)).peers[name]?.scores.gossip.total;
    await lieUntil(liar, () => wasBanned(liar));
    for (const judge of ['forgiving', 'lenient'] as const)
      await lieUntil(liar, async () => (await scoreAt(judge)) < -50);
    // Scores are checked every second. When the ban of a second peer is over, every node has checked the first.
    await later.dial(multiaddr(await node.banning.address()));
    await until(async () => later.services.pubsub.getSubscribers(topic).length === 1);
    await lieUntil(later, () => wasBanned(later));
    await until(async () => !(await isBanned(later)));
    expect(await scoreAt('blind')).toBe(0);
    for (const judge of ['forgiving', 'lenient', 'blind'] as const)
      expect((await node[judge].call('opp2p_peers', true)).bannedPeers, judge).toEqual([]);
    await Promise.all([liar.stop(), later.stop()]);
  });
});
