import type { KZG } from '@ethereumjs/util';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { loadKzgVerifier } from '../../shared/kzg/kzg.ts';

/**
 * Returns the KZG functions that the point evaluation precompile calls.
 * The other functions of the interface serve blob transactions, which the rollup rejects.
 */
export async function loadPointEvaluation(): Promise<KZG> {
  const { verifyPoint } = await loadKzgVerifier();
  const verifyProof: KZG['verifyProof'] = (...parts) => {
    const [commitment, z, y, proof] = parts.map((part) => hexToBytes(part as Hex)) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ];
    try {
      return verifyPoint(commitment, z, y, proof);
    } catch {
      return false;
    }
  };
  return { verifyProof } as KZG;
}
