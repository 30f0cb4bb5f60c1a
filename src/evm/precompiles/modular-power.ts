import { byteAt } from '../../protocol/bytes.ts';

/** Bits of the exponent for which one table entry is multiplied. */
const WINDOW_BITS = 4;
const ENTRIES = 1 << WINDOW_BITS;

/**
 * Computes base ^ exponent mod modulus, for a modulus above 0.
 * The exponent stays bytes, big-endian: shifts of a number of a megabyte would take a time that is quadratic in it.
 */
export function modularPower(base: bigint, exponent: Uint8Array, modulus: bigint): bigint {
  let first = 0;
  while (first < exponent.length && exponent[first] === 0) first += 1;
  if (first === exponent.length) return 1n % modulus;
  const reduced = base % modulus;
  if (first === exponent.length - 1) return smallPower(reduced, byteAt(exponent, first), modulus);
  const powers = powersOf(reduced, modulus);
  let result = 1n % modulus;
  for (let at = first; at < exponent.length; at++) {
    const byte = byteAt(exponent, at);
    result = step(step(result, byte >> WINDOW_BITS, powers, modulus), byte & (ENTRIES - 1), powers, modulus);
  }
  return result;
}

function step(value: bigint, digit: number, powers: readonly bigint[], modulus: bigint): bigint {
  let result = value;
  for (let bit = 0; bit < WINDOW_BITS; bit++) result = (result * result) % modulus;
  return digit === 0 ? result : (result * (powers[digit] ?? 0n)) % modulus;
}

/** Returns the powers 0 to 15. */
function powersOf(base: bigint, modulus: bigint): bigint[] {
  const powers = [1n % modulus];
  for (let power = 1; power < ENTRIES; power++) powers.push(((powers[power - 1] ?? 0n) * base) % modulus);
  return powers;
}

/** Computes a power without a table, for an exponent of one byte. */
function smallPower(base: bigint, exponent: number, modulus: bigint): bigint {
  let result = 1n % modulus;
  for (let bit = 7; bit >= 0; bit--) {
    result = (result * result) % modulus;
    if ((exponent >> bit) & 1) result = (result * base) % modulus;
  }
  return result;
}
