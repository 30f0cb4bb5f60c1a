import { byteAt } from '../../protocol/bytes.ts';
import type { Resumable } from '../../protocol/resumable.ts';
import { mixRounds } from './blake2-rounds.ts';
import { PrecompileFailure } from './shared/failure.ts';

const INPUT_BYTES = 213;
const STATE_AT = 4;
const MESSAGE_AT = 68;
const OFFSET_AT = 196;
const FLAG_AT = 212;
/** Rounds of a step, which takes about as long as a slice of the loop. */
const STEP_ROUNDS = 20_000;

/** Initialization vector of BLAKE2b (RFC 7693, section 2.6): lower half, upper half. */
// biome-ignore format: a word of the specification is a pair
const INITIAL = [
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
  0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
];

/** Gas of BLAKE2F: 1 a round. An input of another length fails at any gas. */
export function blake2fGas(input: Uint8Array): bigint {
  return input.length === INPUT_BYTES ? BigInt(viewOf(input).getUint32(0)) : 0n;
}

/** BLAKE2F (EIP-152): the function F of BLAKE2b. The input: rounds, state, message, offset, flag of the last block. */
export function blake2f(input: Uint8Array): Uint8Array | Resumable<Uint8Array> {
  if (input.length !== INPUT_BYTES) throw new PrecompileFailure('invalid input length');
  const flag = byteAt(input, FLAG_AT);
  if (flag > 1) throw new PrecompileFailure('invalid final flag');
  const view = viewOf(input);
  const state = halvesOf(view, STATE_AT, 16);
  const work = new Int32Array(32);
  work.set(state);
  work.set(INITIAL, 16);
  const offset = halvesOf(view, OFFSET_AT, 4);
  for (let index = 0; index < 4; index++) invert(work, 24 + index, offset[index] ?? 0);
  if (flag === 1) for (const index of [28, 29]) invert(work, index, -1);
  const message = halvesOf(view, MESSAGE_AT, 32);
  const rounds = view.getUint32(0);
  if (rounds > STEP_ROUNDS) return inSteps(state, work, message, rounds);
  mixRounds(work, message, 0, rounds);
  return outputOf(state, work);
}

function* inSteps(state: Int32Array, work: Int32Array, message: Int32Array, rounds: number): Resumable<Uint8Array> {
  for (let round = 0; round < rounds; round += STEP_ROUNDS) {
    mixRounds(work, message, round, Math.min(round + STEP_ROUNDS, rounds));
    yield;
  }
  return outputOf(state, work);
}

function outputOf(state: Int32Array, work: Int32Array): Uint8Array {
  const output = new DataView(new ArrayBuffer(64));
  for (let index = 0; index < 16; index++)
    output.setInt32(4 * index, (state[index] ?? 0) ^ (work[index] ?? 0) ^ (work[index + 16] ?? 0), true);
  return new Uint8Array(output.buffer);
}

function halvesOf(view: DataView, from: number, count: number): Int32Array {
  const halves = new Int32Array(count);
  for (let index = 0; index < count; index++) halves[index] = view.getInt32(from + 4 * index, true);
  return halves;
}

/** Inverts the bits of a half that a mask has. */
function invert(halves: Int32Array, index: number, mask: number): void {
  halves[index] = (halves[index] ?? 0) ^ mask;
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}
