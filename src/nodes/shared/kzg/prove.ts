import { blobValues, evaluate, quotient } from './field.ts';
import { G1, type G1Point } from './group.ts';
import type { Kzg } from './kzg.ts';
import { multiScalar } from './msm.ts';
import { lagrangePoints, loadSetup } from './setup.ts';
import { challenge, verifyBlob, verifyPoint } from './verify.ts';

/**
 * Loads the trusted setup and returns all operations (consensus specification: Deneb, polynomial commitments).
 * Counterparts there: `blob_to_kzg_commitment`, `compute_blob_kzg_proof`.
 */
export async function loadProver(): Promise<Kzg> {
  await loadSetup();
  return {
    verifyBlob,
    verifyPoint,
    commit: async (blob) => (await combine(blobValues(blob))).toBytes(),
    async prove(blob, commitment) {
      const values = blobValues(blob);
      const z = challenge(blob, commitment);
      return (await combine(quotient(values, z, evaluate(values, z)))).toBytes();
    },
  };
}

/** Returns the sum of the Lagrange points, each times the polynomial's value at its root. */
async function combine(values: readonly bigint[]): Promise<G1Point> {
  let count = values.length;
  while (count > 0 && values[count - 1] === 0n) count--;
  if (count === 0) return G1.ZERO;
  const points = await lagrangePoints(count);
  return multiScalar(
    points.slice(0, count).flatMap((point, at) => {
      const scalar = values[at] ?? 0n;
      return scalar === 0n ? [] : [{ point, scalar }];
    }),
  );
}
