import { concat, u64le, u256be } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import { type ByteHash, keccak256Bytes, sha256 } from '../hash.ts';
import { bytesToHex, hexToSized } from '../hex.ts';
import { beaconRootHeader, emptyWithdrawalsHeader, messagePasserHeader, noWithdrawalsHeader } from '../rules/header.ts';
import type { HeaderRules } from '../rules/rules.ts';
import type { ExecutionPayloadEnvelope } from '../types.ts';
import { decodePayload } from './ssz/decode.ts';
import { encodePayload } from './ssz/encode.ts';
import type { PayloadVersion } from './ssz/layout.ts';

/** Bytes of the signature (r ‖ s ‖ v, v 0 or 1) in front of a gossiped body. */
export const SIGNATURE_SIZE = 65;
/** All versions of the block topic, oldest first. */
export const GOSSIP_VERSIONS = [1, 2, 3, 4] as const;

/**
 * Header fields of a gossiped block by the version of its topic.
 * The version decides which fields exist, not the receiver's fork times. A node with other fork times does not lower
 * the score of peers that forward such a block.
 */
export const GOSSIP_HEADERS: Readonly<Record<PayloadVersion, HeaderRules>> = {
  1: noWithdrawalsHeader,
  2: emptyWithdrawalsHeader,
  3: beaconRootHeader,
  4: messagePasserHeader,
};

const SIGNING_DOMAIN = new Uint8Array(32);
const VALID_SNAPPY = Uint8Array.of(1, 0, 0, 0);
const INVALID_SNAPPY = Uint8Array.of(0, 0, 0, 0);

/**
 * Returns the name of the topic for blocks of a version (op-node: `blocksTopicV1` and later versions).
 * Specification: rollup node p2p, block topics.
 */
export function gossipTopic(chainId: number, version: PayloadVersion): string {
  return `/optimism/${chainId}/${version - 1}/blocks`;
}

/**
 * Encodes the signed body of a gossip message (op-service: `ExecutionPayloadEnvelope.MarshalSSZ`).
 * It is the SSZ of the payload, from version 3 on behind the parent beacon block root.
 * @throws ProtocolError payload-invalid
 */
export function encodeGossipBody(envelope: ExecutionPayloadEnvelope, version: PayloadVersion): Uint8Array {
  const payload = encodePayload(envelope.executionPayload, version);
  if (version < 3) return payload;
  if (envelope.parentBeaconBlockRoot === undefined) {
    throw new ProtocolError('payload-invalid', 'drop', `envelope of version ${version} lacks parentBeaconBlockRoot`, {
      field: 'parentBeaconBlockRoot',
    });
  }
  return concat(hexToSized(envelope.parentBeaconBlockRoot, 32), payload);
}

/**
 * Decodes the body of a gossip message, the inverse of {@link encodeGossipBody}.
 * Counterpart in op-service: `ExecutionPayloadEnvelope.UnmarshalSSZ`.
 * @throws ProtocolError ssz-malformed or payload-invalid: reject the message
 */
export function decodeGossipBody(body: Uint8Array, version: PayloadVersion): ExecutionPayloadEnvelope {
  if (version < 3) return { executionPayload: decodePayload(body, version) };
  if (body.length < 32)
    throw new ProtocolError('ssz-malformed', 'drop', `gossip body of ${body.length} bytes has no root`, { version });
  return {
    parentBeaconBlockRoot: bytesToHex(body.subarray(0, 32)),
    executionPayload: decodePayload(body.subarray(32), version),
  };
}

/**
 * Computes the hash that the unsafe-block signer signs (op-node: `BlockSigningHash`, op-service:
 * `BlockPayloadArgs.ToSigningHash`).
 * It is keccak-256 of domain ‖ chain id ‖ keccak-256 of the body.
 */
export function gossipSigningHash(body: Uint8Array, chainId: number): Uint8Array {
  return keccak256Bytes(concat(SIGNING_DOMAIN, u256be(chainId), keccak256Bytes(body)));
}

/**
 * Computes the message id (20 bytes) of a gossip message (op-node: `BuildMsgIdFn`, kona: `compute_message_id`).
 * `data` is the decompressed data, or the raw data if decompression fails (`valid` false). Every copy of a message
 * is hashed, so callers may pass a faster SHA-256 as `hash`.
 */
export function gossipMessageId(topic: string, data: Uint8Array, valid: boolean, hash: ByteHash = sha256): Uint8Array {
  const name = new TextEncoder().encode(topic);
  return hash(concat(valid ? VALID_SNAPPY : INVALID_SNAPPY, u64le(name.length), name, data)).subarray(0, 20);
}
