import { isZero, setSmall } from '../word/word';

/** Returns whether a word is below another, both unsigned. */
@inline
function isBelow(a: usize, b: usize): u64 {
  const x3 = load<u64>(a, 24), y3 = load<u64>(b, 24);
  if (x3 != y3) return u64(x3 < y3);
  const x2 = load<u64>(a, 16), y2 = load<u64>(b, 16);
  if (x2 != y2) return u64(x2 < y2);
  const x1 = load<u64>(a, 8), y1 = load<u64>(b, 8);
  if (x1 != y1) return u64(x1 < y1);
  return u64(load<u64>(a) < load<u64>(b));
}

/** Returns whether a word is below another in two's complement. */
@inline
function isSignedBelow(a: usize, b: usize): u64 {
  const x = load<i64>(a, 24), y = load<i64>(b, 24);
  return (x ^ y) < 0 ? u64(x < y) : isBelow(a, b);
}

@inline
export function lt(sp: usize): void {
  setSmall(sp - 64, isBelow(sp - 32, sp - 64));
}

@inline
export function gt(sp: usize): void {
  setSmall(sp - 64, isBelow(sp - 64, sp - 32));
}

@inline
export function slt(sp: usize): void {
  setSmall(sp - 64, isSignedBelow(sp - 32, sp - 64));
}

@inline
export function sgt(sp: usize): void {
  setSmall(sp - 64, isSignedBelow(sp - 64, sp - 32));
}

@inline
export function eq(sp: usize): void {
  const a = sp - 32, b = sp - 64;
  const low = (load<u64>(a) ^ load<u64>(b)) | (load<u64>(a, 8) ^ load<u64>(b, 8));
  const high = (load<u64>(a, 16) ^ load<u64>(b, 16)) | (load<u64>(a, 24) ^ load<u64>(b, 24));
  setSmall(b, u64((low | high) == 0));
}

@inline
export function iszero(sp: usize): void {
  setSmall(sp - 32, u64(isZero(sp - 32)));
}
