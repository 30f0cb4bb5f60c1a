import { LRUCache } from 'lru-cache';
import type { BlobSidecar } from '../../../protocol/codec/blobs/sidecar.ts';
import type { Hex } from '../../../protocol/types.ts';
import { loadKzgProver } from '../../kzg/kzg.ts';

/** Bytes of all sidecars: those of about 2000 blobs. */
const MAX_SIDECAR_BYTES = 256 * 1024 * 1024;

/**
 * Sidecars of blob transactions by hash: those of the pool, and of blocks that a reorganisation may take back (geth:
 * `BlobPool`, `limbo`).
 */
export class Sidecars {
  readonly #byHash = new LRUCache<Hex, BlobSidecar>({ maxSize: MAX_SIDECAR_BYTES, sizeCalculation: bytesOf });
  readonly #conversions = new Map<Hex, Promise<BlobSidecar>>();

  add(hash: Hex, sidecar: BlobSidecar): void {
    this.#byHash.set(hash, sidecar);
  }

  get(hash: Hex): BlobSidecar | undefined {
    return this.#byHash.get(hash);
  }

  /**
   * Returns the sidecar of a transaction with cell proofs (EIP-7594) or with a proof for each blob. One of the other
   * form gets its proofs first (geth: `ToV1`): a fork of L1 changes the form while transactions wait.
   */
  async inForm(hash: Hex, cellProofs: boolean): Promise<BlobSidecar | undefined> {
    const sidecar = this.#byHash.get(hash);
    if (sidecar === undefined || (sidecar.version === 1) === cellProofs) return sidecar;
    let conversion = this.#conversions.get(hash);
    if (conversion === undefined) {
      conversion = convert(sidecar).finally(() => this.#conversions.delete(hash));
      this.#conversions.set(hash, conversion);
    }
    const result = await conversion;
    this.#byHash.set(hash, result);
    return result;
  }
}

/** Proves a sidecar in the other form. A blob takes 0.6 s, or 50 ms. */
async function convert({ version, blobs, commitments }: BlobSidecar): Promise<BlobSidecar> {
  const prover = await loadKzgProver();
  const proofs = await Promise.all(
    version === 0
      ? blobs.map((blob) => prover.proveCells(blob))
      : blobs.map(async (blob, at) => [await prover.prove(blob, commitments[at] ?? new Uint8Array())]),
  );
  return { version: version === 0 ? 1 : 0, blobs, commitments, proofs: proofs.flat() };
}

function bytesOf({ blobs, commitments, proofs }: BlobSidecar): number {
  const sizes = [blobs, commitments, proofs].flat().map(({ length }) => length);
  return sizes.reduce((sum, size) => sum + size, 1);
}
