import { startThread } from '../../system/process/thread.ts';

/**
 * Commitments and proofs of EIP-4844, computed on a thread of their own. Both reject a blob that is not 131072 bytes
 * of canonical field elements.
 */
export interface KzgProver {
  /** Computes the commitment to a blob (geth: `BlobToCommitment`). */
  commit(blob: Uint8Array): Promise<Uint8Array>;
  /** Proves that a blob has this commitment (geth: `ComputeBlobProof`), at the point that both determine. */
  prove(blob: Uint8Array, commitment: Uint8Array): Promise<Uint8Array>;
}

/** A request to the thread: the commitment to a blob, or the proof of a blob and its commitment. */
export interface ProverRequest {
  readonly blob: Uint8Array;
  readonly commitment?: Uint8Array;
}

/** The thread's script: a file beside this one, in the sources as in the build. */
const SCRIPT = import.meta.url.endsWith('.ts') ? './prover-thread.ts' : './kzg-thread.cjs';

/**
 * Starts the thread of commitments and proofs. The native library loads for 1 to 2 s and proves for 50 ms, both
 * without a turn of the event loop: on the main thread, blocks and answers would wait for it.
 */
export function startProver(): KzgProver {
  const ask = startThread<ProverRequest, Uint8Array>(new URL(SCRIPT, import.meta.url));
  return { commit: (blob) => ask({ blob }), prove: (blob, commitment) => ask({ blob, commitment }) };
}
