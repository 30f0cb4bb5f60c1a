import { randomBytes } from 'node:crypto';
import type { Connection, Libp2p, Stream } from '@libp2p/interface';
import { asError } from '../../../system/failure.ts';
import { pause } from '../../../system/time/pause.ts';
import { readStream } from './block-protocol.ts';

/** Protocol id of the latency measurement (specification: libp2p ping). */
const PING_PROTOCOL = '/ipfs/ping/1.0.0';
/** Bytes that are sent and come back. */
const PING_BYTES = 32;
/** Milliseconds between rounds. */
const PING_INTERVAL_MS = 15_000;
/** Timeouts (ms) of an answer, and of an idle inbound stream. */
const PING_TIMEOUT_MS = 10_000;
const IDLE_STREAM_TIMEOUT_MS = 60_000;
/** Weight of a new measurement in the moving average. */
const SMOOTHING = 0.1;

/** The latencies of peers. */
export interface Ping {
  /** Returns the moving average of the round-trip time (ns); 0 if it is not known. */
  latency(id: string): number;
}

/**
 * Answers pings and measures the latency of every peer that answers them (op-node: `PingService`).
 * The library's service measures whole milliseconds, which is 0 between processes of one machine.
 */
export async function startPing(host: Libp2p, signal: AbortSignal): Promise<Ping> {
  const latencies = new Map<string, number>();

  async function echo(stream: Stream): Promise<void> {
    const stop = () => stream.abort(new Error('no ping came in time'));
    let idle = setTimeout(stop, IDLE_STREAM_TIMEOUT_MS);
    try {
      for await (const part of stream) {
        clearTimeout(idle);
        idle = setTimeout(stop, IDLE_STREAM_TIMEOUT_MS);
        if (!stream.send(part.subarray())) await stream.onDrain({ signal: AbortSignal.timeout(PING_TIMEOUT_MS) });
      }
      await stream.close({ signal: AbortSignal.timeout(PING_TIMEOUT_MS) });
    } finally {
      clearTimeout(idle);
    }
  }

  async function measure(connection: Connection): Promise<void> {
    const id = connection.remotePeer.toString();
    const within = AbortSignal.any([signal, AbortSignal.timeout(PING_TIMEOUT_MS)]);
    const stream = await connection.newStream(PING_PROTOCOL, { signal: within });
    try {
      const sent = randomBytes(PING_BYTES);
      const from = process.hrtime.bigint();
      const answer = readStream(stream, { most: PING_BYTES, enough: PING_BYTES }, within);
      answer.catch(() => {});
      stream.send(sent);
      const isSame = sent.equals((await answer) ?? new Uint8Array());
      const took = Number(process.hrtime.bigint() - from);
      if (!isSame) throw new Error('the answer to a ping is another');
      const before = latencies.get(id);
      latencies.set(id, Math.round(before === undefined ? took : before + SMOOTHING * (took - before)));
      await stream.close({ signal: within });
    } catch (error) {
      stream.abort(asError(error));
      throw error;
    }
  }

  /** Ignores a missing answer: the peer has no latency then, and stays connected. */
  function ping(connection: Connection): void {
    void measure(connection).catch(() => {});
  }

  await host.handle(
    PING_PROTOCOL,
    (stream) => echo(stream).catch((error: Error) => stream.abort(error)),
    // The stream in use, and its successor.
    { maxInboundStreams: 2 },
  );
  host.addEventListener('peer:identify', ({ detail }) => {
    if (detail.protocols.includes(PING_PROTOCOL)) ping(detail.connection);
  });
  host.addEventListener('peer:disconnect', ({ detail }) => void latencies.delete(detail.toString()));

  void (async () => {
    for (;;) {
      await pause(PING_INTERVAL_MS, signal);
      if (signal.aborted) return;
      for (const peer of host.getPeers()) {
        const [connection] = host.getConnections(peer);
        if (connection && latencies.has(peer.toString())) ping(connection);
      }
    }
  })();

  return { latency: (id) => latencies.get(id) ?? 0 };
}
