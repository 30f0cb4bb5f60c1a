import type { Libp2p } from '@libp2p/interface';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NO_METER } from '../../../../src/nodes/gossip/host/meter.ts';
import { compressFrames } from '../../../../src/nodes/gossip/message/snappy.ts';
import { createApplicationScorer } from '../../../../src/nodes/gossip/requests/application-score.ts';
import { blockClient } from '../../../../src/nodes/gossip/requests/block-client.ts';
import { blockRequestProtocol } from '../../../../src/nodes/gossip/requests/block-protocol.ts';
import { serveBlockRequests } from '../../../../src/nodes/gossip/requests/block-server.ts';
import { concat, u64le } from '../../../../src/protocol/bytes.ts';
import { encodeGossipBody } from '../../../../src/protocol/codec/gossip.ts';
import { wallClock } from '../../../../src/system/time/clock.ts';
import { memoryLog } from '../../batcher/helpers.ts';
import { blockOf, CHAIN_ID, rollupAt } from '../blocks.ts';
import { drain, TestStream } from './test-stream.ts';

const PROTOCOL = blockRequestProtocol(CHAIN_ID);
const rollup = rollupAt(Math.floor(Date.now() / 1000) - 1000);
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

type Handler = (stream: TestStream, connection: { readonly remotePeer: string }) => unknown;

/** A meter that keeps the requests. */
function metering() {
  const requests: unknown[] = [];
  return { requests, meter: { ...NO_METER, request: (...request: unknown[]) => void requests.push(request) } };
}

/** A server to which peers send requests. */
async function serving(trusted: readonly string[] = [], payloadByNumber = async (): Promise<null> => null) {
  const handlers = new Map<string, Handler>();
  const listeners = new Map<string, (event: { detail: string }) => void>();
  const host = {
    handle: async (protocol: string, handler: Handler) => void handlers.set(protocol, handler),
    addEventListener: (name: string, listener: (event: { detail: string }) => void) => listeners.set(name, listener),
  } as unknown as Libp2p;
  const { log, lines } = memoryLog();
  const { meter, requests } = metering();
  await serveBlockRequests(host, {
    ...{ rollup, clock: wallClock(), log, meter, payloadByNumber },
    isTrusted: (peer) => trusted.includes(peer),
  });
  const streams: TestStream[] = [];
  const ask = (peer: string, stream = new TestStream(), request = u64le(10)) => {
    streams.push(stream);
    stream.receive(request);
    void handlers.get(PROTOCOL)!(stream, { remotePeer: peer });
    return stream;
  };
  /** Sends requests, and counts those of all that are answered by now. */
  const answered = async (peer: string, count: number) => {
    for (let each = 0; each < count; each++) ask(peer);
    await drain();
    return streams.filter(({ sent }) => sent.length > 0).length;
  };
  const wait = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return answered('', 0);
  };
  return {
    ask,
    answered,
    wait,
    lines,
    requests,
    disconnect: (peer: string) => listeners.get('peer:disconnect')!({ detail: peer }),
  };
}

describe('the server of blocks', () => {
  it('answers 15 requests of a peer at once, then 4 per second', async () => {
    const { answered, wait } = await serving();
    expect(await answered('a', 17)).toBe(15);
    expect(await wait(249)).toBe(15);
    expect(await wait(1)).toBe(16);
    expect(await wait(250)).toBe(17);
  });

  it('answers 60 requests of a static peer at once, then 20 per second, beside those of others', async () => {
    const { answered, wait } = await serving(['static']);
    expect(await answered('static', 61)).toBe(60);
    expect(await wait(49)).toBe(60);
    expect(await wait(1)).toBe(61);
    expect(await answered('a', 15)).toBe(76);
  });

  it('answers 40 requests of all other peers at once, then 20 per second', async () => {
    const { answered, wait } = await serving();
    expect(await answered('a', 14)).toBe(14);
    expect(await answered('b', 14)).toBe(28);
    expect(await answered('c', 14)).toBe(40);
    expect(await wait(50)).toBe(41);
    expect(await wait(50)).toBe(42);
  });

  it('does not answer a request that would wait for more than 20 seconds, and ends its stream', async () => {
    const { ask, answered, lines } = await serving(['static']);
    // 60 at once, and 400 in 20 seconds.
    await answered('static', 460);
    const stream = ask('static');
    await drain();
    expect([stream.sent, stream.events]).toEqual([[], ['abort the peer asks too often']]);
    expect(lines).toEqual([
      expect.stringMatching(
        /lvl=debug msg="a block request is not answered" peer=static error="the peer asks too often"/,
      ),
    ]);
  });

  it('counts the requests of a peer anew that has connected again', async () => {
    const { answered, disconnect } = await serving(['static', 'other']);
    await answered('static', 60);
    await answered('other', 60);
    disconnect('static');
    expect(await answered('static', 1)).toBe(121);
    expect(await answered('other', 1)).toBe(121);
  });

  it('closes its side after the answer, and waits before while the peer does not read', async () => {
    const { ask } = await serving();
    const full = new TestStream();
    full.isFull = true;
    for (const [stream, events] of [
      [new TestStream(), ['close false']],
      [full, ['drain false', 'close false']],
    ] as const) {
      ask('a', stream);
      await drain();
      expect([stream.sent, stream.events]).toEqual([[Uint8Array.of(1)], events]);
    }
  });

  it.each([
    ['fewer than 8 bytes', new Uint8Array(7), true],
    ['more than 1,024 bytes', new Uint8Array(1025), false],
  ])('does not answer %s', async (_, request, ends) => {
    const { ask } = await serving();
    const stream = ask('a', new TestStream(), request);
    if (ends) stream.receive('end');
    await drain();
    expect([stream.sent, stream.events]).toEqual([[], ['abort the request is not a block number']]);
  });

  it('counts a request with the seconds that it took', async () => {
    const payloadByNumber = async () => {
      vi.advanceTimersByTime(250);
      return null;
    };
    const { ask, requests } = await serving([], payloadByNumber);
    vi.advanceTimersByTime(1000);
    ask('a');
    await drain();
    expect(requests).toEqual([['server', 1, 0.25, 10]]);
  });

  it('says why it cannot answer', async () => {
    const { ask, lines } = await serving([], () => Promise.reject(new Error('no state')));
    const stream = ask('a');
    await drain();
    expect(stream.sent).toEqual([Uint8Array.of(3)]);
    expect(lines).toEqual([
      expect.stringMatching(/lvl=debug msg="cannot answer a block request" number=10 error="no state"/),
    ]);
  });
});

