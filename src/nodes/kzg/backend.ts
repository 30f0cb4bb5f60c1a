/** Commitments and proofs of EIP-4844 within one thread. Malformed input throws. */
export interface KzgBackend {
  commit(blob: Uint8Array): Uint8Array;
  prove(blob: Uint8Array, commitment: Uint8Array): Uint8Array;
  /** Proves the cells of a blob (EIP-7594). */
  proveCells(blob: Uint8Array): readonly Uint8Array[];
  /** Tells whether these are the proofs of a blob's cells. */
  verifyCells(blob: Uint8Array, commitment: Uint8Array, proofs: readonly Uint8Array[]): boolean;
}

/**
 * Loads the native library, or the one in JavaScript if the package has no binary for this machine. Loading the
 * native one takes 1 to 2 s of processor time; a proof takes 50 ms there and 600 ms in JavaScript.
 */
export async function loadBackend(): Promise<KzgBackend> {
  const library = await import('./library.ts');
  const native = await loadNative();
  if (native === undefined) {
    const { commit, prove, proveCells, verifyCells } = library;
    return { commit, prove, proveCells, verifyCells };
  }
  return {
    // The native library takes 50 ms for any blob, with zeros too.
    commit: (blob) => (library.isSparse(blob) ? library.commitSparse(blob) : native.blobToKzgCommitment(blob)),
    prove: (blob, commitment) => native.computeBlobKzgProof(blob, commitment),
    proveCells: (blob) => native.computeCellsAndKzgProofs(blob).proofs,
    verifyCells(blob, commitment, proofs) {
      const cells = native.computeCells(blob);
      const commitments = cells.map(() => commitment);
      return native.verifyCellKzgProofBatch(commitments, [...cells.keys()], cells, [...proofs]);
    },
  };
}

/** Returns undefined if the optional package or its binary for this platform is not installed. */
async function loadNative() {
  try {
    const { DasContextJs } = await import('@crate-crypto/node-eth-kzg');
    // The precomputed table serves cell proofs alone.
    return DasContextJs.create({ usePrecomp: false });
  } catch {
    return undefined;
  }
}
