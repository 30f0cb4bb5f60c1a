import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { keySigner } from '../../../../src/nodes/gossip/message/signature.ts';
import { blockOf, keyNamed, rollupAt } from '../blocks.ts';
import { startPeer, type TestPeer, until } from '../support.ts';

const now = () => Math.floor(Date.now() / 1000);
const rollup = rollupAt(now() - 100);
const running: TestPeer[] = [];
const folder = mkdtempSync(join(tmpdir(), 'peers-'));
const peer = async (...parameters: Parameters<typeof startPeer>) => {
  const started = await startPeer(...parameters);
  running.push(started);
  return started;
};

/** Connects two peers that are not each other's static peers. */
async function strangers(options: Parameters<typeof startPeer>[2] = {}): Promise<[TestPeer, TestPeer]> {
  const host = await peer('host', rollup, options);
  const guest = await peer('guest', rollup);
  await guest.network.connect(host.address());
  await until(() => host.network.stats().blocksTopicV4 === 1 && guest.network.stats().blocksTopicV4 === 1);
  return [host, guest];
}

const misbehave = (guest: TestPeer) => guest.network.publish(blockOf(rollup, now()), keySigner(keyNamed('stranger')));

afterEach(async () => {
  for (const started of running.splice(0)) await started[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('the peers of a node', () => {
  it('are banned for a low score, not by being blocked, and may come back when the ban is over', async () => {
    const [host, guest] = await strangers({ ban: { threshold: -100, durationMs: 1_500 } });
    const id = guest.network.peerId;
    await misbehave(guest);
    await until(async () => (await host.network.peers(false)).bannedPeers.includes(id));
    await until(() => host.network.stats().connected === 0);
    expect(host.network.stats().banned).toBe(1);
    expect(host.network.gater.blockedPeers()).toEqual([]);
    await until(async () => {
      await guest.network.connect(host.address()).catch(() => {});
      return host.network.stats().connected === 1;
    });
    expect((await host.network.peers(false)).bannedPeers).toEqual([]);
  });

  it('may connect again before their ban is over once they are unblocked', async () => {
    const [host, guest] = await strangers();
    await misbehave(guest);
    await until(() => host.network.stats().connected === 0 && guest.network.stats().connected === 0);
    expect(host.network.stats().banned).toBe(1);
    await expect(host.network.connect(guest.address())).rejects.toThrow();
    host.network.gater.unblockPeer(guest.network.peerId);
    await host.network.connect(guest.address());
    await until(() => host.network.stats().connected === 1);
    expect(host.network.stats().banned).toBe(0);
  });

  it('are not banned when they are static', async () => {
    const sequencer = await peer('guest', rollup);
    const host = await peer('host', rollup, { staticPeers: [sequencer.address()] });
    await until(() => sequencer.network.stats().blocksTopicV4 === 1 && host.network.stats().blocksTopicV4 === 1);
    await misbehave(sequencer);
    const score = async () =>
      (await host.network.peers(true)).peers[sequencer.network.peerId]?.scores.gossip.total ?? 0;
    await until(async () => (await score()) < -100);
    const other = await peer('other', rollup);
    await other.network.connect(host.address());
    await until(() => other.network.stats().blocksTopicV4 === 1 && host.network.stats().blocksTopicV4 === 2);
    await misbehave(other);
    await until(() => host.network.stats().banned === 1);
    expect((await host.network.peers(false)).bannedPeers).toEqual([other.network.peerId]);
  });

  it('are pruned from above the high watermark to the low one, except protected peers', async () => {
    const host = await peer('host', rollup, { peerLimits: { low: 1, high: 2, graceMs: 0 } });
    const guests = await Promise.all(['a', 'b'].map((name) => peer(name, rollup)));
    for (const guest of guests) await guest.network.connect(host.address());
    host.network.protect(guests[0]!.network.peerId, true);
    await until(() => host.network.stats().connected === 2);
    const last = await peer('c', rollup);
    await last.network.connect(host.address());
    await until(() => host.network.stats().connected === 1);
    expect(Object.keys((await host.network.peers(true)).peers)).toEqual([guests[0]!.network.peerId]);
    host.network.protect(guests[0]!.network.peerId, false);
    expect((await host.network.peers(true)).peers[guests[0]!.network.peerId]?.protected).toBe(false);
  });

  it('are not pruned within their grace period', async () => {
    const host = await peer('host', rollup, { peerLimits: { low: 1, high: 1, graceMs: 2_000 } });
    const from = performance.now();
    for (const name of ['a', 'b']) await (await peer(name, rollup)).network.connect(host.address());
    await until(() => host.network.stats().connected === 2);
    await until(() => host.network.stats().connected === 1);
    expect(performance.now() - from, 'milliseconds of grace').toBeGreaterThan(1_900);
  });

  it('are stored in a file of mode 0600: addresses, bans and blocks', async () => {
    const storePath = join(mkdtempSync(join(tmpdir(), 'peers-')), 'store.json');
    const host = await peer('host', rollup, { storePath });
    const guest = await peer('guest', rollup);
    await host.network.connect(guest.address());
    await until(() => host.network.stats().blocksTopicV4 === 1 && guest.network.stats().blocksTopicV4 === 1);
    host.network.gater.blockAddress('10.0.0.7');
    host.network.gater.blockSubnet('10.9.9.9/16');
    await misbehave(guest);
    await until(() => host.network.stats().banned === 1);
    await host[Symbol.asyncDispose]();
    expect(statSync(storePath).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(storePath, 'utf8')).privateKey).toBe(Buffer.from(keyNamed('host')).toString('hex'));
    const again = await peer('host', rollup, { storePath });
    const { peers, bannedPeers, bannedIPS, bannedSubnets } = await again.network.peers(false);
    expect([bannedPeers, bannedIPS, bannedSubnets]).toEqual([[guest.network.peerId], ['10.0.0.7'], ['10.9.0.0/16']]);
    expect(peers[guest.network.peerId]?.addresses).toContain(guest.address());
    await expect(again.network.connect(guest.address())).rejects.toThrow();
    writeFileSync(storePath, '{"peers":7}');
    await expect(startPeer('other', rollup, { storePath })).rejects.toThrow('is not a file of peers');
    rmSync(storePath, { force: true });
  });
});
