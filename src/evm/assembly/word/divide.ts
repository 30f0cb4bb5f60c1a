import { DIVISOR, NUMERATOR, QUOTIENT } from '../layout';
import { high } from './multiply';
import { isLarge, setSmall } from './word';

/** Stores a word as the numerator of a division. */
@inline
export function setNumerator(word: usize): void {
  memory.copy(NUMERATOR, word, 32);
  memory.fill(NUMERATOR + 32, 0, 32);
}

/**
 * Divides NUMERATOR (512 bits) by a word that is not zero. The remainder goes to `rest`, the quotient's lower 256 bits
 * to QUOTIENT. It is Knuth's algorithm D. Digits come from a reciprocal, because WebAssembly has no division of 128
 * bits (Möller and Granlund, "Improved division by invariant integers").
 */
export function divide(divisor: usize, rest: usize): void {
  if (isLarge(divisor)) divideByLarge(divisor, rest);
  else setSmall(rest, divideByLimb(load<u64>(divisor)));
}

/** Divides by one limb and returns the remainder. */
function divideByLimb(divisor: u64): u64 {
  let at: usize = 56;
  for (; at > 0 && load<u64>(NUMERATOR + at) == 0; at -= 8) if (at < 32) store<u64>(QUOTIENT + at, 0);
  let limb = load<u64>(NUMERATOR + at);
  if (at == 0) {
    const digit = limb / divisor;
    store<u64>(QUOTIENT, digit);
    return limb - digit * divisor;
  }
  // The reciprocal belongs to a divisor whose highest bit is set, so that the numerator is shifted as well.
  const left: u64 = clz<u64>(divisor), right = 63 - left;
  const top = divisor << left, inverse = reciprocal(top);
  let remainder = (limb >> 1) >> right;
  while (true) {
    const below = at == 0 ? 0 : load<u64>(NUMERATOR + at - 8);
    const part = (limb << left) | ((below >> 1) >> right);
    const digit = digitOf(remainder, part, top, inverse);
    remainder = digitRest;
    if (at < 32) store<u64>(QUOTIENT + at, digit);
    if (at == 0) return remainder >> left;
    limb = below;
    at -= 8;
  }
}

/** Second result of `digitOf`. */
let digitRest: u64 = 0;

/**
 * Divides two limbs by one whose highest bit is set. The upper one is below it (algorithm 4). The remainder goes to
 * `digitRest`.
 */
@inline
function digitOf(upper: u64, lower: u64, divisor: u64, inverse: u64): u64 {
  const low = inverse * upper + lower;
  let digit = high(inverse, upper) + upper + u64(low < lower) + 1;
  let remainder = lower - digit * divisor;
  if (remainder > low) {
    digit--;
    remainder += divisor;
  }
  if (remainder >= divisor) {
    digit++;
    remainder -= divisor;
  }
  digitRest = remainder;
  return digit;
}

/** Returns floor((2^128 - 1) / divisor) - 2^64 of a divisor whose highest bit is set, by two digits of 32 bits. */
function reciprocal(divisor: u64): u64 {
  const upper = halfDigit(~divisor, divisor);
  const rest = (~divisor << 32) + 0xffffffff - upper * divisor;
  return (upper << 32) | halfDigit(rest, divisor);
}

/** Returns the digit of 32 bits of `numerator`, behind which come 32 ones, by the divisor. */
function halfDigit(numerator: u64, divisor: u64): u64 {
  const first = divisor >> 32, second = divisor & 0xffffffff;
  let digit = numerator / first;
  let remainder = numerator - digit * first;
  while (digit >> 32 != 0 || digit * second > ((remainder << 32) | 0xffffffff)) {
    digit--;
    remainder += first;
    if (remainder >> 32 != 0) break;
  }
  return digit;
}

/** Returns the number of limbs without leading zeros. */
function limbs(at: usize, count: usize): usize {
  while (count > 0 && load<u64>(at + ((count - 1) << 3)) == 0) count--;
  return count;
}

/** Shifts limbs to the left and returns what leaves at the top. */
function shiftLimbs(to: usize, from: usize, count: usize, left: u64): u64 {
  const right = 63 - left;
  let above: u64 = 0;
  for (let at: usize = 0; at < count << 3; at += 8) {
    const limb = load<u64>(from + at);
    store<u64>(to + at, (limb << left) | above);
    above = (limb >> 1) >> right;
  }
  return above;
}

function divideByLarge(divisor: usize, rest: usize): void {
  const n = limbs(divisor, 4), m = limbs(NUMERATOR, 8);
  memory.fill(QUOTIENT, 0, 32);
  if (m < n) {
    memory.copy(rest, NUMERATOR, 32);
    return;
  }
  const left: u64 = clz<u64>(load<u64>(divisor + ((n - 1) << 3))), right = 63 - left;
  shiftLimbs(DIVISOR, divisor, n, left);
  store<u64>(NUMERATOR + (m << 3), shiftLimbs(NUMERATOR, NUMERATOR, m, left));
  const inverse = reciprocal(load<u64>(DIVISOR + ((n - 1) << 3)));
  for (let j = m - n + 1; j > 0; ) {
    j--;
    const digit = divideDigit(NUMERATOR + (j << 3), n << 3, inverse);
    if (j < 4) store<u64>(QUOTIENT + (j << 3), digit);
  }
  memory.fill(rest, 0, 32);
  for (let at: usize = 0; at < n << 3; at += 8) {
    const above = at + 8 < n << 3 ? load<u64>(NUMERATOR + at + 8) : 0;
    store<u64>(rest + at, (load<u64>(NUMERATOR + at) >> left) | ((above << 1) << right));
  }
}

/** Finds one digit of the quotient and subtracts the digit times the divisor (algorithm D, steps D3 to D6). */
function divideDigit(at: usize, size: usize, inverse: u64): u64 {
  const first = load<u64>(DIVISOR + size - 8), second = load<u64>(DIVISOR + size - 16);
  const upper = load<u64>(at + size), lower = load<u64>(at + size - 8), next = load<u64>(at + size - 16);
  let digit = u64.MAX_VALUE, remainder = lower + first;
  if (upper < first) {
    digit = digitOf(upper, lower, first, inverse);
    remainder = digitRest;
  }
  // If the digit is the largest one, the remainder may have a limb more, and the digit is right then.
  if (upper < first || remainder >= first) {
    let productHigh = high(digit, second), productLow = digit * second;
    while (productHigh > remainder || (productHigh == remainder && productLow > next)) {
      digit--;
      productHigh -= u64(productLow < second);
      productLow -= second;
      remainder += first;
      if (remainder < first) break;
    }
  }
  let carry: u64 = 0;
  for (let i: usize = 0; i < size; i += 8) {
    const y = load<u64>(DIVISOR + i), low = digit * y + carry, limb = load<u64>(at + i);
    carry = high(digit, y) + u64(low < carry) + u64(limb < low);
    store<u64>(at + i, limb - low);
  }
  store<u64>(at + size, upper - carry);
  if (upper >= carry) return digit;
  addBack(at, size);
  return digit - 1;
}

/** Adds the divisor, because a digit was too large by one (step D6). */
function addBack(at: usize, size: usize): void {
  let carry: u64 = 0;
  for (let i: usize = 0; i < size; i += 8) {
    const x = load<u64>(at + i), t = x + load<u64>(DIVISOR + i), sum = t + carry;
    carry = u64(t < x) | u64(sum < carry);
    store<u64>(at + i, sum);
  }
  store<u64>(at + size, load<u64>(at + size) + carry);
}
