import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Stream } from '@libp2p/interface';
import { multiaddr } from '@multiformats/multiaddr';
import { expect, it } from 'vitest';
import { readStream } from '../../../../src/nodes/gossip/requests/block-protocol.ts';
import { u64le } from '../../../../src/protocol/bytes.ts';
import { blockOf, rollupAt } from '../blocks.ts';
import { rawHost, startPeer, until } from '../support.ts';

const PROTOCOL = '/opstack/req/payload_by_number/901/0';
/** Bytes of the first answer, to which encryption to use; the second is the responder's part of the handshake. */
const FIRST_ANSWER = 100;

/**
 * Starts a TCP relay that sends all bytes of the dialling side after the handshake in one piece.
 */
async function holdingRelay(target: number) {
  const backlog: Buffer[] = [];
  const stop = new AbortController();
  let release = () => {};
  const server = createServer({ noDelay: true }, (inside) => {
    const outside = connect({ port: target, host: '127.0.0.1', noDelay: true });
    let answered = 0;
    let isHolding = true;
    outside.on('data', (data) => {
      answered += data.length;
      inside.write(data);
    });
    inside.on('data', (data) => (isHolding && answered > FIRST_ANSWER ? backlog.push(data) : outside.write(data)));
    for (const socket of [inside, outside]) {
      socket.on('error', () => {});
      stop.signal.addEventListener('abort', () => socket.destroy());
    }
    release = () => {
      isHolding = false;
      outside.write(Buffer.concat(backlog));
    };
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    backlog: () => backlog.reduce((size, { length }) => size + length, 0),
    release: () => release(),
    [Symbol.dispose]() {
      stop.abort();
      server.close();
    },
  };
}

const line = (text: string) => Buffer.concat([Buffer.of(text.length + 1), Buffer.from(`${text}\n`)]);

it('a stream answers a request that arrives whole in the packet that ends the handshake', async () => {
  const rollup = rollupAt(Math.floor(Date.now() / 1000) - 1000);
  await using server = await startPeer('server', rollup);
  server.blocks.set(10, blockOf(rollup, rollup.config.genesis.l2_time + 20));
  using relay = await holdingRelay(server.network.port);
  const host = await rawHost('hasty');
  const connection = await host.dial(multiaddr(`/ip4/127.0.0.1/tcp/${relay.port}/p2p/${server.network.peerId}`));
  // go-libp2p sends all in one packet if it knows the peer's protocols.
  const { muxer } = connection as unknown as { muxer: { createStream(): Promise<Stream> } };
  const stream = await muxer.createStream();
  const reading = readStream(stream, { most: 10_000 }, AbortSignal.timeout(10_000));
  const before = relay.backlog();
  stream.send(Buffer.concat([line('/multistream/1.0.0'), line(PROTOCOL), u64le(10)]));
  void stream.close();
  await until(() => relay.backlog() > before);
  relay.release();
  const answer = Buffer.from((await reading) as Uint8Array);
  const echo = line('/multistream/1.0.0').length + line(PROTOCOL).length;
  expect([...answer.subarray(echo, echo + 5)]).toEqual([0, 1, 0, 0, 0]);
  await host.stop();
});
