import type { KZG } from '@ethereumjs/util';
import { hexToBytes } from '../../../protocol/hex.ts';
import { loadKzgVerifier } from '../../kzg/kzg.ts';

/**
 * Returns the KZG functions that the point evaluation precompile calls (geth: `kzgPointEvaluation`).
 * The other functions of the interface serve blob transactions, which the rollup rejects.
 */
export async function loadPointEvaluation(): Promise<KZG> {
  const { verifyPoint } = await loadKzgVerifier();
  const verifyProof: KZG['verifyProof'] = (commitment, z, y, proof) =>
    verifyPoint(hexToBytes(commitment), hexToBytes(z), hexToBytes(y), hexToBytes(proof));
  return { verifyProof } as KZG;
}
