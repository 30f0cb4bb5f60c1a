import type { FileStore } from '../../../system/files/line-file.ts';
import { loadKzgProver } from '../../kzg/kzg.ts';
import type { SlotBlob } from './sidecars.ts';

/** Proofs under computation, by the versioned hash of their blob. */
const computing = new Map<string, Promise<Uint8Array>>();

/**
 * Returns the proof of a whole blob, which a transaction with cell proofs does not carry (geth: `ComputeBlobProof`).
 * The store keeps it.
 */
export function blobProof(blob: SlotBlob, store: FileStore): Promise<Uint8Array> {
  const name = `${blob.versionedHash}.proof`;
  const stored = store.get(name);
  if (stored !== undefined) return Promise.resolve(stored);
  const pending = computing.get(name);
  if (pending !== undefined) return pending;
  const proof = compute(blob, name, store).finally(() => computing.delete(name));
  computing.set(name, proof);
  return proof;
}

async function compute({ blob, commitment }: SlotBlob, name: string, store: FileStore): Promise<Uint8Array> {
  const proof = await (await loadKzgProver()).prove(blob, commitment);
  store.put(name, proof);
  return proof;
}
