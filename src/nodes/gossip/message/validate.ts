import { decodeGossipBody, GOSSIP_HEADERS, SIGNATURE_SIZE } from '../../../protocol/codec/gossip.ts';
import { payloadBlockHash } from '../../../protocol/codec/payload-header.ts';
import type { PayloadVersion } from '../../../protocol/codec/ssz/layout.ts';
import { isProtocolError } from '../../../protocol/errors.ts';
import type { Rules } from '../../../protocol/rules/rules.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../../protocol/types.ts';
import type { DropReason } from './drop-reason.ts';
import { verifyBlockSignature } from './signature.ts';

/** Maximum and minimum size (bytes) of a decompressed message (op-node: `maxGossipSize`, `minGossipSize`). */
export const MESSAGE_SIZE = { most: 10 * 1024 * 1024, least: 66 } as const;
/** Maximum seconds that a block may be ahead of the clock. */
const MAX_AHEAD_SECONDS = 5;
/** Number of different blocks of a height above which all blocks of that height are rejected. */
const BLOCKS_PER_HEIGHT = 5;
/** Number of heights in the cache of seen blocks (kona: `SEEN_HASH_CACHE_SIZE`). */
const MAX_SEEN_HEIGHTS = 1000;

/**
 * Validation result: accept and forward, ignore, or reject and lower the sender's score.
 * Counterpart in op-node: `ValidationResult`, in kona: `MessageAcceptance`, both of libp2p.
 */
export type Verdict =
  | { readonly verdict: 'accept'; readonly envelope: ExecutionPayloadEnvelope }
  | { readonly verdict: 'ignore' | 'reject'; readonly reason: DropReason };

/** Settings of the validation (op-node: `GossipRuntimeConfig`). */
export interface ValidationOptions {
  readonly chainId: number;
  readonly rulesAt: (time: number) => Rules;
  /** Network clock, in milliseconds. */
  readonly now: () => number;
  /** Maximum age (ms) of a block. */
  readonly maxAgeMs: number;
  /** The unsafe block signer of the system config; undefined while it is not known. */
  readonly signer: () => Hex | undefined;
}

/**
 * Validates the decompressed message of a block topic (op-node: `BuildBlocksValidator`, kona: `block_valid`).
 * Specification: rollup node p2p, block validation.
 */
export interface Validator {
  (data: Uint8Array, version: PayloadVersion): Verdict;
  /** Clears the cache of seen blocks. */
  forget(): void;
}

const reject = (reason: DropReason): Verdict => ({ verdict: 'reject', reason });
const ignore = (reason: DropReason): Verdict => ({ verdict: 'ignore', reason });

/** Creates a validator with a cache of seen blocks (op-node: `BuildBlocksValidator`, `seenBlocks`). */
export function createValidator(options: ValidationOptions): Validator {
  const hashesByHeight = new Map<number, Set<Hex>>();

  /** Adds a block to the cache (op-node: `markSeen`). */
  function remember(number: number, hash: Hex): Set<Hex> {
    const hashes = hashesByHeight.get(number) ?? new Set();
    hashes.add(hash);
    hashesByHeight.set(number, hashes);
    const [oldest] = hashesByHeight.keys();
    if (hashesByHeight.size > MAX_SEEN_HEIGHTS && oldest !== undefined) hashesByHeight.delete(oldest);
    return hashes;
  }

  const validate = (data: Uint8Array, version: PayloadVersion): Verdict => {
    if (data.length < MESSAGE_SIZE.least) return reject({ kind: 'size', bytes: data.length });
    const signature = data.subarray(0, SIGNATURE_SIZE);
    const body = data.subarray(SIGNATURE_SIZE);
    // The signature is checked first: a block of a foreign key costs a hash and a recovery, not a transactions root.
    const fault = verifyBlockSignature(signature, body, options.chainId, options.signer());
    if (fault) return fault.kind === 'signer unknown' ? ignore(fault) : reject(fault);
    const decoded = attempt(() => decodeGossipBody(body, version));
    if ('kind' in decoded) return reject(decoded);
    const envelope = decoded.value;
    const { blockNumber, blockHash, timestamp } = envelope.executionPayload;
    // Times are compared in whole seconds, as op-node does.
    const lead = Number(timestamp) - Math.floor(options.now() / 1000);
    const validFrom = (Number(timestamp) - MAX_AHEAD_SECONDS) * 1000;
    if (lead > MAX_AHEAD_SECONDS) return reject({ kind: 'future', timestamp, lead, validFrom });
    const problem = problemOf(envelope, version, -lead, options);
    if (problem) return reject(problem);
    const hashes = hashesByHeight.get(blockNumber);
    if (hashes && hashes.size > BLOCKS_PER_HEIGHT)
      return reject({ kind: 'too many blocks', height: blockNumber, limit: BLOCKS_PER_HEIGHT });
    if (hashes?.has(blockHash)) return ignore({ kind: 'seen' });
    remember(blockNumber, blockHash);
    return { verdict: 'accept', envelope };
  };
  return Object.assign(validate, { forget: () => hashesByHeight.clear() });
}

/** Returns a value, or that the message breaks the protocol if the calculation throws ProtocolError. */
function attempt<Value>(run: () => Value): { readonly value: Value } | Extract<DropReason, { kind: 'malformed' }> {
  try {
    return { value: run() };
  } catch (error) {
    if (isProtocolError(error)) return { kind: 'malformed', error };
    throw error;
  }
}

/** Returns the fault of a payload's own fields. `age` in seconds. */
function problemOf(
  envelope: ExecutionPayloadEnvelope,
  version: PayloadVersion,
  age: number,
  options: Pick<ValidationOptions, 'rulesAt' | 'maxAgeMs'>,
): DropReason | undefined {
  const payload = envelope.executionPayload;
  const timestamp = Number(payload.timestamp);
  if (age > options.maxAgeMs / 1000) return { kind: 'past', timestamp: payload.timestamp, age };
  const header = GOSSIP_HEADERS[version];
  if (header.beaconRoot && payload.excessBlobGas !== 0n)
    return { kind: 'excess blob gas', excessBlobGas: payload.excessBlobGas };
  // blobGasUsed carries the DA footprint if the rules have one.
  const mayHaveBlobGas = options.rulesAt(timestamp).daFootprint.read(() => 0n) !== null;
  if (header.beaconRoot && !mayHaveBlobGas && payload.blobGasUsed !== 0n)
    return { kind: 'blob gas used', blobGasUsed: payload.blobGasUsed };
  const { blockHash } = payload;
  const computed = attempt(() => payloadBlockHash(envelope, { header }));
  if ('kind' in computed) return computed;
  return computed.value === blockHash ? undefined : { kind: 'block hash', hash: computed.value, blockHash };
}
