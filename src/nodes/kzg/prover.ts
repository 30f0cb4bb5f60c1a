import { concatAll } from '../../protocol/bytes.ts';
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
  /** Proves the cells of a blob (EIP-7594; geth: `ComputeCellProofs`): {@link CELLS} proofs. Takes 0.6 s. */
  proveCells(blob: Uint8Array): Promise<readonly Uint8Array[]>;
  /** Tells whether a proof holds for a blob and its commitment. */
  verify(blob: Uint8Array, commitment: Uint8Array, proof: Uint8Array): Promise<boolean>;
  /** Tells whether these are the proofs of a blob's cells (geth: `VerifyCellProofs`). */
  verifyCells(blob: Uint8Array, commitment: Uint8Array, proofs: readonly Uint8Array[]): Promise<boolean>;
}

/** Cells of a blob, each with a proof (EIP-7594). */
export const CELLS = 128;

/** Bytes of a commitment or proof. */
export const PROOF_BYTES = 48;

/** A request to the thread. It answers with bytes: a point, all points, or 1 and 0 for true and false. */
export type ProverRequest =
  | { readonly do: 'commit' | 'prove-cells'; readonly blob: Uint8Array }
  | { readonly do: 'prove'; readonly blob: Uint8Array; readonly commitment: Uint8Array }
  | {
      readonly do: 'verify';
      readonly blob: Uint8Array;
      readonly commitment: Uint8Array;
      readonly proof: Uint8Array;
    }
  | {
      readonly do: 'verify-cells';
      readonly blob: Uint8Array;
      readonly commitment: Uint8Array;
      readonly proofs: Uint8Array;
    };

/** The thread's script: a file beside this one, in the sources as in the build. */
const SCRIPT = import.meta.url.endsWith('.ts') ? './prover-thread.ts' : './kzg-thread.cjs';

/**
 * Starts the thread of commitments and proofs. The native library loads for 1 to 2 s and proves for 50 ms, both
 * without a turn of the event loop: on the main thread, blocks and answers would wait for it.
 */
export function startProver(): KzgProver {
  const ask = startThread<ProverRequest, Uint8Array>(new URL(SCRIPT, import.meta.url));
  return {
    commit: (blob) => ask({ do: 'commit', blob }),
    prove: (blob, commitment) => ask({ do: 'prove', blob, commitment }),
    async proveCells(blob) {
      const proofs = await ask({ do: 'prove-cells', blob });
      return Array.from({ length: CELLS }, (_, at) => proofs.subarray(at * PROOF_BYTES, (at + 1) * PROOF_BYTES));
    },
    async verify(blob, commitment, proof) {
      return (await ask({ do: 'verify', blob, commitment, proof }))[0] === 1;
    },
    async verifyCells(blob, commitment, proofs) {
      return (await ask({ do: 'verify-cells', blob, commitment, proofs: concatAll([...proofs]) }))[0] === 1;
    },
  };
}
