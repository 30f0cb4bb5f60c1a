import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { p256 } from '@noble/curves/nist.js';
import { sign } from '../../../../src/nodes/crypto/secp256k1.ts';
import { concat, u256be, uintBe } from '../../../../src/protocol/bytes.ts';
import type { EvmLevel } from '../../../../src/protocol/rules/rules.ts';
import { atLevel } from './level.ts';
import type { Random } from './random.ts';

const word = (value: bigint | number) => u256be(value);
const field = (value: bigint) => uintBe(value, 64);

const bnPoint = (scalar: number) => {
  const { x, y } = bn254.G1.Point.BASE.multiply(BigInt(scalar)).toAffine();
  return concat(word(x), word(y));
};
const bnSecond = (scalar: number) => {
  const { x, y } = bn254.G2.Point.BASE.multiply(BigInt(scalar)).toAffine();
  return concat(word(x.c1), word(x.c0), word(y.c1), word(y.c0));
};
const blsFirst = (scalar: number) => {
  const { x, y } = bls12_381.G1.Point.BASE.multiply(BigInt(scalar)).toAffine();
  return concat(field(x), field(y));
};
const blsSecond = (scalar: number) => {
  const { x, y } = bls12_381.G2.Point.BASE.multiply(BigInt(scalar)).toAffine();
  return concat(field(x.c0), field(x.c1), field(y.c0), field(y.c1));
};

/** Proof of the zero polynomial: commitment and proof are the point at infinity. */
function blobProof(random: Random): Uint8Array {
  const infinity = concat(Uint8Array.of(0xc0), new Uint8Array(47));
  const hash = createHash('sha256').update(infinity).digest();
  hash[0] = 1;
  return concat(hash, new Uint8Array(24), random.bytes(8), new Uint8Array(32), infinity, infinity);
}

const modexp = (random: Random) => {
  const sizes = [random.below(40), random.below(40), 1 + random.below(40)];
  return concat(...sizes.map(word), random.bytes(sizes.reduce((sum, size) => sum + size, 0)));
};

/** By precompile address: a valid input. */
const INPUTS: readonly (readonly [number, EvmLevel, (random: Random) => Uint8Array])[] = [
  [
    0x01,
    'paris',
    (random) => {
      const hash = random.bytes(32);
      const { signature, recovery } = sign(hash, word(1 + random.below(1000)));
      return concat(hash, word(27 + recovery), signature);
    },
  ],
  [0x02, 'paris', (random) => random.bytes(random.below(300))],
  [0x03, 'paris', (random) => random.bytes(random.below(300))],
  [0x04, 'paris', (random) => random.bytes(random.below(300))],
  [0x05, 'paris', modexp],
  [0x06, 'paris', (random) => concat(bnPoint(1 + random.below(99)), bnPoint(1 + random.below(99)))],
  [0x07, 'paris', (random) => concat(bnPoint(1 + random.below(99)), random.bytes(32))],
  [
    0x08,
    'paris',
    (random) => {
      const scalar = 1 + random.below(9);
      const { x, y } = bn254.G1.Point.BASE.multiply(BigInt(scalar)).negate().toAffine();
      return concat(bnPoint(scalar), bnSecond(1), word(x), word(y), bnSecond(1));
    },
  ],
  [0x09, 'paris', (random) => concat(uintBe(random.below(20), 4), random.bytes(208), Uint8Array.of(random.below(2)))],
  [0x0a, 'cancun', blobProof],
  [0x0b, 'prague', (random) => concat(blsFirst(1 + random.below(99)), blsFirst(1 + random.below(99)))],
  [0x0c, 'prague', (random) => concat(blsFirst(1 + random.below(99)), random.bytes(32), blsFirst(2), random.bytes(32))],
  [0x0d, 'prague', (random) => concat(blsSecond(1 + random.below(99)), blsSecond(1 + random.below(99)))],
  [0x0e, 'prague', (random) => concat(blsSecond(1 + random.below(99)), random.bytes(32))],
  [
    0x0f,
    'prague',
    (random) => {
      const scalar = 1 + random.below(9);
      const { x, y } = bls12_381.G1.Point.BASE.multiply(BigInt(scalar)).negate().toAffine();
      return concat(blsFirst(scalar), blsSecond(1), field(x), field(y), blsSecond(1));
    },
  ],
  [0x10, 'prague', (random) => concat(new Uint8Array(17), random.bytes(47))],
  [0x11, 'prague', (random) => concat(new Uint8Array(17), random.bytes(47), new Uint8Array(17), random.bytes(47))],
  [
    0x100,
    'osaka',
    (random) => {
      const key = word(1 + random.below(1000));
      const hash = random.bytes(32);
      const signature = p256.sign(hash, key, { prehash: false, lowS: false });
      return concat(hash, signature, p256.getPublicKey(key, false).subarray(1));
    },
  ],
];

/** Returns the precompiles of a level with generators of inputs. `p256` enables it early, as on rollups. */
export function precompileInputs(
  level: EvmLevel,
  withP256: boolean,
): readonly (readonly [Uint8Array, (random: Random) => Uint8Array])[] {
  return INPUTS.filter(([address, from]) => atLevel(level, from) || (address === 0x100 && withP256)).map(
    ([address, , make]) => [uintBe(address, 20), make] as const,
  );
}
