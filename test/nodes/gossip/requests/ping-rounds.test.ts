import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Host } from '../../../../src/nodes/gossip/host/host.ts';
import { startPing } from '../../../../src/nodes/gossip/requests/ping.ts';
import { drain, TestStream } from './test-stream.ts';

const PROTOCOL = '/ipfs/ping/1.0.0';
const MS = 1_000_000;
const stopping = new Set<AbortController>();
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] }));
afterEach(() => {
  for (const one of stopping) one.abort();
  stopping.clear();
  vi.useRealTimers();
});
type Answer = (stream: TestStream, data: Uint8Array) => void;
/** Answers a ping with its bytes after some wall time. */
const after =
  (ms: number): Answer =>
  (stream, data) => {
    vi.advanceTimersByTime(ms);
    stream.receive(data);
  };

/** A host whose peers answer as the test says. */
async function pinging(peers: Readonly<Record<string, Answer>> = {}) {
  const listeners = new Map<string, (event: { detail: unknown }) => void>();
  const streams: (readonly [peer: string, stream: TestStream])[] = [];
  const handled: { protocol: string; handler: (stream: TestStream) => void; options: unknown }[] = [];
  const connected = new Set(Object.keys(peers));
  const answers = { ...peers };
  const connectionTo = (peer: string) => ({
    remotePeer: peer,
    async newStream(protocol: string, { signal }: { signal: AbortSignal }) {
      expect([protocol, signal.aborted]).toEqual([PROTOCOL, false]);
      const stream = new TestStream(answers[peer]);
      streams.push([peer, stream]);
      return stream;
    },
  });
  const host = {
    handle: async (protocol: string, handler: (stream: TestStream) => void, options: unknown) =>
      void handled.push({ protocol, handler, options }),
    addEventListener: (name: string, listener: (event: { detail: unknown }) => void) => listeners.set(name, listener),
    getPeers: () => Object.keys(peers),
    getConnections: (peer: string) => (connected.has(peer) ? [connectionTo(peer)] : []),
  } as unknown as Host;
  const controller = new AbortController();
  stopping.add(controller);
  const ping = await startPing(host, controller.signal);
  const identify = async (peer: string, protocols = ['/other', PROTOCOL]) => {
    listeners.get('peer:identify')!({ detail: { protocols, connection: connectionTo(peer) } });
    await drain();
  };
  const disconnect = (peer: string) => {
    connected.delete(peer);
    listeners.get('peer:disconnect')!({ detail: peer });
  };
  const wait = async (ms: number) => {
    vi.advanceTimersByTime(ms);
    await drain();
  };
  const { protocol, handler, options } = handled[0]!;
  const accept = (stream: TestStream) => {
    handler(stream);
    return drain();
  };
  return { ping, streams, answers, identify, disconnect, wait, controller, accept, protocol, options };
}

