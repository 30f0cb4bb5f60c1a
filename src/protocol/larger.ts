/** Returns the larger of two integers. `Math.max` takes no bigint. */
export function larger(left: bigint, right: bigint): bigint {
  if (left > right) return left;
  return right;
}
