import type { IField } from '@noble/curves/abstract/modular.js';

/** A curve y² = x³ + b over a field. */
export interface Curve<Coordinate> {
  readonly field: IField<Coordinate>;
  readonly b: Coordinate;
}

/** Tells whether coordinates are those of a point of the curve. */
export function isOnCurve<Coordinate>({ field, b }: Curve<Coordinate>, x: Coordinate, y: Coordinate): boolean {
  return field.eql(field.sqr(y), field.add(field.mul(field.sqr(x), x), b));
}
