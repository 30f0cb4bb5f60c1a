import { loadKzgProver, versionedHash } from '../kzg/kzg.ts';
import type { BlobSidecar } from './transaction.ts';

/** Computes commitments and proofs of blobs (op-service: `MakeSidecar`). */
export async function makeSidecar(blobs: readonly Uint8Array[]): Promise<BlobSidecar> {
  const kzg = await loadKzgProver();
  const commitments: Uint8Array[] = [];
  const proofs: Uint8Array[] = [];
  for (const blob of blobs) {
    const commitment = await kzg.commit(blob);
    commitments.push(commitment);
    proofs.push(await kzg.prove(blob, commitment));
  }
  return { blobs, commitments, proofs, versionedHashes: commitments.map(versionedHash) };
}
