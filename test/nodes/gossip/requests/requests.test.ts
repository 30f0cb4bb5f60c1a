import { peerIdFromString } from '@libp2p/peer-id';
import { multiaddr } from '@multiformats/multiaddr';
import { afterEach, describe, expect, it } from 'vitest';
import type { Host } from '../../../../src/nodes/gossip/host/host.ts';
import { compressFrames } from '../../../../src/nodes/gossip/message/snappy.ts';
import { readStream } from '../../../../src/nodes/gossip/requests/block-protocol.ts';
import { concat, u64le } from '../../../../src/protocol/bytes.ts';
import { encodeGossipBody } from '../../../../src/protocol/codec/gossip.ts';
import type { ForkSchedule } from '../../../../src/protocol/forks/index.ts';
import { upTo } from '../../../protocol/genesis/inputs.ts';
import { blockOf, rollupAt } from '../blocks.ts';
import { rawHost, startPeer, type TestPeer, until } from '../support.ts';

const now = () => Math.floor(Date.now() / 1000);
const rollup = rollupAt(now() - 1000);
const PROTOCOL = '/opstack/req/payload_by_number/901/0';
const running: AsyncDisposable[] = [];

async function peer(...parameters: Parameters<typeof startPeer>): Promise<TestPeer> {
  const started = await startPeer(...parameters);
  running.push(started);
  return started;
}

/** Starts a foreign libp2p that sends arbitrary requests. */
async function stranger(to?: TestPeer): Promise<Host> {
  const host = await rawHost('stranger');
  running.push({ [Symbol.asyncDispose]: async () => host.stop() });
  if (!to) return host;
  await host.dial(multiaddr(to.address()));
  await until(() => to.network.stats().connected > 0);
  return host;
}

async function ask(host: Host, of: TestPeer, request: Uint8Array, isClosing = true): Promise<number[]> {
  const stream = await host.dialProtocol(peerIdFromString(of.network.peerId), PROTOCOL);
  const reading = readStream(stream, { most: 20_000_000 }, AbortSignal.timeout(15_000));
  stream.send(request);
  if (isClosing) await stream.close();
  return [...((await reading) ?? [])];
}

/** Starts a foreign peer that serves arbitrary bytes as blocks, and a peer that requests from it. */
async function servedBy(answer: (number: number) => Uint8Array | undefined): Promise<[Host, TestPeer]> {
  const host = await stranger();
  await host.handle(PROTOCOL, async (stream) => {
    const request = await readStream(stream, { most: 8, enough: 8 }, AbortSignal.timeout(15_000));
    const response = answer(Number(Buffer.from(request as Uint8Array).readBigUInt64LE()));
    if (!response) return;
    stream.send(response);
    await stream.close();
  });
  const verifier = await peer('verifier', rollup);
  await host.dial(multiaddr(verifier.address()));
  await until(async () => {
    const { peers } = await verifier.network.peers(true);
    return peers[host.peerId.toString()]?.protocols?.includes(PROTOCOL) ?? false;
  });
  return [host, verifier];
}

const scoresOf = async (of: TestPeer, id: string) => (await of.network.peers(false)).peers[id]!.scores.reqResp;

afterEach(async () => {
  for (const started of running.splice(0).reverse()) await started[Symbol.asyncDispose]();
});

describe('requests for blocks', () => {
  it.each([
    ['regolith', 0],
    ['canyon', 0],
    ['ecotone', 1],
    ['isthmus', 1],
    ['jovian', 1],
  ] as const)('are answered in %s with version %i, and the client accepts the answer', async (fork, version) => {
    const forkRollup = rollupAt(now() - 1000, upTo(fork) as ForkSchedule);
    const server = await peer('server', forkRollup);
    const client = await peer('client', forkRollup, { staticPeers: [server.address()] });
    const block = blockOf(forkRollup, forkRollup.config.genesis.l2_time + 20, {
      extraData: '0x',
      transactions: [`0x02${'ab'.repeat(200_000)}`],
    });
    server.blocks.set(10, block);
    const { blockHash } = block.executionPayload;
    await until(async () => (await client.network.request(10, blockHash)) !== null);
    expect(await client.network.request(10, blockHash)).toEqual(block);
    expect(await client.network.request(11, blockHash)).toBeNull();
    expect((await scoresOf(client, server.network.peerId)).validResponses).toBeGreaterThan(0);
    const host = await stranger(server);
    expect((await ask(host, server, u64le(10))).slice(0, 5)).toEqual([0, version, 0, 0, 0]);
  });

  it('are answered with result 1 for a missing block and 2 for an impossible height', async () => {
    const server = await peer('server', rollup);
    const host = await stranger(server);
    expect(await ask(host, server, u64le(10))).toEqual([1]);
    expect(await ask(host, server, u64le(10), false)).toEqual([1]);
    expect(await ask(host, server, u64le(600))).toEqual([2]);
    expect(await ask(host, server, new Uint8Array(8).fill(255))).toEqual([2]);
    await expect(ask(host, server, new Uint8Array(7))).rejects.toThrow();
  });

  it('are throttled: a stranger gets its burst at once and the rest at the rate of the protocol', async () => {
    const server = await peer('server', rollup);
    const host = await stranger(server);
    const from = performance.now();
    for (let count = 0; count < 15; count++) await ask(host, server, u64le(10));
    await Promise.all([1, 2, 3, 4].map(() => ask(host, server, u64le(10))));
    expect(performance.now() - from, 'milliseconds for 4 more than 15, at 4 per second').toBeGreaterThan(950);
  });

  it('go to the next peer after a wrong block, and its sender loses score until it is banned', async () => {
    const block = blockOf(rollup, rollup.config.genesis.l2_time + 20);
    const lie = (number: number) => blockOf(rollup, rollup.config.genesis.l2_time + 2 * number, { gasUsed: 1n });
    const [liar, verifier] = await servedBy((number) =>
      concat(Uint8Array.of(0, 1, 0, 0, 0), compressFrames(encodeGossipBody(lie(number), 4))),
    );
    const id = liar.peerId.toString();
    expect(await verifier.network.request(10, block.executionPayload.blockHash)).toBeNull();
    expect((await scoresOf(verifier, id)).rejectedPayloads).toBeGreaterThan(0);
    const honest = await peer('honest', rollup);
    honest.blocks.set(10, block);
    await verifier.network.connect(honest.address());
    await until(async () => (await verifier.network.request(10, block.executionPayload.blockHash)) !== null);
    for (let index = 0; index < 6; index++) await verifier.network.request(11, block.executionPayload.blockHash);
    await until(async () => (await verifier.network.peers(true)).bannedPeers.includes(id));
    await until(() => verifier.network.stats().connected === 1);
  });

  it.each([
    ['an unknown version', Uint8Array.of(0, 2, 0, 0, 0)],
    ['no snappy frames', Uint8Array.of(0, 1, 0, 0, 0, 1, 2, 3)],
    ['frames that hold no block', concat(Uint8Array.of(0, 1, 0, 0, 0), compressFrames(new Uint8Array(700)))],
    ['frames of more than 10 MiB', concat(Uint8Array.of(0, 1, 0, 0, 0), compressFrames(new Uint8Array(11_000_000)))],
    ['an error', Uint8Array.of(3)],
    ['nothing', new Uint8Array()],
  ])('count %s as an error of the peer', async (_, response) => {
    const [host, verifier] = await servedBy(() => response);
    expect(await verifier.network.request(10, `0x${'11'.repeat(32)}`)).toBeNull();
    expect((await scoresOf(verifier, host.peerId.toString())).errorResponses).toBeGreaterThan(0.9);
  });
});