describe('the latency of a peer', () => {
  it('is that of its first ping, and then the moving average, of which a new ping is a tenth', async () => {
    const { ping, streams, answers, identify, wait } = await pinging({ a: after(10) });
    await identify('a');
    expect(ping.latency('a')).toBe(10 * MS);
    answers['a'] = after(20);
    await wait(15_000);
    expect(ping.latency('a')).toBe(11 * MS);
    answers['a'] = after(1);
    await wait(15_000);
    expect(ping.latency('a')).toBe(10 * MS);
    expect(streams.map(([, { sent, events }]) => [sent.length, sent[0]!.length, events])).toEqual(
      Array(3).fill([1, 32, ['close false']]),
    );
    expect(streams[0]![1].sent[0]).not.toEqual(streams[1]![1].sent[0]);
  });

  it('is measured each 15 seconds of peers that are connected and have answered', async () => {
    const { streams, identify, disconnect, wait } = await pinging({
      ...{ a: after(1), gone: after(1), mute: () => undefined, none: after(1) },
    });
    for (const peer of ['a', 'gone', 'mute']) await identify(peer);
    await identify('none', ['/other']);
    const pinged = () => streams.splice(0).map(([peer]) => peer);
    expect(pinged()).toEqual(['a', 'gone', 'mute']);
    disconnect('gone');
    await wait(14_990);
    expect(pinged()).toEqual([]);
    await wait(10);
    expect(pinged()).toEqual(['a']);
  });

  it('is not measured of a peer that has answered and has no connection', async () => {
    const { streams, ping, identify, wait } = await pinging({ b: after(1) });
    await identify('a');
    await identify('b');
    expect(ping.latency('a')).toBe(0);
    streams.length = 0;
    await wait(15_000);
    expect(streams.map(([peer]) => peer)).toEqual(['b']);
  });

  it('is unknown once the peer is disconnected', async () => {
    const { ping, identify, disconnect } = await pinging({ a: after(1), b: after(1) });
    for (const peer of ['a', 'b']) await identify(peer);
    disconnect('a');
    expect([ping.latency('a'), ping.latency('b')]).toEqual([0, MS]);
  });

  it.each<[string, Answer, string]>([
    ['other bytes', (stream) => stream.receive(new Uint8Array(32)), 'the answer to a ping is another'],
    ['more bytes', (stream, data) => stream.receive(Buffer.concat([data, data])), 'the answer to a ping is another'],
    [
      'fewer bytes',
      (stream, data) => {
        stream.receive(data.subarray(1));
        stream.receive('end');
      },
      'the answer to a ping is another',
    ],
    ['a failure', (stream) => stream.receive(new Error('reset')), 'reset'],
  ])('is unknown when a ping is answered with %s, and its stream ends', async (_, answer, reason) => {
    const { ping, streams, identify } = await pinging({ a: answer });
    await identify('a');
    expect([ping.latency('a'), streams[0]![1].events]).toEqual([0, [`abort ${reason}`]]);
  });

  it('is measured no more at the end of the program, which ends a ping under way', async () => {
    const { streams, identify, wait, controller } = await pinging({ a: after(1), mute: () => undefined });
    for (const peer of ['a', 'mute']) await identify(peer);
    controller.abort();
    await drain();
    expect(streams[1]![1].events).toContainEqual('abort the peer did not finish in time');
    await wait(60_000);
    expect(streams).toHaveLength(2);
  });
});

describe('the answer to a ping', () => {
  it('has its bytes, and ends with its stream, of which a peer may open two', async () => {
    const { accept, protocol, options } = await pinging();
    expect([protocol, options]).toEqual([PROTOCOL, { maxInboundStreams: 2 }]);
    const stream = new TestStream();
    await accept(stream);
    stream.receive(Uint8Array.of(1, 2));
    stream.receive(Uint8Array.of(3));
    await drain();
    expect([stream.sent, stream.events]).toEqual([[Uint8Array.of(1, 2), Uint8Array.of(3)], []]);
    stream.receive('end');
    await drain();
    vi.advanceTimersByTime(120_000);
    expect(stream.events).toEqual(['close false']);
  });

  it('waits while the peer does not read', async () => {
    const { accept } = await pinging();
    const stream = new TestStream();
    stream.isFull = true;
    await accept(stream);
    stream.receive(Uint8Array.of(1));
    await drain();
    expect(stream.events).toEqual(['drain false']);
  });

  it('comes for 60 seconds after the last ping, and then the stream ends', async () => {
    const { accept } = await pinging();
    const [stream, mute] = [new TestStream(), new TestStream()];
    for (const each of [stream, mute]) await accept(each);
    vi.advanceTimersByTime(40_000);
    stream.receive(Uint8Array.of(1));
    await drain();
    vi.advanceTimersByTime(19_999);
    await drain();
    expect([stream.events, mute.events]).toEqual([[], []]);
    vi.advanceTimersByTime(1);
    await drain();
    expect([stream.events, mute.events[0]]).toEqual([[], 'abort no ping came in time']);
    vi.advanceTimersByTime(39_999);
    await drain();
    expect(stream.events).toEqual([]);
    vi.advanceTimersByTime(1);
    await drain();
    expect(stream.events[0]).toBe('abort no ping came in time');
  });

  it('ends when its stream fails', async () => {
    const { accept } = await pinging();
    const stream = new TestStream();
    await accept(stream);
    stream.receive(new Error('reset'));
    await drain();
    vi.advanceTimersByTime(120_000);
    expect(stream.events).toEqual(['abort reset']);
  });
});
