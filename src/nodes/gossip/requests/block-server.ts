import type { Connection, Libp2p, Stream } from '@libp2p/interface';
import { concatAll } from '../../../protocol/bytes.ts';
import { encodeGossipBody } from '../../../protocol/codec/gossip.ts';
import type { Rollup } from '../../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope } from '../../../protocol/types.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Clock } from '../../../system/time/clock.ts';
import type { Meter } from '../host/meter.ts';
import { compressFrames } from '../message/snappy.ts';
import { blockRequestProtocol, REQUEST_TIMEOUT_MS, RESPONSE, RESULT, readStream } from './block-protocol.ts';
import { type RateLimit, rateLimit } from './rate-limit.ts';

/**
 * Maximum delay (ms) of a request by the rate limit; a longer one gets no answer (op-node: `maxThrottleDelay`).
 */
const MAX_DELAY_MS = 20_000;
/** Rate limit of all untrusted peers together (op-node: `globalServerBlocksRateLimit`, `globalServerBlocksBurst`). */
const globalServerBlocksLimit = () => rateLimit(20, 40, MAX_DELAY_MS);
/** Rate limit of one untrusted peer (op-node: `peerServerBlocksRateLimit`, `peerServerBlocksBurst`). */
const peerServerBlocksLimit = () => rateLimit(4, 15, MAX_DELAY_MS);
/** Rate limit of one static peer, which is trusted: a node that was offline must catch up fast. */
const staticPeerLimit = () => rateLimit(20, 60, MAX_DELAY_MS);

/** Settings of the block server, and the parts that it works with. */
export interface BlockServerOptions {
  readonly rollup: Rollup;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meter: Meter;
  readonly isTrusted: (peer: string) => boolean;
  /** May throw: the peer gets the result code `unknown`. */
  readonly payloadByNumber: (number: number) => Promise<ExecutionPayloadEnvelope | null>;
}

/**
 * Serves blocks to peers (op-node: `ReqRespServer`, `HandleSyncRequest`).
 * Specification: rollup node p2p, payload_by_number.
 */
export async function serveBlockRequests(host: Libp2p, options: BlockServerOptions): Promise<void> {
  const { rollup, clock, log, meter } = options;
  const { genesis, block_time, l2_chain_id } = rollup.config;
  const globalLimit = globalServerBlocksLimit();
  const byPeer = new Map<string, RateLimit>();
  host.addEventListener('peer:disconnect', ({ detail }) => void byPeer.delete(detail.toString()));

  async function isAllowed(peer: string): Promise<boolean> {
    const isTrusted = options.isTrusted(peer);
    if (!isTrusted && !(await globalLimit())) return false;
    const peerLimit = byPeer.get(peer) ?? (isTrusted ? staticPeerLimit() : peerServerBlocksLimit());
    byPeer.set(peer, peerLimit);
    return peerLimit();
  }

  /** Tells whether a block of this height can exist by now (op-node: `TargetBlockNumber`). */
  function isInRange(number: bigint): boolean {
    const newest = genesis.l2.number + Math.floor((clock.now() / 1000 - genesis.l2_time) / block_time);
    return number >= BigInt(genesis.l2.number) && number <= BigInt(Math.max(newest, genesis.l2.number - 1));
  }

  async function response(number: bigint): Promise<Uint8Array> {
    if (!isInRange(number)) return Uint8Array.of(RESULT.invalid);
    const envelope = await options.payloadByNumber(Number(number));
    if (envelope === null) return Uint8Array.of(RESULT.notFound);
    const { version } = rollup.rulesAt(envelope.executionPayload.timestamp).gossip;
    const head = Uint8Array.of(RESULT.ok, version < 3 ? RESPONSE.payload : RESPONSE.envelope, 0, 0, 0);
    return concatAll([head, compressFrames(encodeGossipBody(envelope, version))]);
  }

  async function serve(stream: Stream, connection: Connection): Promise<void> {
    const started = performance.now();
    if (!(await isAllowed(connection.remotePeer.toString()))) throw new Error('the peer asks too often');
    const request = await readStream(stream, { most: 1024, enough: 8 }, AbortSignal.timeout(REQUEST_TIMEOUT_MS));
    // A request of fewer than 8 bytes gets no answer.
    if (request === undefined || request.length < 8) throw new Error('the request is not a block number');
    const number = Buffer.from(request).readBigUInt64LE();
    const answer = await response(number).catch((error: unknown) => {
      log.debug('cannot answer a block request', { number, error });
      return Uint8Array.of(RESULT.unknown);
    });
    meter.request('server', answer[0] ?? RESULT.unknown, (performance.now() - started) / 1000, Number(number));
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    if (!stream.send(answer)) await stream.onDrain({ signal });
    await stream.close({ signal });
  }

  await host.handle(blockRequestProtocol(l2_chain_id), (stream, connection) =>
    serve(stream, connection).catch((error: Error) => {
      log.debug('a block request is not answered', { peer: connection.remotePeer.toString(), error });
      stream.abort(error);
    }),
  );
}
