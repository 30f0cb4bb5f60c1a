import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENR } from '@chainsafe/enr';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { decodeOpStack, encodeOpStack } from '../../../../src/nodes/gossip/discovery/opstack-record.ts';
import type { RollupConfig } from '../../../../src/protocol/types.ts';
import { freePort } from '../../../../src/system/net/ports.ts';
import { rollupAt } from '../blocks.ts';
import { startPeer, type TestPeer, until } from '../support.ts';

const now = () => Math.floor(Date.now() / 1000);
const rollup = rollupAt(now() - 100);
const running: TestPeer[] = [];

async function node(
  name: string,
  bootnodes: readonly TestPeer[] = [],
  changes: { path?: string; chain?: typeof rollup; netRestrict?: string[] } = {},
): Promise<TestPeer> {
  const { path, chain = rollup, ...options } = changes;
  const started = await startPeer(name, chain, {
    ...options,
    discovery: { udpPort: 0, advertise: {}, bootnodes: bootnodes.map(({ network }) => network.self().ENR), path },
  });
  running.push(started);
  return started;
}

afterEach(async () => {
  for (const started of running.splice(0)) await started[Symbol.asyncDispose]();
});

describe('discovery', () => {
  it("carries the rollup in the node's record, as chain id and version", async () => {
    const { network } = await node('lonely');
    const record = ENR.decodeTxt(network.self().ENR);
    expect([...record.kvs.keys()].sort()).toEqual(['id', 'ip', 'opstack', 'secp256k1', 'tcp', 'udp']);
    // 901 as unsigned varint, and version 0.
    expect([...(record.kvs.get('opstack') as Uint8Array)]).toEqual([0x85, 0x07, 0x00]);
    expect([record.ip, record.tcp, record.udp]).toEqual(['127.0.0.1', network.port, network.port]);
    expect([record.peerId.toString(), record.nodeId]).toEqual([network.peerId, network.self().nodeID]);
    expect(network.table()).toEqual([]);
  });

  it.each([
    [10, [0x0a, 0x00]],
    [8453, [0x85, 0x42, 0x00]],
    [11155420, [0xdc, 0xef, 0xa8, 0x05, 0x00]],
  ])('encodes chain %i as records of that chain have it', (chainId, bytes) => {
    expect([...encodeOpStack({ chainId, version: 0 })]).toEqual(bytes);
  });

  it('round-trips entries, and rejects malformed ones', () => {
    const numbers = fc.nat(Number.MAX_SAFE_INTEGER);
    fc.assert(
      fc.property(numbers, numbers, (chainId, version) => {
        expect(decodeOpStack(encodeOpStack({ chainId, version }))).toEqual({ chainId, version });
      }),
    );
    for (const bytes of [[], [1], [0x80], [1, 0x80], Array(12).fill(0xff)])
      expect(decodeOpStack(Uint8Array.from(bytes)), String(bytes)).toBeUndefined();
  });

  it('listens at the port of the node, not at the one that it advertises', async () => {
    const ports = [await freePort('127.0.0.1', [20_000, 32_000], new Set())];
    ports.push(await freePort('127.0.0.1', [20_000, 32_000], new Set(ports)));
    const [listenPort, tcp] = ports as [number, number];
    const started = await startPeer('advertised', rollup, {
      port: listenPort,
      advertise: { ip: '127.0.0.1', port: tcp },
      discovery: { udpPort: 0, advertise: { ip: '127.0.0.1', tcp, udp: tcp }, bootnodes: [], path: undefined },
    });
    running.push(started);
    const record = ENR.decodeTxt(started.network.self().ENR);
    expect([record.tcp, record.udp]).toEqual([tcp, tcp]);
    const bound = createSocket('udp4');
    const failure = new Promise((done) => bound.once('error', done).bind(listenPort, '127.0.0.1', () => done('free')));
    expect(await failure).toMatchObject({ code: 'EADDRINUSE' });
  });

  it('connects nodes of one rollup that know only a bootnode', async () => {
    const boot = await node('boot');
    const other = rollupAt(now() - 100);
    const stranger = await node('stranger', [boot], {
      chain: { ...other, config: { ...other.config, l2_chain_id: 902 } as RollupConfig },
    });
    const first = await node('first', [boot]);
    const second = await node('second', [boot]);
    await until(() => first.network.stats().connected === 2 && second.network.stats().connected === 2);
    await until(() => (first.network.table()?.length ?? 0) > 1);
    expect(first.network.stats().table).toBe(first.network.table()?.length);
    expect(stranger.network.stats().connected).toBe(0);
    // A node that was dialled learns the record of its peer by a search of its own.
    const peerInfo = async () => (await second.network.peers(true)).peers[first.network.peerId];
    await expect.poll(peerInfo).toMatchObject({ ENR: first.network.self().ENR, chainID: 901 });
  });

  it('keeps found records in a file, and starts from them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'discovery-'));
    const path = join(folder, 'records.json');
    const boot = await node('boot');
    const guest = await node('guest', [boot], { path });
    await until(() => guest.network.table()?.length === 1);
    await guest[Symbol.asyncDispose]();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual([boot.network.self().ENR]);
    const again = await node('guest', [], { path });
    await until(() => again.network.stats().connected === 1);
    rmSync(folder, { recursive: true });
  });

  it('dials no address outside the allowed subnets', async () => {
    const boot = await node('boot');
    const closed = await node('closed', [boot], { netRestrict: ['10.0.0.0/8'] });
    const open = await node('open', [boot]);
    await until(() => open.network.stats().connected === 1);
    expect(closed.network.stats().connected).toBe(0);
  });
});
