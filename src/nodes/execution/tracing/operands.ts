import type { FrameType } from '../../../evm/machine/inspector.ts';
import type { Step } from '../../../evm/machine/step.ts';
import { u256be } from '../../../protocol/bytes.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { OP } from './opcodes.ts';

/** Returns the last 20 bytes of a stack word. */
export function addressFrom(word: bigint): Hex {
  return bytesToHex(u256be(word).subarray(12));
}

/** Returns a part of memory, with zeros beyond its end. */
export function memorySlice(memory: Uint8Array, offset: bigint, size: bigint): Uint8Array {
  const slice = new Uint8Array(Number(size));
  if (size > 0n) slice.set(memory.subarray(Number(offset), Number(offset + size)));
  return slice;
}

/** Returns whether a frame creates a contract. */
export function isCreation(type: FrameType): boolean {
  return type === 'CREATE' || type === 'CREATE2';
}

/** Returns a stack word by its distance from the top. */
function word({ stack }: Pick<Step, 'stack'>, depth: number): bigint {
  return stack[stack.length - 1 - depth] ?? 0n;
}

/** Returns the wei that a call instruction sends. */
export function sentBy(step: Step, type: FrameType): bigint {
  if (isCreation(type)) return word(step, 0);
  return type === 'CALL' || type === 'CALLCODE' ? word(step, 2) : 0n;
}

/** Returns the input of a call instruction: calldata or init code. */
export function inputOf(step: Step, type: FrameType): Uint8Array {
  if (isCreation(type)) return memorySlice(step.memory, word(step, 1), word(step, 2));
  const at = type === 'CALL' || type === 'CALLCODE' ? 3 : 2;
  return memorySlice(step.memory, word(step, at), word(step, at + 1));
}

/**
 * Returns the gas that a call instruction forwards of what its own cost leaves, without the stipend (EIP-150;
 * geth: `callGas`).
 */
export function forwardedGas(stack: readonly bigint[], left: bigint, type: FrameType): bigint {
  const most = left - left / 64n;
  if (left < 0n) return 0n;
  const request = stack.at(-1) ?? 0n;
  return isCreation(type) || request > most ? most : request;
}

const CREATIONS: Readonly<Record<number, FrameType>> = { [OP.CREATE]: 'CREATE', [OP.CREATE2]: 'CREATE2' };

/** Returns the gas that an instruction takes from its frame, with the gas that a creation forwards. */
export function chargedCost({ op, stack, gas, cost, ownCost }: Step): bigint {
  const creation = CREATIONS[op];
  return cost + (creation === undefined ? 0n : forwardedGas(stack, gas - ownCost, creation));
}
