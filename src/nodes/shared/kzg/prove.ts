import { blobValues, evaluate, quotient } from './field.ts';
import { G1, type G1Point } from './group.ts';
import type { Kzg } from './kzg.ts';
import { multiScalar } from './msm.ts';
import { lagrangePoints, loadSetup } from './setup.ts';
import { challenge, verifyBlob, verifyPoint } from './verify.ts';

/** All operations, with the trusted setup at hand (consensus specification: Deneb, polynomial commitments). */
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

/** Sum of the Lagrange points, each times the polynomial's value at its root. */
async function combine(values: readonly bigint[]): Promise<G1Point> {
  let count = values.length;
  while (count > 0 && values[count - 1] === 0n) count--;
  if (count === 0) return G1.ZERO;
  const points = await lagrangePoints(count);
  const used = values.slice(0, count).flatMap((value, index) => (value === 0n ? [] : [index]));
  return multiScalar(
    used.map((index) => points[index]!),
    used.map((index) => values[index]!),
  );
}
