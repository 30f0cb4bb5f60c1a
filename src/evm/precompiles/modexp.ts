import type { Resumable } from '../../protocol/resumable.ts';
import { bytesOfStep, modularPower, modularPowerSteps } from './modular-power.ts';
import { PrecompileFailure } from './shared/failure.ts';
import { inputBytes, inputWord } from './shared/input.ts';
import { bytesOf, numberOf } from './shared/numbers.ts';

/** Bytes of the three lengths before base, exponent and modulus. */
const HEAD = 96;
/** Longest base, exponent and modulus in bytes (EIP-7823). */
const MAX_BYTES = 1024n;

/** Gas of MODEXP by EIP-2565: words squared times iterations, divided by 3. */
export function modexpGas2565(input: Uint8Array): bigint {
  const words = (longest(input) + 7n) / 8n;
  return atLeast(200n, (words * words * iterations(input, 8n)) / 3n);
}

/** Gas of MODEXP by EIP-7883: twice the words squared above 32 bytes, longer exponents, not divided. */
export function modexpGas7883(input: Uint8Array): bigint {
  const length = longest(input);
  const words = (length + 7n) / 8n;
  return atLeast(500n, (length <= 32n ? 16n : 2n * words * words) * iterations(input, 16n));
}

/** MODEXP with the bounds of EIP-7823. */
export function boundedModexp(input: Uint8Array): Uint8Array | Resumable<Uint8Array> {
  if ([0, 32, 64].some((at) => inputWord(input, at) > MAX_BYTES))
    throw new PrecompileFailure('one or more of base/exponent/modulus length exceeded 1024 bytes');
  return modexp(input);
}

/** MODEXP (EIP-198): base ^ exponent mod modulus, as long as the modulus. The input: three lengths, then the three. */
export function modexp(input: Uint8Array): Uint8Array | Resumable<Uint8Array> {
  const modulusBytes = Number(inputWord(input, 64));
  if (modulusBytes === 0) return new Uint8Array();
  const baseBytes = Number(inputWord(input, 0));
  const exponentAt = HEAD + baseBytes;
  const modulusAt = exponentAt + Number(inputWord(input, 32));
  // A modulus beyond the input is 0. So base and exponent stand in the input: gas bounds the output alone.
  const modulus = modulusAt < input.length ? numberOf(inputBytes(input, modulusAt, modulusBytes)) : 0n;
  if (modulus === 0n) return new Uint8Array(modulusBytes);
  const base = numberOf(input.subarray(HEAD, exponentAt));
  const exponent = input.subarray(exponentAt, modulusAt);
  return exponent.length > bytesOfStep(modulusBytes)
    ? inSteps(base, exponent, modulus, modulusBytes)
    : bytesOf(modularPower(base, exponent, modulus), modulusBytes);
}

function* inSteps(base: bigint, exponent: Uint8Array, modulus: bigint, bytes: number): Resumable<Uint8Array> {
  return bytesOf(yield* modularPowerSteps(base, exponent, modulus, bytesOfStep(bytes)), bytes);
}

function longest(input: Uint8Array): bigint {
  return atLeast(inputWord(input, 0), inputWord(input, 64));
}

/**
 * Returns the iterations of EIP-2565: bits of the exponent's first 32 bytes, and `perByte` for each byte after them.
 */
function iterations(input: Uint8Array, perByte: bigint): bigint {
  const length = inputWord(input, 32);
  const headBytes = length < 32n ? Number(length) : 32;
  const head = numberOf(inputBytes(input, HEAD + Number(inputWord(input, 0)), headBytes));
  const bits = head === 0n ? 0 : head.toString(2).length - 1;
  const count = (length > 32n ? perByte * (length - 32n) : 0n) + BigInt(bits);
  return atLeast(1n, count);
}

function atLeast(least: bigint, value: bigint): bigint {
  return value < least ? least : value;
}
