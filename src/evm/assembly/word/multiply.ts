import { NUMERATOR } from '../layout';
import { set } from './word';

/** Returns the upper 64 bits of a product. */
@inline
export function high(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff, aHigh = a >> 32, bLow = b & 0xffffffff, bHigh = b >> 32;
  const cross = aLow * bHigh;
  const middle = ((aLow * bLow) >> 32) + (cross & 0xffffffff) + aHigh * bLow;
  return aHigh * bHigh + (cross >> 32) + (middle >> 32);
}

/** Stores the lower 256 bits of a product: the schoolbook method, row by row, without the limbs above. */
export function multiply(to: usize, a: usize, b: usize): void {
  const b0 = load<u64>(b), b1 = load<u64>(b, 8), b2 = load<u64>(b, 16), b3 = load<u64>(b, 24);
  let x = load<u64>(a);
  let r0 = x * b0, carry = high(x, b0);
  let r1 = x * b1 + carry;
  carry = high(x, b1) + u64(r1 < carry);
  let r2 = x * b2 + carry;
  carry = high(x, b2) + u64(r2 < carry);
  let r3 = x * b3 + carry;

  x = load<u64>(a, 8);
  let low = x * b0;
  r1 += low;
  carry = high(x, b0) + u64(r1 < low);
  low = x * b1 + carry;
  carry = high(x, b1) + u64(low < carry);
  r2 += low;
  carry += u64(r2 < low);
  r3 += x * b2 + carry;

  x = load<u64>(a, 16);
  low = x * b0;
  r2 += low;
  carry = high(x, b0) + u64(r2 < low);
  r3 += x * b1 + carry;
  r3 += load<u64>(a, 24) * b0;
  set(to, r0, r1, r2, r3);
}

/** Stores the 512 bits of a product as the numerator of a division. */
export function multiplyFully(a: usize, b: usize): void {
  for (let at: usize = 0; at < 64; at += 8) store<u64>(NUMERATOR + at, 0);
  for (let at: usize = 0; at < 32; at += 8) {
    const x = load<u64>(a + at);
    if (x != 0) addRow(x, b, NUMERATOR + at);
  }
}

/** Adds a limb times a word to the numerator at a place whose fifth limb is still zero. */
function addRow(x: u64, b: usize, to: usize): void {
  let y = load<u64>(b), low = x * y, sum = load<u64>(to) + low;
  let carry = high(x, y) + u64(sum < low);
  store<u64>(to, sum);

  y = load<u64>(b, 8);
  low = x * y + carry;
  carry = high(x, y) + u64(low < carry);
  sum = load<u64>(to, 8) + low;
  carry += u64(sum < low);
  store<u64>(to, sum, 8);

  y = load<u64>(b, 16);
  low = x * y + carry;
  carry = high(x, y) + u64(low < carry);
  sum = load<u64>(to, 16) + low;
  carry += u64(sum < low);
  store<u64>(to, sum, 16);

  y = load<u64>(b, 24);
  low = x * y + carry;
  carry = high(x, y) + u64(low < carry);
  sum = load<u64>(to, 24) + low;
  carry += u64(sum < low);
  store<u64>(to, sum, 24);
  store<u64>(to, carry, 32);
}
