import type { Stream } from '@libp2p/interface';
import { noise } from '@libp2p/noise';
import { tcp } from '@libp2p/tcp';
import { yamux } from '@libp2p/yamux';
import { multiaddr } from '@multiformats/multiaddr';
import { createLibp2p, type Libp2p } from 'libp2p';
import { afterEach, describe, expect, it } from 'vitest';
import { blockRequestProtocol, readStream } from '../../../../src/nodes/gossip/requests/block-protocol.ts';
import { concatAll, u64le } from '../../../../src/protocol/bytes.ts';
import { blockOf, CHAIN_ID, rollupAt } from '../blocks.ts';
import { startPeer, type TestPeer, until } from '../support.ts';

const rollup = rollupAt(Math.floor(Date.now() / 1000) - 100);
const BLOCK = 10;
const running: (TestPeer | Libp2p)[] = [];

/** A line of multistream-select: its length, the text and a line feed. */
const line = (text: string) => Uint8Array.of(text.length + 1, ...Buffer.from(`${text}\n`));
const HEADER = line('/multistream/1.0.0');
const PROTOCOL = line(blockRequestProtocol(CHAIN_ID));

async function connected(): Promise<{ server: TestPeer; open: () => Promise<Stream> }> {
  const server = await startPeer('sequencer', rollup);
  const client = await createLibp2p({
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    connectionMonitor: { enabled: false },
  });
  running.push(server, client);
  server.blocks.set(BLOCK, blockOf(rollup, rollup.config.genesis.l2_time + 2 * BLOCK));
  const connection = await client.dial(multiaddr(server.address()));
  await until(() => server.network.stats().connected === 1);
  const { muxer } = connection as unknown as { muxer: { createStream(): Promise<Stream> } };
  return { server, open: () => muxer.createStream() };
}

afterEach(async () => {
  for (const one of running.splice(0)) await ('stop' in one ? one.stop() : one[Symbol.asyncDispose]());
});

/** Pieces that the client sends before it waits for the answer. */
const CLIENTS: readonly { readonly name: string; readonly pieces: readonly Uint8Array[]; readonly closes: boolean }[] =
  [
    {
      name: 'negotiates, asks and closes its side in one go, as go-libp2p does',
      pieces: [concatAll([HEADER, PROTOCOL, u64le(BLOCK)])],
      closes: true,
    },
    {
      name: 'does so in many pieces',
      pieces: [HEADER, PROTOCOL, u64le(BLOCK).subarray(0, 3), u64le(BLOCK).subarray(3)],
      closes: true,
    },
    { name: 'keeps its side open', pieces: [concatAll([HEADER, PROTOCOL, u64le(BLOCK)])], closes: false },
  ];

describe('a request for a block is answered to a client that', () => {
  it.each(CLIENTS)('$name', async ({ pieces, closes }) => {
    const { open } = await connected();
    const stream = await open();
    const answered = readStream(stream, { most: 100_000 }, AbortSignal.timeout(5000));
    for (const piece of pieces) stream.send(piece);
    if (closes) await stream.close();
    const answer = (await answered)!;
    const response = answer.subarray(HEADER.length + PROTOCOL.length);
    expect([...response.subarray(0, 5)]).toEqual([0, 1, 0, 0, 0]);
    expect(response.length).toBeGreaterThan(100);
  });
});
