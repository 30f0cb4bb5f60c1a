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
 * Kinds of commitment (op-alt-da: `CommitmentType`).
 * `keccak` is the hash of the data, which any reader can check. `generic` is opaque: only the DA server can check it.
 */
export type CommitmentKind = 'keccak' | 'generic';

/** A commitment on L1 to data on the DA server (op-alt-da: `CommitmentData`). */
export interface DaCommitment {
  readonly kind: CommitmentKind;
  /** Kind byte and commitment: the key of the data at the DA server and at the challenge contract. */
  readonly encoded: Hex;
}

const COMMITMENT_KINDS: readonly CommitmentKind[] = ['keccak', 'generic'];

/** Tells whether batcher transaction data is a commitment. */
export function isCommitment(data: Uint8Array): boolean {
  return data[0] === COMMITMENT_VERSION;
}

/**
 * Decodes the commitment in batcher transaction data.
 * @throws ProtocolError commitment-malformed: drop the transaction
 */
export function commitmentOfTransaction(data: Uint8Array): DaCommitment {
  if (!isCommitment(data)) throw malformed(`expected version ${COMMITMENT_VERSION}, found ${data[0] ?? 'no byte'}`);
  return decodeCommitment(data.subarray(1));
}

/**
 * Decodes a commitment behind the version byte (op-alt-da: `DecodeCommitmentData`).
 * @throws ProtocolError commitment-malformed
 */
export function decodeCommitment(encoded: Uint8Array): DaCommitment {
  const kind = COMMITMENT_KINDS[encoded[0] ?? -1];
  if (kind === undefined) throw malformed(`unknown kind ${encoded[0] ?? '(no byte)'}`);
  const size = encoded.length - 1;
  if (kind === 'keccak' ? size !== 32 : size === 0) throw malformed(`a ${kind} commitment of ${size} bytes`);
  return { kind, encoded: bytesToHex(encoded) };
}

/** Encodes batcher transaction data that carries a commitment (op-alt-da: `CommitmentData.TxData`). */
export function commitmentTransaction({ encoded }: DaCommitment): Uint8Array {
  return concat(Uint8Array.of(COMMITMENT_VERSION), hexToBytes(encoded));
}

/** Computes the keccak commitment to data (op-alt-da: `NewKeccak256Commitment`). */
export function keccakCommitment(data: Uint8Array): DaCommitment {
  return { kind: 'keccak', encoded: `0x00${keccak256(data).slice(2)}` };
}

/**
 * Tells whether a commitment is to the data (op-alt-da: `CommitmentData.Verify`).
 * A generic commitment always passes, because only the DA server can check it.
 */
export function isCommittedTo(commitment: DaCommitment, data: Uint8Array): boolean {
  return commitment.kind === 'generic' || keccakCommitment(data).encoded === commitment.encoded;
}

function malformed(problem: string): ProtocolError {
  return new ProtocolError('commitment-malformed', 'drop', `commitment: ${problem}`, { problem });
}
