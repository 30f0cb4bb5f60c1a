import { mulAddUnsafe, pippenger } from '@noble/curves/abstract/curve.js';
import type { WeierstrassPoint, WeierstrassPointCons } from '@noble/curves/abstract/weierstrass.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { Resumable } from '../../../protocol/resumable.ts';
import { PrecompileFailure } from '../shared/failure.ts';
import { numberOf } from '../shared/numbers.ts';
import { SCALAR_BYTES } from './gas.ts';
import { FIRST_GROUP, type Group, SECOND_GROUP } from './points.ts';

const { Fr } = bls12_381.fields;
/** Points from which buckets are faster than a table for each point. */
const MANY = 16;
/** Points of a step. More would be faster for each, and would hold up other work for longer. */
const STEP_POINTS = 32;

/** BLS12_G1MSM (EIP-2537): the sum of points of the subgroup, each times a word. */
export const g1MultiScalar = multipliesAndAdds(FIRST_GROUP, bls12_381.G1.Point);
/** BLS12_G2MSM (EIP-2537). */
export const g2MultiScalar = multipliesAndAdds(SECOND_GROUP, bls12_381.G2.Point);

function multipliesAndAdds<Coordinate>(group: Group<Coordinate>, Point: WeierstrassPointCons<Coordinate>) {
  const size = group.bytes + SCALAR_BYTES;
  const stepBytes = STEP_POINTS * size;
  function sumOf(input: Uint8Array): WeierstrassPoint<Coordinate> {
    const points: WeierstrassPoint<Coordinate>[] = [];
    const scalars: bigint[] = [];
    for (let at = 0; at < input.length; at += size) {
      const point = group.decodeMember(input.subarray(at, at + group.bytes));
      const scalar = numberOf(input.subarray(at + group.bytes, at + size)) % Fr.ORDER;
      if (scalar === 0n || point.is0()) continue;
      points.push(point);
      scalars.push(scalar);
    }
    return points.length < MANY ? mulAddUnsafe(Point, points, scalars) : pippenger(Point, points, scalars);
  }
  function* inSteps(input: Uint8Array): Resumable<Uint8Array> {
    let sum = group.zero;
    for (let at = 0; at < input.length; at += stepBytes) {
      sum = sum.add(sumOf(input.subarray(at, at + stepBytes)));
      yield;
    }
    return group.encode(sum.toAffine());
  }
  return (input: Uint8Array): Uint8Array | Resumable<Uint8Array> => {
    if (input.length === 0 || input.length % size !== 0) throw new PrecompileFailure('invalid input length');
    return input.length > stepBytes ? inSteps(input) : group.encode(sumOf(input).toAffine());
  };
}
