import { toNumber, withoutLeadingZeros } from '../../protocol/bytes.ts';
import { type Resumable, runToCompletion } from '../../protocol/resumable.ts';

/** Bits of the exponent for which one table entry is multiplied. */
const WINDOW_BITS = 4;
const ENTRIES = 1 << WINDOW_BITS;

/** Bytes of an exponent up to which the table costs more than it saves. */
const SHORT = 4;

/** Work of a step: words of the modulus squared, times bytes of the exponent. It takes about as long as a slice. */
const STEP_WORK = 65_536;

/** Computes base ^ exponent mod modulus, for a modulus above 0. */
export function modularPower(base: bigint, exponent: Uint8Array, modulus: bigint): bigint {
  return runToCompletion(modularPowerSteps(base, exponent, modulus, exponent.length));
}

/** Returns the bytes of an exponent for a step with a modulus of a length. */
export function bytesOfStep(modulusBytes: number): number {
  const words = Math.ceil(modulusBytes / 8);
  return Math.max(1, Math.floor(STEP_WORK / (words * words)));
}

/**
 * Computes base ^ exponent mod modulus, in steps of so many bytes of the exponent.
 * The exponent stays bytes, big-endian: shifts of a number of a megabyte would take a time that is quadratic in it.
 */
export function* modularPowerSteps(
  base: bigint,
  exponent: Uint8Array,
  modulus: bigint,
  stepBytes: number,
): Resumable<bigint> {
  const digits = withoutLeadingZeros(exponent);
  const reduced = base % modulus;
  if (digits.length <= SHORT) return shortPower(reduced, toNumber(digits), modulus);
  const powers = powersOf(reduced, modulus);
  let result = 1n % modulus;
  for (const [at, byte] of digits.entries()) {
    result = step(step(result, byte >> WINDOW_BITS, powers, modulus), byte & (ENTRIES - 1), powers, modulus);
    if ((at + 1) % stepBytes === 0) yield;
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

/** Computes a power without a table. */
function shortPower(base: bigint, exponent: number, modulus: bigint): bigint {
  let result = 1n % modulus;
  if (exponent === 0) return result;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus;
    if (bit === '1') result = (result * base) % modulus;
  }
  return result;
}
