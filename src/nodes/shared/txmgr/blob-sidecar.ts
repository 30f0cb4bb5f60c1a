import { loadKzg, versionedHash } from '../kzg/kzg.ts';
import type { BlobSidecar } from './transaction.ts';

/** Commits to blobs and proves them; takes seconds of processor time for full ones. */
export async function makeSidecar(blobs: readonly Uint8Array[]): Promise<BlobSidecar> {
  const kzg = await loadKzg();
  const commitments: Uint8Array[] = [];
  const proofs: Uint8Array[] = [];
  for (const blob of blobs) {
    const commitment = await kzg.commit(blob);
    commitments.push(commitment);
    proofs.push(await kzg.prove(blob, commitment));
  }
  return { blobs, commitments, proofs, versionedHashes: commitments.map(versionedHash) };
}
