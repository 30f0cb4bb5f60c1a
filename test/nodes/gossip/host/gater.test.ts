import type { MultiaddrConnection } from '@libp2p/interface';
import { peerIdFromString } from '@libp2p/peer-id';
import { multiaddr } from '@multiformats/multiaddr';
import { describe, expect, it } from 'vitest';
import { ArgumentError } from '../../../../src/nodes/gossip/host/argument.ts';
import { banBook } from '../../../../src/nodes/gossip/host/bans.ts';
import { addressOf, type BlockLists, createGater } from '../../../../src/nodes/gossip/host/gater.ts';
import { NO_METER } from '../../../../src/nodes/gossip/host/meter.ts';

const A = '16Uiu2HAmLhLvBoYaoZfaMUKuibM6ac163GwKY74c5kiSLg5KvLpY';
const B = '16Uiu2HAm3rmFkMTyZjUEZHgp5CLFBBkSyjPMhHmDBMjnqj3HMcaN';
const NONE: BlockLists = { peers: [], addresses: [], subnets: [] };
const FOR_EVER = Number.MAX_SAFE_INTEGER;

/** A gater, and what it tells: `changed`, and each event of its meter. */
function opened({ within = [] as string[], blocked = NONE } = {}) {
  const told: string[] = [];
  const bans = banBook([], (id) => told.push(`ban of ${id} ended`));
  const meter = {
    ...NO_METER,
    connection: (kind: string, isAllowed: boolean) => told.push(`${kind} ${isAllowed}`),
    unban: (kind: string) => told.push(`unban ${kind}`),
  };
  const gater = createGater({ within, blocked, bans, meter, onChange: () => told.push('changed') });
  return { gater, bans, told };
}

describe('a peer', () => {
  it('may connect until it is blocked, and again after that', () => {
    const { gater, told } = opened();
    expect([gater.allows(A, undefined), gater.allows(undefined, undefined)]).toEqual([true, true]);
    gater.blockPeer(A);
    expect([gater.allows(A, undefined), gater.allows(B, undefined)]).toEqual([false, true]);
    expect(gater.blockedPeers()).toEqual([A]);
    gater.unblockPeer(A);
    expect([gater.allows(A, undefined), gater.blockedPeers()]).toEqual([true, []]);
    expect(told).toEqual(['changed', 'unban peer', 'changed']);
  });

  it('that is banned may connect once it is unblocked, which counts no block that was not there', () => {
    const { gater, bans, told } = opened();
    bans.ban(A, FOR_EVER);
    expect([gater.allows(A, '10.0.0.1'), gater.blockedPeers()]).toEqual([false, []]);
    gater.unblockPeer(A);
    expect(gater.allows(A, '10.0.0.1')).toBe(true);
    expect(told).toEqual([`ban of ${A} ended`, 'changed']);
  });
});

describe('an address', () => {
  it('may connect until it is blocked in any of its spellings, and again after that', () => {
    const { gater, told } = opened();
    gater.blockAddress('2001:DB8:0::1');
    expect(gater.blockedAddresses()).toEqual(['2001:db8::1']);
    expect([gater.allows(A, '2001:db8::1'), gater.allows(A, '2001:db8::2')]).toEqual([false, true]);
    gater.blockAddress('10.0.0.1');
    expect(gater.allows(undefined, '::ffff:10.0.0.1')).toBe(false);
    gater.unblockAddress('2001:db8:0::1');
    expect([gater.allows(A, '2001:db8::1'), gater.blockedAddresses()]).toEqual([true, ['10.0.0.1']]);
    gater.unblockAddress('10.0.0.9');
    expect(told).toEqual(['changed', 'changed', 'unban ip', 'changed', 'changed']);
  });

  it('may not connect if its subnet is blocked', () => {
    const { gater, told } = opened();
    gater.blockSubnet('10.9.9.9/16');
    gater.blockSubnet('fd00::/8');
    expect(gater.blockedSubnets()).toEqual(['10.9.0.0/16', 'fd00::/8']);
    expect(['10.9.1.1', 'fd01::1', '10.8.1.1'].map((address) => gater.allows(A, address))).toEqual([
      false,
      false,
      true,
    ]);
    gater.unblockSubnet('10.9.0.1/16');
    expect([gater.allows(A, '10.9.1.1'), gater.blockedSubnets()]).toEqual([true, ['fd00::/8']]);
    expect(told).toEqual(['changed', 'changed', 'changed']);
  });

  it('outside all subnets that may connect may not, and a host name may', () => {
    const { gater } = opened({ within: ['10.0.0.0/8', '192.168.0.0/16'] });
    expect(['10.1.1.1', '192.168.1.1', '11.0.0.1'].map((address) => gater.allows(A, address))).toEqual([
      true,
      true,
      false,
    ]);
    expect(gater.allows(A, undefined)).toBe(true);
  });
});

