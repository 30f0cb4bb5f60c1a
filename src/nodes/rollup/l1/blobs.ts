import { LRUCache } from 'lru-cache';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Hex, L1Header } from '../../../protocol/types.ts';
import { asError } from '../../../system/failure.ts';
import type { Logger } from '../../../system/program/log.ts';
import { versionedHash } from '../../kzg/kzg.ts';
import { type BeaconClient, BeaconError, type BlobSidecar } from './beacon-client.ts';

/** Bytes of a blob. */
const BLOB_SIZE = 131072;
/** Blobs cached. Derivation reads a blob again only after a reset. */
const MAX_CACHED_BLOBS = 64;

/** A blob of an L1 block: its versioned hash and its index in the block (op-service: `IndexedBlobHash`). */
export interface IndexedBlob {
  readonly hash: Hex;
  readonly index: number;
}

/**
 * Returns verified blobs of an L1 block in the order requested (op-service: `GetBlobs`).
 * Returns null if every beacon node has dropped them.
 */
export type BlobSource = (header: L1Header, blobs: readonly IndexedBlob[]) => Promise<readonly Uint8Array[] | null>;

/**
 * Verifies a blob against its commitment and proof (op-service: `VerifyBlobProof`).
 * Consensus specification: `verify_blob_kzg_proof`.
 */
export type VerifyBlob = (blob: Uint8Array, commitment: Uint8Array, proof: Uint8Array) => Promise<boolean>;

/**
 * Creates a source that tries the beacon nodes in order (op-service: `L1BeaconClient`, kona: `OnlineBlobProvider`).
 * Without any, a block with blobs cannot be derived.
 */
export function blobSource(clients: readonly BeaconClient[], verify: VerifyBlob, log: Logger): BlobSource {
  const cache = new LRUCache<string, Uint8Array>({ max: MAX_CACHED_BLOBS });

  async function fetchFrom(client: BeaconClient, header: L1Header, missing: readonly IndexedBlob[]): Promise<void> {
    const slot = await client.slotOf(header.timestamp);
    const hashes = new Set(missing.map(({ hash }) => hash));
    const sidecars = await client.sidecars(
      slot,
      missing.map(({ index }) => index),
    );
    if (sidecars === null) return;
    await keep(sidecars);
    // With several L1 blocks in one slot, a blob's index in its block is not its index in the slot.
    if (missing.some(({ hash }) => !cache.get(hash))) await keep((await client.sidecars(slot, 'all')) ?? []);

    async function keep(sidecars: readonly BlobSidecar[]): Promise<void> {
      for (const sidecar of sidecars) {
        const hash = versionedHash(hexToBytes(sidecar.commitment));
        if (hashes.has(hash) && !cache.get(hash)) cache.set(hash, await checked(client, sidecar, verify));
      }
    }
  }

  return async (header, indexedBlobs) => {
    if (indexedBlobs.length === 0) return [];
    if (clients.length === 0)
      throw new Error(
        `L1 block ${header.number} carries blobs of the batcher and no beacon node is known: give --l1.beacon`,
      );
    let failure: Error | undefined;
    for (const client of clients) {
      const missing = indexedBlobs.filter(({ hash }) => !cache.get(hash));
      if (missing.length === 0) break;
      try {
        await fetchFrom(client, header, missing);
      } catch (error) {
        failure = asError(error);
        log.warn('a beacon node did not answer', { error: failure });
      }
    }
    const blobs = indexedBlobs.map(({ hash }) => cache.get(hash));
    if (blobs.every((blob) => blob !== undefined)) return blobs;
    if (failure) throw failure;
    return null;
  };
}

/** Returns the blob of a sidecar (op-service: `blobsFromSidecars`). @throws BeaconError if it does not verify */
async function checked(client: BeaconClient, sidecar: BlobSidecar, verify: VerifyBlob): Promise<Uint8Array> {
  const blob = hexToBytes(sidecar.blob);
  if (blob.length !== BLOB_SIZE) throw new BeaconError(client.url, `answered a blob of ${blob.length} bytes`);
  if (!(await verify(blob, hexToBytes(sidecar.commitment), hexToBytes(sidecar.proof))))
    throw new BeaconError(client.url, `answered a blob that is not the one of its commitment ${sidecar.commitment}`);
  return blob;
}
