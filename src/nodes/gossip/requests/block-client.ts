import type { Libp2p, PeerId } from '@libp2p/interface';
import { u64le } from '../../../protocol/bytes.ts';
import { decodeGossipBody } from '../../../protocol/codec/gossip.ts';
import { payloadBlockHash } from '../../../protocol/codec/payload-header.ts';
import type { Rollup } from '../../../protocol/derivation/ports.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../../protocol/types.ts';
import { asError } from '../../../system/failure.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Meter } from '../host/meter.ts';
import { decompressFrames } from '../message/snappy.ts';
import { MESSAGE_SIZE } from '../message/validate.ts';
import type { ApplicationScorer } from './application-score.ts';
import { blockRequestProtocol, REQUEST_TIMEOUT_MS, RESPONSE, RESULT, readStream } from './block-protocol.ts';

/** Milliseconds to open a stream. */
const OPEN_TIMEOUT_MS = 5_000;

/** Settings of the block client, and the parts that it works with. */
export interface BlockClientOptions {
  readonly host: Libp2p;
  readonly rollup: Rollup;
  readonly log: Logger;
  readonly meter: Meter;
  readonly scorer: ApplicationScorer;
  /** Whether requests may be sent to a peer. */
  readonly isAskable: (peer: string) => boolean;
}

/**
 * Requests the block of a height from connected peers, highest score first, until one returns the `expected` hash.
 * Returns null if no peer has it. A block with another hash lowers the score of its sender.
 * Counterpart in op-node: `SyncClient`.
 */
export function blockClient(options: BlockClientOptions) {
  const { host, rollup, scorer, log, meter } = options;

  async function askable(): Promise<PeerId[]> {
    const protocol = blockRequestProtocol(rollup.config.l2_chain_id);
    const peers: PeerId[] = [];
    for (const peer of host.getPeers()) {
      if (!options.isAskable(peer.toString())) continue;
      const stored = await host.peerStore.get(peer).catch(() => undefined);
      if (stored?.protocols.includes(protocol)) peers.push(peer);
    }
    return peers.sort((left, right) => scorer.score(right.toString()) - scorer.score(left.toString()));
  }

  async function ask(peer: PeerId, number: number, expected: Hex): Promise<ExecutionPayloadEnvelope | null> {
    const started = performance.now();
    const id = peer.toString();
    const report = (code: number) => meter.request('client', code, (performance.now() - started) / 1000, number);
    try {
      const envelope = await requestBlock(host, peer, rollup, number);
      report(envelope ? RESULT.ok : RESULT.notFound);
      if (!envelope) return null;
      if (envelope.executionPayload.blockHash === expected) {
        scorer.count(id, 'validResponses');
        return envelope;
      }
      scorer.count(id, 'rejectedPayloads');
      log.debug('a peer answered a block of another chain', { peer: id, number, expected });
    } catch (error) {
      report(error instanceof ResultError ? error.code : RESULT.notFound);
      scorer.count(id, 'errorResponses');
      log.debug('a block request failed', { peer: id, number, error });
    }
    return null;
  }

  return async (number: number, expected: Hex): Promise<ExecutionPayloadEnvelope | null> => {
    for (const peer of await askable()) {
      const envelope = await ask(peer, number, expected);
      if (envelope) return envelope;
    }
    return null;
  };
}

/** A result code other than success (op-node: `requestResultErr`). */
class ResultError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Requests the block of a height from one peer (op-node: `doRequest`). Returns null if the peer has none.
 * The block's hash is checked against its fields; the caller checks that it belongs to the chain.
 * @throws Error if the peer breaks the protocol
 */
async function requestBlock(
  host: Libp2p,
  peer: PeerId,
  rollup: Rollup,
  number: number,
): Promise<ExecutionPayloadEnvelope | null> {
  const { config } = rollup;
  const stream = await host.dialProtocol(peer, blockRequestProtocol(config.l2_chain_id), {
    signal: AbortSignal.timeout(OPEN_TIMEOUT_MS),
  });
  try {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    // The answer may arrive before this side has closed its half of the stream.
    const reading = readStream(stream, { most: MESSAGE_SIZE.most }, signal);
    reading.catch(() => {});
    stream.send(u64le(number));
    await stream.close({ signal });
    const response = await reading;
    if (response?.[0] === RESULT.notFound) return null;
    if (response === undefined) throw new Error(`more than ${MESSAGE_SIZE.most} bytes for block ${number}`);
    if (response[0] !== RESULT.ok || response.length < 5)
      throw new ResultError(
        response[0] ?? RESULT.unknown,
        `answer ${response[0] ?? 'nothing'} to a request for block ${number}`,
      );
    return decodeResponse(response, rollup, number);
  } catch (error) {
    stream.abort(asError(error));
    throw error;
  }
}

/**
 * Decodes a response and checks height and block hash (op-node: `readExecutionPayload`, `verifyBlock`).
 * @throws Error on a malformed response, or another block
 */
function decodeResponse(response: Uint8Array, rollup: Rollup, number: number): ExecutionPayloadEnvelope {
  const { genesis, block_time } = rollup.config;
  const rules = rollup.rulesAt(genesis.l2_time + (number - genesis.l2.number) * block_time);
  const word = Buffer.from(response).readUInt32LE(1);
  const expected = rules.gossip.version < 3 ? RESPONSE.payload : RESPONSE.envelope;
  if (word !== expected) throw new Error(`response of version ${word} for block ${number}, expected ${expected}`);
  const body = decompressFrames(response.subarray(5), MESSAGE_SIZE.most);
  if (!body) throw new Error(`broken data for block ${number}`);
  const envelope = decodeGossipBody(body, rules.gossip.version);
  const { blockNumber, blockHash } = envelope.executionPayload;
  if (blockNumber !== number || payloadBlockHash(envelope, rules) !== blockHash)
    throw new Error(`block ${blockNumber} whose hash is not that of its fields, or another than ${number}`);
  return envelope;
}
