import type { CustomCrypto } from '@ethereumjs/common';
import type { KZG } from '@ethereumjs/util';
import { recoverPublicKey } from '../../../../src/nodes/crypto/secp256k1.ts';
import { loadKzgVerifier } from '../../../../src/nodes/kzg/kzg.ts';
import { keccak256Bytes } from '../../../../src/protocol/hash.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';

/** Our hashes and signatures for the EVM library, whose own are slower. */
export const customCrypto = {
  keccak256: (bytes) => keccak256Bytes(bytes),
  ecrecover: (message, v, r, s) => {
    const recovery = Number(v) - 27;
    if (recovery !== 0 && recovery !== 1) throw new Error('recovery id must be 27 or 28');
    const signature = new Uint8Array(64);
    signature.set(r, 32 - r.length);
    signature.set(s, 64 - s.length);
    return recoverPublicKey(signature, recovery, message);
  },
} satisfies CustomCrypto;

/** Returns our KZG functions for the EVM library, which takes them from outside. */
export async function loadPointEvaluation(): Promise<KZG> {
  const { verifyPoint } = await loadKzgVerifier();
  const verifyProof: KZG['verifyProof'] = (commitment, z, y, proof) =>
    verifyPoint(hexToBytes(commitment), hexToBytes(z), hexToBytes(y), hexToBytes(proof));
  return { verifyProof } as KZG;
}
