import { DIVISOR, NUMERATOR, QUOTIENT } from '../layout';
import { isLarge, setSmall } from './word';

/** Stores a word as the numerator of a division. */
@inline
export function setNumerator(word: usize): void {
  memory.copy(NUMERATOR, word, 32);
  memory.fill(NUMERATOR + 32, 0, 32);
}

/**
 * Divides NUMERATOR (512 bits) by a word that is not zero. The remainder goes to `rest`, the quotient's lower 256 bits
 * to QUOTIENT. Divisors below 2^32 are divided by directly, others by Knuth's algorithm D on limbs of 32 bits, because
 * WebAssembly has no division of 128 bits.
 */
export function divide(divisor: usize, rest: usize): void {
  const small = load<u64>(divisor);
  if (!isLarge(divisor) && small >> 32 == 0) divideBySmall(small, rest);
  else divideByLarge(divisor, rest);
}

function divideBySmall(divisor: u64, rest: usize): void {
  let remainder: u64 = 0;
  let at: usize = 64;
  while (at > 0 && load<u64>(NUMERATOR + at - 8) == 0) {
    at -= 8;
    if (at < 32) store<u64>(QUOTIENT + at, 0);
  }
  while (at > 0) {
    at -= 8;
    const limb = load<u64>(NUMERATOR + at);
    let part = (remainder << 32) | (limb >> 32);
    const upper = part / divisor;
    part = ((part - upper * divisor) << 32) | (limb & 0xffffffff);
    const lower = part / divisor;
    remainder = part - lower * divisor;
    if (at < 32) store<u64>(QUOTIENT + at, (upper << 32) | lower);
  }
  setSmall(rest, remainder);
}

/** Returns the number of limbs of 32 bits without leading zeros. */
function limbs(at: usize, count: i32): i32 {
  while (count > 0 && load<u32>(at + (<usize>(count - 1) << 2)) == 0) count--;
  return count;
}

/** Shifts limbs of 32 bits to the left by less than 32 bits and returns what leaves at the top. */
function shiftLimbs(to: usize, from: usize, count: i32, bits: u64): u32 {
  let above: u64 = 0;
  for (let i = 0; i < count; i++) {
    const limb = (<u64>load<u32>(from + (<usize>i << 2)) << bits) | above;
    store<u32>(to + (<usize>i << 2), <u32>limb);
    above = limb >> 32;
  }
  return <u32>above;
}

function divideByLarge(divisor: usize, rest: usize): void {
  const n = limbs(divisor, 8);
  const m = limbs(NUMERATOR, 16);
  memory.fill(QUOTIENT, 0, 32);
  if (m < n) {
    memory.copy(rest, NUMERATOR, 32);
    return;
  }
  const bits: u64 = clz<u32>(load<u32>(divisor + (<usize>(n - 1) << 2)));
  shiftLimbs(DIVISOR, divisor, n, bits);
  store<u32>(NUMERATOR + (<usize>m << 2), shiftLimbs(NUMERATOR, NUMERATOR, m, bits));
  const first: u64 = load<u32>(DIVISOR + (<usize>(n - 1) << 2));
  const second: u64 = load<u32>(DIVISOR + (<usize>(n - 2) << 2));
  for (let j = m - n; j >= 0; j--) {
    const digit = divideDigit(NUMERATOR + (<usize>j << 2), <usize>n, first, second);
    if (j < 8) store<u32>(QUOTIENT + (<usize>j << 2), digit);
  }
  memory.fill(rest, 0, 32);
  for (let i = 0; i < n; i++) {
    const limb = load<u64>(NUMERATOR + (<usize>i << 2)) & (i + 1 < n ? u64.MAX_VALUE : 0xffffffff);
    store<u32>(rest + (<usize>i << 2), <u32>(limb >> bits));
  }
}

/** Finds one digit of the quotient and subtracts the digit times the divisor (algorithm D, steps D3 to D6). */
function divideDigit(at: usize, n: usize, first: u64, second: u64): u32 {
  const top = at + (n << 2);
  const upper = (<u64>load<u32>(top) << 32) | <u64>load<u32>(top - 4);
  const next: u64 = load<u32>(top - 8);
  let digit = upper / first;
  let remainder = upper - digit * first;
  while (digit >> 32 != 0 || digit * second > ((remainder << 32) | next)) {
    digit--;
    remainder += first;
    if (remainder >> 32 != 0) break;
  }
  let carry: u64 = 0;
  let borrow: i64 = 0;
  for (let i: usize = 0; i < n; i++) {
    const product = digit * <u64>load<u32>(DIVISOR + (i << 2)) + carry;
    carry = product >> 32;
    const difference = <i64><u64>load<u32>(at + (i << 2)) - borrow - <i64>(product & 0xffffffff);
    store<u32>(at + (i << 2), <u32>difference);
    borrow = (difference >> 63) & 1;
  }
  const difference = <i64><u64>load<u32>(top) - borrow - <i64>carry;
  store<u32>(top, <u32>difference);
  if (difference >= 0) return <u32>digit;
  carry = 0;
  for (let i: usize = 0; i < n; i++) {
    const sum = <u64>load<u32>(at + (i << 2)) + <u64>load<u32>(DIVISOR + (i << 2)) + carry;
    store<u32>(at + (i << 2), <u32>sum);
    carry = sum >> 32;
  }
  store<u32>(top, load<u32>(top) + <u32>carry);
  return <u32>(digit - 1);
}