it('the block lists of an earlier run hold', () => {
  const { gater } = opened({ blocked: { peers: [A], addresses: ['10.0.0.1'], subnets: ['11.0.0.0/8'] } });
  expect([gater.allows(A, undefined), gater.allows(B, '10.0.0.1'), gater.allows(B, '11.2.3.4')]).toEqual([
    false,
    false,
    false,
  ]);
  expect([gater.blockedPeers(), gater.blockedAddresses(), gater.blockedSubnets()]).toEqual([
    [A],
    ['10.0.0.1'],
    ['11.0.0.0/8'],
  ]);
});

it('a malformed peer id, address or subnet is refused, and changes nothing', () => {
  const { gater, told } = opened();
  const calls = [
    () => gater.blockPeer('x'),
    () => gater.unblockPeer('x'),
    () => gater.blockAddress('10.0.0'),
    () => gater.unblockAddress('10.0.0'),
    () => gater.blockSubnet('10.0.0.0'),
    () => gater.unblockSubnet('10.0.0.0'),
  ];
  for (const call of calls) expect(call).toThrow(ArgumentError);
  expect(told).toEqual([]);
});

describe('the answers for libp2p', () => {
  const from = (address: string) => ({ remoteAddr: multiaddr(address) }) as MultiaddrConnection;
  const [a, b] = [peerIdFromString(A), peerIdFromString(B)];

  it('deny a dial of a blocked peer and of a blocked address, and count dials of peers', () => {
    const { gater, told } = opened({ blocked: { peers: [A], addresses: ['10.0.0.1'], subnets: [] } });
    const { connectionGater } = gater;
    expect([connectionGater.denyDialPeer?.(a), connectionGater.denyDialPeer?.(b)]).toEqual([true, false]);
    const dials = ['/ip4/10.0.0.1/tcp/1', '/ip4/10.0.0.2/tcp/1', '/dns4/a.example/tcp/1'];
    expect(dials.map((address) => connectionGater.denyDialMultiaddr?.(multiaddr(address)))).toEqual([
      true,
      false,
      false,
    ]);
    expect(told).toEqual(['dial false', 'dial true']);
  });

  it('deny a connection by its address before its peer is known, and count it', () => {
    const { gater, told } = opened({ blocked: { peers: [A], addresses: ['fd00::1'], subnets: [] } });
    const { denyInboundConnection } = gater.connectionGater;
    expect(denyInboundConnection?.(from('/ip6/fd00::1/tcp/1'))).toBe(true);
    expect(denyInboundConnection?.(from('/ip6/fd00::2/tcp/1'))).toBe(false);
    expect(told).toEqual(['accept false', 'accept true']);
  });

  it('deny a connection by its peer and its address once both are known', () => {
    const { gater, told } = opened({ blocked: { peers: [A], addresses: ['10.0.0.1'], subnets: [] } });
    const { denyInboundEncryptedConnection, denyOutboundEncryptedConnection } = gater.connectionGater;
    for (const deny of [denyInboundEncryptedConnection, denyOutboundEncryptedConnection]) {
      expect(deny?.(a, from('/ip4/10.0.0.2/tcp/1'))).toBe(true);
      expect(deny?.(b, from('/ip4/10.0.0.1/tcp/1'))).toBe(true);
      expect(deny?.(b, from('/ip4/10.0.0.2/tcp/1'))).toBe(false);
    }
    expect(told).toEqual([]);
  });

  it('keep every address of a peer', async () => {
    const { connectionGater } = opened().gater;
    expect(await connectionGater.filterMultiaddrForPeer?.(a, multiaddr('/ip4/10.0.0.1/tcp/1'))).toBe(true);
  });
});

it.each([
  ['/ip4/10.0.0.1/tcp/9003', '10.0.0.1'],
  ['/ip6/fd00::1/udp/1', 'fd00::1'],
  ['/dns4/a.example/tcp/1', undefined],
])('the IP address of %s is %s', (text, address) => {
  expect(addressOf(multiaddr(text))).toBe(address);
});
