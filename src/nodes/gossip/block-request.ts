import type { Connection, Libp2p, PeerId, Stream } from '@libp2p/interface';
import { concatAll, u64le } from '../../protocol/bytes.ts';
import { decodeGossipBody, encodeGossipBody } from '../../protocol/codec/gossip.ts';
import { payloadBlockHash } from '../../protocol/codec/payload-header.ts';
import type { Rollup } from '../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope } from '../../protocol/types.ts';
import type { Logger } from '../../system/log.ts';
import { type RateLimit, rateLimit } from './rate-limit.ts';
import { compressFrames, decompressFrames } from './snappy.ts';
import { MESSAGE_SIZE } from './validate.ts';

/** First byte of a response (specification: rollup node p2p, payload_by_number). */
const RESULT = { ok: 0, notFound: 1, invalid: 2, unknown: 3 } as const;
const TIMEOUT = 10_000;

/** Where a peer is asked for the block of a height. */
export function blockRequestProtocol(chainId: number): string {
  return `/opstack/req/payload_by_number/${chainId}/0`;
}

/** Answers peers' requests for blocks. `payloadByNumber` may throw: the peer is told `unknown`. */
export async function serveBlockRequests(
  host: Libp2p,
  rollup: Rollup,
  payloadByNumber: (number: number) => Promise<ExecutionPayloadEnvelope | null>,
  log: Logger,
): Promise<void> {
  const everybody = rateLimit(100, 200);
  const byPeer = new Map<string, RateLimit>();
  host.addEventListener('peer:disconnect', ({ detail }) => void byPeer.delete(detail.toString()));

  async function answer(stream: Stream, connection: Connection): Promise<Uint8Array> {
    const peer = connection.remotePeer.toString();
    const mine = byPeer.get(peer) ?? rateLimit(20, 60);
    byPeer.set(peer, mine);
    const request = await readAll(stream, 8);
    if (request?.length !== 8) return Uint8Array.of(RESULT.invalid);
    await Promise.all([everybody(), mine()]);
    const number = Buffer.from(request).readBigUInt64LE();
    if (number > BigInt(Number.MAX_SAFE_INTEGER)) return Uint8Array.of(RESULT.notFound);
    const envelope = await payloadByNumber(Number(number));
    if (envelope === null || number < BigInt(rollup.config.genesis.l2.number)) return Uint8Array.of(RESULT.notFound);
    const { version } = rollup.rulesAt(envelope.executionPayload.timestamp).gossip;
    const head = Uint8Array.of(RESULT.ok, version < 3 ? 0 : 1, 0, 0, 0);
    return concatAll([head, compressFrames(encodeGossipBody(envelope, version))]);
  }

  await host.handle(blockRequestProtocol(rollup.config.l2_chain_id), async (stream, connection) => {
    try {
      const response = await answer(stream, connection).catch((error: unknown) => {
        log.debug('cannot answer a block request', { error });
        return Uint8Array.of(RESULT.unknown);
      });
      if (!stream.send(response)) await stream.onDrain({ signal: AbortSignal.timeout(TIMEOUT) });
      await stream.close({ signal: AbortSignal.timeout(TIMEOUT) });
    } catch (error) {
      stream.abort(error as Error);
    }
  });
}

/**
 * Asks a peer for the block of a height; null where it has none. The block's hash is that of its fields; whether it belongs to the chain is for the caller to
 * check. @throws Error where the peer does not answer as the protocol says
 */
export async function requestBlock(
  host: Libp2p,
  peer: PeerId,
  rollup: Rollup,
  number: number,
): Promise<ExecutionPayloadEnvelope | null> {
  const { config } = rollup;
  const signal = AbortSignal.timeout(TIMEOUT);
  const stream = await host.dialProtocol(peer, blockRequestProtocol(config.l2_chain_id), { signal });
  try {
    stream.send(u64le(number));
    await stream.close({ signal });
    const response = await readAll(stream, MESSAGE_SIZE.most);
    if (response?.[0] === RESULT.notFound) return null;
    if (response === undefined || response[0] !== RESULT.ok || response.length < 5)
      throw new Error(
        `peer ${peer.toString()} answered ${response?.[0] ?? 'nothing'} to a request for block ${number}`,
      );
    const body = decompressFrames(response.subarray(5), MESSAGE_SIZE.most);
    if (!body) throw new Error(`peer ${peer.toString()} answered broken data for block ${number}`);
    const time = config.genesis.l2_time + (number - config.genesis.l2.number) * config.block_time;
    const rules = rollup.rulesAt(time);
    const envelope = decodeGossipBody(body, rules.gossip.version);
    const { blockNumber, blockHash } = envelope.executionPayload;
    if (blockNumber !== number || payloadBlockHash(envelope, rules) !== blockHash)
      throw new Error(`peer ${peer.toString()} answered another block than ${number}`);
    return envelope;
  } catch (error) {
    stream.abort(error as Error);
    throw error;
  }
}

/** Everything until the remote end closes; undefined past `most` bytes. */
async function readAll(stream: Stream, most: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream) {
    const bytes = part instanceof Uint8Array ? part : part.subarray();
    size += bytes.length;
    if (size > most) return undefined;
    parts.push(bytes);
  }
  return concatAll(parts);
}
