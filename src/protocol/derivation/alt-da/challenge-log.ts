import { toBigInt, toNumber } from '../../bytes.ts';
import { keccak256Text } from '../../hash.ts';
import { bytesToHex, hexToBytes } from '../../hex.ts';
import type { Hex, Log } from '../../types.ts';
import { type DaCommitment, decodeCommitment } from '../da-commitment.ts';

/** First topic of the challenge contract's event ChallengeStatusChanged(uint256 indexed, bytes, uint8). */
export const CHALLENGE_STATUS_TOPIC: Hex = bytesToHex(keccak256Text('ChallengeStatusChanged(uint256,bytes,uint8)'));

/** A change of a commitment's challenge, as the challenge contract logs it. */
export interface ChallengeEvent {
  readonly status: 'active' | 'resolved';
  /** L1 block that includes the commitment. */
  readonly blockNumber: number;
  readonly commitment: DaCommitment;
}

const STATUSES: Readonly<Record<number, ChallengeEvent['status']>> = { 1: 'active', 2: 'resolved' };

/**
 * Decodes a log of the challenge contract (op-alt-da: `DecodeChallengeStatusEvent`).
 * Returns null for a log that derivation does not use.
 */
export function challengeEventOf(log: Log): ChallengeEvent | null {
  const [, number] = log.topics;
  const data = hexToBytes(log.data);
  if (log.topics.length !== 2 || number === undefined) return null;
  const status = STATUSES[roughly(data.subarray(32, 64))];
  const encoded = abiBytes(data, roughly(data.subarray(0, 32)));
  if (status === undefined || encoded === null) return null;
  try {
    return { status, blockNumber: toNumber(hexToBytes(number)), commitment: decodeCommitment(encoded) };
  } catch {
    return null;
  }
}

/**
 * Returns the data in a call of `resolve(uint256 blockNumber, bytes commitment, bytes data)`; null for any other call.
 * Counterpart in op-alt-da: `DecodeResolvedInput`.
 */
export function resolvedData(calldata: Hex): Uint8Array | null {
  const args = hexToBytes(calldata).subarray(4);
  const data = args.length < 96 ? null : abiBytes(args, roughly(args.subarray(64, 96)));
  return data === null || data.length === 0 ? null : data;
}

/** Returns the `bytes` argument at an offset of ABI-encoded arguments; null if it is not whole. */
function abiBytes(args: Uint8Array, offset: number): Uint8Array | null {
  const start = offset + 32;
  const end = start + roughly(args.subarray(offset, start));
  return end <= args.length ? args.slice(start, end) : null;
}

/** Reads an offset, a length or a status. A value that a number does not hold exactly is larger than any of them. */
function roughly(word: Uint8Array): number {
  return Number(toBigInt(word));
}
