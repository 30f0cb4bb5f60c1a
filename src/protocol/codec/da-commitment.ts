import { concat } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import { keccak256 } from '../hash.ts';
import { bytesToHex, hexToBytes } from '../hex.ts';
import type { Hex } from '../types.ts';

/**
 * First byte of batcher transaction data that holds a commitment (specification: alt-da, Input Commitment Submission).
 */
const COMMITMENT_VERSION = 1;

/**
 * Kinds of commitment.
 * `keccak` is the hash of the data, which any reader can check. `generic` is opaque: only the DA server can check it.
 */
export type CommitmentKind = 'keccak' | 'generic';

/** Data on the DA server, by what stands for it on L1. */
export interface DaCommitment {
  readonly kind: CommitmentKind;
  /** Kind byte and commitment: what the DA server and the challenge contract know it by. */
  readonly encoded: Hex;
}

const KINDS: readonly CommitmentKind[] = ['keccak', 'generic'];

/** Whether batcher transaction data is a commitment. */
export function isCommitment(data: Uint8Array): boolean {
  return data[0] === COMMITMENT_VERSION;
}

/**
 * Decodes the commitment in batcher transaction data. @throws ProtocolError commitment-malformed: drop the transaction
 */
export function commitmentOfTransaction(data: Uint8Array): DaCommitment {
  if (!isCommitment(data)) throw malformed(`expected version ${COMMITMENT_VERSION}, found ${data[0] ?? 'no byte'}`);
  return decodeCommitment(data.subarray(1));
}

/** A commitment behind the version byte. @throws ProtocolError commitment-malformed */
export function decodeCommitment(encoded: Uint8Array): DaCommitment {
  const kind = KINDS[encoded[0] ?? -1];
  if (kind === undefined) throw malformed(`unknown kind ${encoded[0] ?? '(no byte)'}`);
  const size = encoded.length - 1;
  if (kind === 'keccak' ? size !== 32 : size === 0) throw malformed(`a ${kind} commitment of ${size} bytes`);
  return { kind, encoded: bytesToHex(encoded) };
}

/** Batcher transaction data that carries a commitment. */
export function commitmentTransaction({ encoded }: DaCommitment): Uint8Array {
  return concat(Uint8Array.of(COMMITMENT_VERSION), hexToBytes(encoded));
}

/** The keccak commitment to data. */
export function keccakCommitment(data: Uint8Array): DaCommitment {
  return { kind: 'keccak', encoded: `0x00${keccak256(data).slice(2)}` };
}

/** Whether data is what a commitment stands for; of a generic commitment the DA server alone can tell. */
export function isCommittedTo(commitment: DaCommitment, data: Uint8Array): boolean {
  return commitment.kind === 'generic' || keccakCommitment(data).encoded === commitment.encoded;
}

function malformed(problem: string): ProtocolError {
  return new ProtocolError('commitment-malformed', 'drop', `commitment: ${problem}`, { problem });
}
