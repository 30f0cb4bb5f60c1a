import { type BlobSidecar, splitBlobTransaction } from '../../../../protocol/codec/blobs/sidecar.ts';
import { isProtocolError } from '../../../../protocol/errors.ts';
import { bytesToHex } from '../../../../protocol/hex.ts';
import { present } from '../../../../protocol/present.ts';
import type { BlobParameters } from '../../../../protocol/rules/rules.ts';
import { messageOf } from '../../../../system/failure.ts';
import { loadKzgProver, versionedHash } from '../../../kzg/kzg.ts';
import { CELLS } from '../../../kzg/prover.ts';
import type { Sidecars } from '../../transaction/sidecars.ts';
import { decodeTransaction, type SignedTransaction } from '../../transaction/transaction.ts';
import { reject } from '../pool-error.ts';

const BLOB_BYTES = 131_072;

/** A blob transaction that a user sends, with its sidecar. */
export interface SentBlobs {
  readonly transaction: SignedTransaction;
  readonly sidecar: BlobSidecar;
}

/**
 * Decodes a blob transaction in its network form, and verifies its blobs (geth: `ValidateTransaction`). A sidecar
 * that is known was verified before.
 * @throws PoolError, ProtocolError rlp-malformed, Error of an invalid signature
 */
export async function readBlobTransaction(
  network: Uint8Array,
  parameters: BlobParameters,
  earlier: Pick<Sidecars, 'get'>,
): Promise<SentBlobs> {
  const { raw, sidecar } = split(network);
  const transaction = decodeTransaction(raw);
  checkShape(transaction, sidecar, parameters);
  if (!isEqual(sidecar, earlier.get(transaction.hash))) await verify(sidecar);
  return { transaction, sidecar };
}

function split(network: Uint8Array) {
  try {
    return splitBlobTransaction(network) ?? blobProblem('missing sidecar in blob transaction');
  } catch (error) {
    if (isProtocolError(error)) throw error;
    return blobProblem(messageOf(error));
  }
}

function checkShape(transaction: SignedTransaction, sidecar: BlobSidecar, parameters: BlobParameters): void {
  const { version, blobs, commitments, proofs } = sidecar;
  const hashes = (transaction.blobVersionedHashes ?? []).map(bytesToHex);
  if (hashes.length === 0) blobProblem('blobless blob transaction');
  if (hashes.length > parameters.maxPerTransaction)
    blobProblem(`too many blobs in transaction: have ${hashes.length}, permitted ${parameters.maxPerTransaction}`);
  // A node converts a sidecar of the earlier form, but no client takes one of a fork that is not active.
  if (version === 1 && !parameters.cellProofs) blobProblem(`invalid sidecar version pre-osaka: ${version}`);
  if (blobs.length !== hashes.length || commitments.length !== hashes.length)
    blobProblem(`invalid number of ${blobs.length} blobs compared to ${hashes.length} blob hashes`);
  const expected = version === 1 ? hashes.length * CELLS : hashes.length;
  if (proofs.length !== expected) blobProblem(`invalid number of ${proofs.length} blob proofs expected ${expected}`);
  if (blobs.some(({ length }) => length !== BLOB_BYTES)) blobProblem(`a blob is not ${BLOB_BYTES} bytes`);
  for (const [at, hash] of hashes.entries()) {
    const computed = versionedHash(present(commitments[at], 'commitment'));
    if (computed !== hash) blobProblem(`blob ${at}: computed hash ${computed} mismatches transaction one ${hash}`);
  }
}

function isEqual(sent: BlobSidecar, earlier: BlobSidecar | undefined): boolean {
  const isSame = (name: 'blobs' | 'commitments' | 'proofs') =>
    earlier?.[name].length === sent[name].length &&
    sent[name].every((bytes, at) => Buffer.compare(bytes, earlier[name][at] ?? new Uint8Array()) === 0);
  return isSame('commitments') && isSame('proofs') && isSame('blobs');
}

async function verify({ version, blobs, commitments, proofs }: BlobSidecar): Promise<void> {
  const prover = await loadKzgProver();
  for (const [at, blob] of blobs.entries()) {
    const commitment = present(commitments[at], 'commitment');
    const isProven =
      version === 0
        ? await prover.verify(blob, commitment, present(proofs[at], 'proof'))
        : await prover.verifyCells(blob, commitment, proofs.slice(at * CELLS, (at + 1) * CELLS));
    if (!isProven) blobProblem(`invalid blob proof: blob ${at} is not what its commitment says`);
  }
}

function blobProblem(why: string): never {
  return reject({ kind: 'blobs', why });
}
