import { decodeGossipBody, GOSSIP_HEADERS, SIGNATURE_SIZE } from '../../protocol/codec/gossip.ts';
import { payloadBlockHash } from '../../protocol/codec/payload-header.ts';
import { isProtocolError } from '../../protocol/errors.ts';
import type { Rules } from '../../protocol/parts/rules.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../protocol/types.ts';
import { recoverSigner } from './signature.ts';

/** Bytes of a decompressed message: at most, and at least. */
export const MESSAGE_SIZE = { most: 10 * 1024 * 1024, least: 66 } as const;
/** Seconds that a block may be ahead of the clock. */
const FUTURE = 5;
/** Once more than this many different blocks of a height were seen, all of that height are rejected. */
const BLOCKS_PER_HEIGHT = 5;
/** Heights remembered. */
const HEIGHTS = 1000;

/** What becomes of a message: taken and passed on, dropped without blame, or dropped with blame for its sender. */
export type Verdict =
  | { readonly verdict: 'accept'; readonly envelope: ExecutionPayloadEnvelope }
  | { readonly verdict: 'ignore' | 'reject'; readonly reason: string };

export interface ValidationOptions {
  readonly chainId: number;
  readonly rulesAt: (time: number) => Rules;
  /** Network clock, in milliseconds. */
  readonly now: () => number;
  /** Milliseconds that a block may be behind the clock. */
  readonly maxAgeMs: number;
  /** The unsafe block signer of the system config; undefined while it is not known. */
  readonly signer: () => Hex | undefined;
}

/** Judges the decompressed message of a block topic (specification: rollup node p2p, block validation). */
export type Validator = (data: Uint8Array, version: 1 | 2 | 3 | 4) => Verdict;

const reject = (reason: string): Verdict => ({ verdict: 'reject', reason });
const ignore = (reason: string): Verdict => ({ verdict: 'ignore', reason });

/** A validator with the memory of the blocks that it has seen. */
export function createValidator(options: ValidationOptions): Validator {
  const seen = new Map<number, Set<Hex>>();

  function remember(number: number, hash: Hex): Set<Hex> {
    const hashes = seen.get(number) ?? new Set();
    hashes.add(hash);
    seen.set(number, hashes);
    if (seen.size > HEIGHTS) seen.delete(seen.keys().next().value as number);
    return hashes;
  }

  return (data, version) => {
    if (data.length < MESSAGE_SIZE.least) return reject(`message of ${data.length} bytes`);
    const signature = data.subarray(0, SIGNATURE_SIZE);
    const body = data.subarray(SIGNATURE_SIZE);
    // The signature first: who floods with blocks of other keys costs a hash and a recovery, not a root of transactions.
    const signer = options.signer();
    const recovered = recoverSigner(signature, body, options.chainId);
    if (recovered === undefined) return reject('the signature is malformed');
    if (signer === undefined) return ignore('the unsafe block signer is not known yet');
    if (recovered !== signer.toLowerCase()) return reject(`signed by ${recovered}, expected ${signer}`);
    const envelope = decode(body, version);
    if (typeof envelope === 'string') return reject(envelope);
    const problem = problemOf(envelope, version, options);
    if (problem) return reject(problem);
    const { blockNumber, blockHash } = envelope.executionPayload;
    const known = seen.get(blockNumber);
    if (known && known.size > BLOCKS_PER_HEIGHT)
      return reject(`more than ${BLOCKS_PER_HEIGHT} different blocks of height ${blockNumber}`);
    if (known?.has(blockHash)) return ignore('already seen');
    remember(blockNumber, blockHash);
    return { verdict: 'accept', envelope };
  };
}

function decode(body: Uint8Array, version: 1 | 2 | 3 | 4): ExecutionPayloadEnvelope | string {
  try {
    return decodeGossipBody(body, version);
  } catch (error) {
    if (isProtocolError(error)) return error.message;
    throw error;
  }
}

/** What is wrong with a payload itself. Times are compared in whole seconds, as other nodes do. */
function problemOf(
  envelope: ExecutionPayloadEnvelope,
  version: 1 | 2 | 3 | 4,
  options: Pick<ValidationOptions, 'rulesAt' | 'now' | 'maxAgeMs'>,
): string | undefined {
  const payload = envelope.executionPayload;
  const now = Math.floor(options.now() / 1000);
  const { timestamp } = payload;
  if (timestamp > now + FUTURE) return `block of time ${timestamp}, ${timestamp - now} s ahead`;
  if (timestamp < now - options.maxAgeMs / 1000) return `block of time ${timestamp}, ${now - timestamp} s old`;
  const header = GOSSIP_HEADERS[version];
  if (header.beaconRoot && payload.excessBlobGas !== 0) return `excessBlobGas is ${payload.excessBlobGas}, expected 0`;
  // Where blocks have a DA footprint, blobGasUsed carries it.
  const mayHaveBlobGas = options.rulesAt(timestamp).daFootprint.read(() => 0n) !== null;
  if (header.beaconRoot && !mayHaveBlobGas && payload.blobGasUsed !== 0)
    return `blobGasUsed is ${payload.blobGasUsed}, expected 0`;
  try {
    const hash = payloadBlockHash(envelope, { header });
    return hash === payload.blockHash ? undefined : `the fields hash to ${hash}, the block says ${payload.blockHash}`;
  } catch (error) {
    if (isProtocolError(error)) return error.message;
    throw error;
  }
}