/** A client of peers that answer by a function. */
function asking(peers: Readonly<Record<string, (stream: TestStream) => void>>, unstored: readonly string[] = []) {
  const streams: (readonly [peer: string, stream: TestStream])[] = [];
  const host = {
    getPeers: () => Object.keys(peers),
    peerStore: {
      async get(peer: string) {
        if (unstored.includes(peer)) throw new Error('no such peer');
        return { protocols: ['/other', PROTOCOL] };
      },
    },
    async dialProtocol(peer: string, protocol: string, { signal }: { signal: AbortSignal }) {
      expect([protocol, signal.aborted]).toEqual([PROTOCOL, false]);
      const stream = new TestStream((each) => peers[peer]!(each));
      streams.push([peer, stream]);
      return stream;
    },
  } as unknown as Libp2p;
  const scorer = createApplicationScorer();
  const { log, lines } = memoryLog();
  const { meter, requests } = metering();
  const request = blockClient({ host, rollup, log, meter, scorer, isAskable: () => true });
  return { request, requests, streams, scorer, lines };
}
const HASH = `0x${'11'.repeat(32)}` as const;
const answering =
  (...parts: (Uint8Array | 'end' | Error)[]) =>
  (stream: TestStream) => {
    for (const part of parts) stream.receive(part);
  };

describe('a client of blocks', () => {
  it('sends the height, and closes its side', async () => {
    const { request, streams } = asking({ a: answering(Uint8Array.of(1), 'end') });
    expect(await request(10, HASH)).toBeNull();
    expect(streams.map(([, { sent, events }]) => [sent, events])).toEqual([[[u64le(10)], ['close false']]]);
  });

  it('counts a request with the seconds that it took', async () => {
    const { request, requests } = asking({
      a: (stream) => {
        vi.advanceTimersByTime(250);
        answering(Uint8Array.of(1), 'end')(stream);
      },
    });
    vi.advanceTimersByTime(1000);
    await request(10, HASH);
    expect(requests).toEqual([['client', 1, 0.25, 10]]);
  });

  it('says that a peer has a block of another chain', async () => {
    const block = blockOf(rollup, rollup.config.genesis.l2_time + 20);
    const answer = concat(Uint8Array.of(0, 1, 0, 0, 0), compressFrames(encodeGossipBody(block, 4)));
    const { request, lines } = asking({ a: answering(answer, 'end') });
    expect(await request(10, HASH)).toBeNull();
    expect(lines).toEqual([
      expect.stringContaining(
        `lvl=debug msg="a peer answered a block of another chain" peer=a number=10 expected=${HASH}`,
      ),
    ]);
  });

  it('asks no peer that its book does not have', async () => {
    const none = answering(Uint8Array.of(1), 'end');
    const { request, streams } = asking({ a: none, b: none }, ['a']);
    await request(10, HASH);
    expect(streams.map(([peer]) => peer)).toEqual(['b']);
  });

  it.each<[string, (stream: TestStream) => void, string]>([
    ['an error', answering(Uint8Array.of(2), 'end'), 'answer 2 to a request for block 10'],
    ['no bytes', answering('end'), 'answer nothing to a request for block 10'],
    ['too many bytes', answering(new Uint8Array(10 * 1024 * 1024 + 1)), 'more than 10485760 bytes for block 10'],
    [
      'an unknown version',
      answering(Uint8Array.of(0, 7, 0, 0, 0), 'end'),
      'response of version 7 for block 10, expected 1',
    ],
    ['no frames', answering(Uint8Array.of(0, 1, 0, 0, 0), 'end'), 'broken data for block 10'],
    ['a failure', answering(new Error('reset')), 'reset'],
  ])('ends the stream of a peer that answers with %s, and says why', async (_, answer, reason) => {
    const { request, streams, scorer, lines } = asking({ a: answer });
    expect(await request(10, HASH)).toBeNull();
    expect(streams[0]![1].events).toEqual(['close false', `abort ${reason}`]);
    expect(scorer.of('a').errorResponses).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/lvl=debug msg="a block request failed" peer=a number=10 error=/)]);
    expect(lines[0]).toContain(reason);
  });
});
