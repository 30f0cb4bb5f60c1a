import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { concat, toBigInt, u256be, uintBe } from '../../../src/protocol/bytes.ts';
import type { EvmLevel } from '../../../src/protocol/rules/evm-level.ts';
import { precompileInputs } from '../../nodes/execution/differential/precompile-inputs.ts';
import type { Random } from '../../nodes/execution/differential/random.ts';

const BLS = bls12_381.fields;
const BN = bn254.fields;

/** By address: bytes of a number in the input, and the modulus to which numbers belong. */
const NUMBERS: Readonly<Record<number, readonly [number, bigint]>> = {
  1: [32, 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n],
  6: [32, BN.Fp.ORDER],
  7: [32, BN.Fp.ORDER],
  8: [32, BN.Fp.ORDER],
  10: [32, BLS.Fr.ORDER],
  256: [32, 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n],
  ...Object.fromEntries([11, 12, 13, 14, 15, 16, 17].map((address) => [address, [64, BLS.Fp.ORDER]])),
};

/** Makes inputs of a precompile that are right, and ones that are wrong in some way. */
export function edgeInputs(address: number, level: EvmLevel, random: Random): Uint8Array[] {
  const make = precompileInputs(level, true).find(([bytes]) => toBigInt(bytes) === BigInt(address))?.[1];
  if (make === undefined) throw new Error(`no inputs of a precompile at ${address}`);
  const valid = make(random);
  const at = random.below(Math.max(valid.length, 1));
  return [
    valid,
    new Uint8Array(),
    valid.subarray(0, at),
    valid.subarray(0, -1),
    concat(valid, random.bytes(1 + random.below(40))),
    concat(valid, valid),
    new Uint8Array(valid.length),
    new Uint8Array(valid.length).fill(0xff),
    valid.length === 0 ? valid : valid.with(at, (valid[at] ?? 0) ^ (1 << random.below(8))),
    ...numbersAround(address, valid, random),
    ...outsideSubgroup(address, valid),
  ];
}

/** Replaces one number of an input by numbers around 0 and its modulus, and adds the modulus to it. */
function numbersAround(address: number, valid: Uint8Array, random: Random): Uint8Array[] {
  const [size, modulus] = NUMBERS[address] ?? [0, 0n];
  if (size === 0) return [];
  const at = size * random.below(Math.floor(valid.length / size));
  const number = toBigInt(valid.subarray(at, at + size));
  const values = [0n, 1n, modulus - 1n, modulus, modulus - number, number + modulus];
  return values
    .filter((value) => value >= 0n && value < 1n << BigInt(8 * size))
    .map((value) => concat(valid.subarray(0, at), uintBe(value, size), valid.subarray(at + size)));
}

/** Puts a point of the curve that is not in the subgroup in the place of each point. */
function outsideSubgroup(address: number, valid: Uint8Array): Uint8Array[] {
  const replace = (point: Uint8Array, ...places: readonly number[]) =>
    places.map((at) => concat(valid.subarray(0, at), point, valid.subarray(at + point.length)));
  if (address === 8) return replace(bn254Second(), 64);
  if (address === 11) return replace(blsFirst(), 0, 128);
  if (address === 12) return replace(blsFirst(), 0, 160);
  if (address === 13) return replace(blsSecond(), 0, 256);
  if (address === 14) return replace(blsSecond(), 0);
  if (address === 15) return [...replace(blsFirst(), 0, 384), ...replace(blsSecond(), 128)];
  return [];
}

/** A point of BLS12-381 that is not in the first group. */
export function blsFirst(): Uint8Array {
  const { Fp } = BLS;
  const [x, y] = firstPoint(1n, (value) => Fp.sqrt(Fp.create(value ** 3n + 4n)));
  return concat(uintBe(x, 64), uintBe(y, 64));
}

/** A point of BLS12-381's twist that is not in the second group. */
export function blsSecond(): Uint8Array {
  const { Fp2 } = BLS;
  const [x, y] = firstPoint(2n, (value) => {
    const element = Fp2.fromBigTuple([value, 0n]);
    return Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(element), element), bls12_381.G2.Point.CURVE().b));
  });
  return concat(...[x, 0n, y.c0, y.c1].map((value) => uintBe(value, 64)));
}

/** A point of bn254's twist that is not in the second group. */
export function bn254Second(): Uint8Array {
  const { Fp2 } = BN;
  const [x, y] = firstPoint(1n, (value) => {
    const element = Fp2.fromBigTuple([value, 0n]);
    return Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(element), element), bn254.G2.Point.CURVE().b));
  });
  return concat(...[0n, x, y.c1, y.c0].map((value) => u256be(value)));
}

/** Returns the first x from a number on at which the curve has a point, and its y. */
function firstPoint<Coordinate>(from: bigint, rootAt: (x: bigint) => Coordinate): [bigint, Coordinate] {
  for (let x = from; ; x++)
    try {
      return [x, rootAt(x)];
    } catch {
      // No square.
    }
}
