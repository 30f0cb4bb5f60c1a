import type { Stream } from '@libp2p/interface';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Host } from '../../../../src/nodes/gossip/host/host.ts';
import { decompressFrames } from '../../../../src/nodes/gossip/message/snappy.ts';
import { blockRequestProtocol, readStream } from '../../../../src/nodes/gossip/requests/block-protocol.ts';
import { serveBlockRequests } from '../../../../src/nodes/gossip/requests/block-server.ts';
import { concat, u64le } from '../../../../src/protocol/bytes.ts';
import { decodeGossipBody } from '../../../../src/protocol/codec/gossip.ts';
import type { Rollup } from '../../../../src/protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope } from '../../../../src/protocol/types.ts';
import { wallClock } from '../../../../src/system/time/clock.ts';
import { upTo } from '../../../protocol/genesis/inputs.ts';
import { blockOf, CHAIN_ID, rollupAt, silent } from '../blocks.ts';
import { rawHost } from '../support.ts';

const GENESIS_TIME = 1000;
const FIRST = 5;
const WITHIN = () => AbortSignal.timeout(15_000);
/** A rollup whose genesis block is number 5, of a fork. */
function rollupOf(fork: 'canyon' | 'ecotone' | 'jovian') {
  const rollup = rollupAt(GENESIS_TIME, upTo(fork) as never);
  const { genesis } = rollup.config;
  return { ...rollup, config: { ...rollup.config, genesis: { ...genesis, l2: { ...genesis.l2, number: FIRST } } } };
}

let hosts: Host[];
let server: Host;
let client: Host;
let rollup = rollupOf('jovian');
let seconds: number;
let blocks: Map<number, ExecutionPayloadEnvelope | Error>;
const requests: unknown[] = [];

beforeAll(async () => {
  hosts = await Promise.all([rawHost('server'), rawHost('client')]);
  [server, client] = hosts as [Host, Host];
  const options = {
    ...{ clock: { ...wallClock(), now: () => seconds * 1000 }, log: silent, isTrusted: () => true },
    rollup: { ...rollup, rulesAt: (time: Parameters<Rollup['rulesAt']>[0]) => rollup.rulesAt(time) },
    meter: {
      ...{ gossip() {}, connection() {}, unban() {} },
      request: (...[role, code, took, number]: [string, number, number, number]) =>
        void requests.push([role, code, took >= 0 && took < 60, number]),
    },
    async payloadByNumber(number: number) {
      const block = blocks.get(number);
      if (block instanceof Error) throw block;
      return block ?? null;
    },
  };
  await serveBlockRequests(server, options);
  await client.dial(server.getMultiaddrs()[0]!);
});
afterAll(async () => {
  for (const host of hosts) await host.stop();
});
beforeEach(() => {
  [seconds, blocks] = [GENESIS_TIME + 20, new Map()];
  rollup = rollupOf('jovian');
  requests.length = 0;
});

async function asked(request: Uint8Array, use: (stream: Stream) => unknown = () => undefined): Promise<number[]> {
  const stream = await client.dialProtocol(server.peerId, blockRequestProtocol(CHAIN_ID), { signal: WITHIN() });
  const reading = readStream(stream, { most: 20_000_000 }, WITHIN());
  stream.send(request);
  use(stream);
  return [...((await reading) ?? [])];
}
describe('a request for a block', () => {
  it.each([
    ['canyon', 0, 2],
    ['ecotone', 1, 3],
    ['jovian', 1, 4],
  ] as const)('is answered under %s with version %i', async (fork, version, payload) => {
    rollup = rollupOf(fork);
    const block = blockOf(rollup, GENESIS_TIME + 6, { blockNumber: 8 });
    blocks.set(8, block);
    const answer = await asked(u64le(8));
    expect(answer.slice(0, 5)).toEqual([0, version, 0, 0, 0]);
    const body = decompressFrames(Uint8Array.from(answer.slice(5)), 1 << 20);
    expect(decodeGossipBody(body!, payload)).toEqual(block);
    expect(requests).toEqual([['server', 0, true, 8]]);
  });

  it('is answered with 1 when there is no such block, and with 3 when it cannot be read', async () => {
    blocks.set(9, new Error('no state'));
    expect([await asked(u64le(8)), await asked(u64le(9))]).toEqual([[1], [3]]);
    expect(requests).toEqual([
      ['server', 1, true, 8],
      ['server', 3, true, 9],
    ]);
  });

  it.each<[number, bigint, number]>([
    [20, 15n, 1],
    [20, 16n, 2],
    [21, 15n, 1],
    [21, 16n, 2],
    [22, 16n, 1],
    [0, 5n, 1],
    [0, 4n, 2],
    [-1, 5n, 2],
    [-100, 0n, 2],
    [20, 2n ** 64n - 1n, 2],
  ])('%i seconds after genesis for block %s is answered with %i', async (after, number, code) => {
    seconds = GENESIS_TIME + after;
    const request = Buffer.alloc(8);
    request.writeBigUInt64LE(number);
    expect(await asked(request)).toEqual([code]);
  });

  it('of more than 8 bytes is read up to there, and of fewer gets no answer', async () => {
    expect(await asked(concat(u64le(8), Uint8Array.of(1, 2)))).toEqual([1]);
    await expect(asked(u64le(8).subarray(1), (stream) => stream.close())).rejects.toThrow();
    await expect(asked(new Uint8Array(1025), (stream) => stream.close())).rejects.toThrow();
  });

  it('that comes in pieces is answered', async () => {
    expect(await asked(u64le(8).subarray(0, 3), (stream) => stream.send(u64le(8).subarray(3)))).toEqual([1]);
  });
});
