import { DIVISOR, NUMERATOR, OPERAND, QUOTIENT } from '../layout';
import { divide, setNumerator } from '../word/divide';
import { multiply, multiplyFully } from '../word/multiply';
import { copy, isNegative, isZero, negate, set, setSmall } from '../word/word';

@inline
export function add(sp: usize): void {
  const a = sp - 32, b = sp - 64;
  const x1 = load<u64>(a, 8), x2 = load<u64>(a, 16);
  const s0 = load<u64>(a) + load<u64>(b);
  const c0 = u64(s0 < load<u64>(a));
  const t1 = x1 + load<u64>(b, 8), s1 = t1 + c0;
  const c1 = u64(t1 < x1) | u64(s1 < c0);
  const t2 = x2 + load<u64>(b, 16), s2 = t2 + c1;
  const c2 = u64(t2 < x2) | u64(s2 < c1);
  set(b, s0, s1, s2, load<u64>(a, 24) + load<u64>(b, 24) + c2);
}

@inline
export function mul(sp: usize): void {
  multiply(sp - 64, sp - 64, sp - 32);
}

@inline
export function sub(sp: usize): void {
  const a = sp - 32, b = sp - 64;
  const x0 = load<u64>(a), x1 = load<u64>(a, 8), x2 = load<u64>(a, 16);
  const y0 = load<u64>(b), y1 = load<u64>(b, 8), y2 = load<u64>(b, 16);
  const c0 = u64(x0 < y0);
  const t1 = x1 - y1, c1 = u64(x1 < y1) | u64(t1 < c0);
  const t2 = x2 - y2, c2 = u64(x2 < y2) | u64(t2 < c1);
  set(b, x0 - y0, t1 - c0, t2 - c1, load<u64>(a, 24) - load<u64>(b, 24) - c2);
}

/** DIV: the quotient, zero if the divisor is zero. */
export function div(sp: usize): void {
  const a = sp - 32, b = sp - 64;
  if (isZero(b)) return;
  setNumerator(a);
  divide(b, OPERAND);
  copy(b, QUOTIENT);
}

/** SDIV: the quotient of absolute values with the sign of both. */
export function sdiv(sp: usize): void {
  const a = sp - 32, b = sp - 64;
  if (isZero(b)) return;
  const negative = isNegative(a) != isNegative(b);
  if (isNegative(a)) negate(a, a);
  if (isNegative(b)) negate(b, b);
  setNumerator(a);
  divide(b, OPERAND);
  if (negative) negate(b, QUOTIENT);
  else copy(b, QUOTIENT);
}

/** MOD: the remainder, zero if the divisor is zero. */
export function mod(sp: usize): void {
  const b = sp - 64;
  if (isZero(b)) return;
  setNumerator(sp - 32);
  divide(b, b);
}

/** SMOD: the remainder of absolute values with the sign of the first. */
export function smod(sp: usize): void {
  const a = sp - 32, b = sp - 64;
  if (isZero(b)) return;
  const negative = isNegative(a);
  if (negative) negate(a, a);
  if (isNegative(b)) negate(b, b);
  setNumerator(a);
  divide(b, b);
  if (negative) negate(b, b);
}

/** ADDMOD: the sum has 257 bits. */
export function addmod(sp: usize): void {
  const a = sp - 32, b = sp - 64, n = sp - 96;
  if (isZero(n)) return;
  let carry: u64 = 0;
  for (let at: usize = 0; at < 32; at += 8) {
    const x = load<u64>(a + at), t = x + load<u64>(b + at), s = t + carry;
    carry = u64(t < x) | u64(s < carry);
    store<u64>(NUMERATOR + at, s);
  }
  store<u64>(NUMERATOR, carry, 32);
  for (let at: usize = 40; at < 64; at += 8) store<u64>(NUMERATOR + at, 0);
  divide(n, n);
}

/** MULMOD: the product has 512 bits. */
export function mulmod(sp: usize): void {
  const n = sp - 96;
  if (isZero(n)) return;
  multiplyFully(sp - 32, sp - 64);
  divide(n, n);
}

/** EXP: squares and multiplies, from the highest bit of the exponent. */
export function exp(sp: usize): void {
  const base = sp - 32, exponent = sp - 64;
  copy(OPERAND, base);
  copy(DIVISOR, exponent);
  setSmall(exponent, 1);
  for (let bit = bits(DIVISOR); bit > 0; ) {
    bit--;
    multiply(exponent, exponent, exponent);
    if ((load<u64>(DIVISOR + ((bit >> 6) << 3)) >> (bit & 63)) & 1) multiply(exponent, exponent, OPERAND);
  }
}

/** Gas of EXP above its base: by each byte of the exponent (EIP-160). */
export function expGas(sp: usize): i64 {
  return 50 * ((bits(sp - 64) + 7) >> 3);
}

/** Returns the number of bits of a word without leading zeros. */
function bits(word: usize): u32 {
  for (let at: i32 = 24; at >= 0; at -= 8) {
    const limb = load<u64>(word + at);
    if (limb != 0) return <u32>((at << 3) + 64 - <i32>clz<u64>(limb));
  }
  return 0;
}

/** SIGNEXTEND: repeats the sign of the byte with that index, counted from the lowest. */
export function signextend(sp: usize): void {
  const a = sp - 32, b = sp - 64;
  const index = load<u64>(a);
  if ((load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24)) != 0 || index > 30) return;
  const top = <usize>(index & ~7);
  const shift: u64 = 56 - ((index & 7) << 3);
  const limb = <i64>(load<u64>(b + top) << shift) >> shift;
  store<i64>(b + top, limb);
  for (let at = top + 8; at < 32; at += 8) store<i64>(b + at, limb >> 63);
}
