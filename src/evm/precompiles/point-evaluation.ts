import { createHash } from 'node:crypto';
import { compareBytes, concat, u256be } from '../../protocol/bytes.ts';
import type { PointVerifier, PrecompileLibraries } from './precompile.ts';
import { PrecompileFailure } from './shared/failure.ts';

const INPUT_BYTES = 192;
/** Order of the scalar field of BLS12-381 (EIP-4844: `BLS_MODULUS`). */
const FIELD_MODULUS = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
/** Version of a hash that is one of a KZG commitment. */
const KZG_VERSION = 1;

/**
 * KZG_POINT_EVALUATION (EIP-4844): whether a committed polynomial has a value at a point.
 * The input: versioned hash, point, value, commitment, proof. The output: field elements of a blob, modulus.
 */
export function pointEvaluation(input: Uint8Array, libraries: PrecompileLibraries): Uint8Array | Promise<Uint8Array> {
  if (input.length !== INPUT_BYTES) throw new PrecompileFailure('invalid input length');
  const hash = createHash('sha256').update(input.subarray(96, 144)).digest();
  hash[0] = KZG_VERSION;
  if (compareBytes(hash, input.subarray(0, 32)) !== 0) throw new PrecompileFailure('mismatched versioned hash');
  const verifier = libraries.pointVerifier();
  return verifier instanceof Promise ? verifier.then((loaded) => verified(input, loaded)) : verified(input, verifier);
}

function verified(input: Uint8Array, verify: PointVerifier): Uint8Array {
  const [z, y, commitment] = [input.subarray(32, 64), input.subarray(64, 96), input.subarray(96, 144)];
  if (!verify(commitment, z, y, input.subarray(144))) throw new PrecompileFailure('error verifying kzg proof');
  return concat(u256be(4096), u256be(FIELD_MODULUS));
}
