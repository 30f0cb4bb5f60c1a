import { FRAME_CODE, FRAME_CODE_SIZE, FRAME_JUMPS, FRAME_MEMORY, FRAME_OUTPUT, FRAME_OUTPUT_SIZE } from '../layout';
import { INVALID_OPCODE, RETURNED, REVERTED, STOPPED } from '../outcome';
import { isLarge, isZero, setSmall } from '../word/word';

/** Returns the address of a jump's destination; 0: it is not one. */
@inline
function destination(word: usize): usize {
  const at = load<u64>(word);
  if (isLarge(word) || at >= <u64>load<u32>(FRAME_CODE_SIZE)) return 0;
  if (((load<u8>(load<usize>(FRAME_JUMPS) + <usize>(at >> 3)) >> <u8>(at & 7)) & 1) == 0) return 0;
  return load<usize>(FRAME_CODE) + <usize>at;
}

/** JUMP: returns the next program counter; 0: an invalid jump. */
@inline
export function jump(pc: usize, sp: usize): usize {
  return destination(sp - 32);
}

/** JUMPI: returns the next program counter; 0: an invalid jump. */
@inline
export function jumpi(pc: usize, sp: usize): usize {
  return isZero(sp - 64) ? pc : destination(sp - 32);
}

@inline
export function jumpdest(sp: usize): void {}

/** PC: the place of this opcode. */
@inline
export function programCounter(pc: usize, sp: usize): void {
  setSmall(sp, pc - 1 - load<usize>(FRAME_CODE));
}

/** GAS: what is left after this opcode. */
@inline
export function gasLeft(sp: usize, gas: i64): void {
  setSmall(sp, <u64>gas);
}

@inline
export function stop(): i32 {
  return STOPPED;
}

/** INVALID (EIP-141). */
@inline
export function invalid(): i32 {
  return INVALID_OPCODE;
}

/** RETURN. */
@inline
export function returnMemory(sp: usize): i32 {
  setOutput(sp);
  return RETURNED;
}

/** REVERT (EIP-140). */
@inline
export function revert(sp: usize): i32 {
  setOutput(sp);
  return REVERTED;
}

function setOutput(sp: usize): void {
  const size = <u32>load<u64>(sp - 64);
  store<u32>(FRAME_OUTPUT_SIZE, size);
  store<usize>(FRAME_OUTPUT, size == 0 ? 0 : load<usize>(FRAME_MEMORY) + <usize>load<u64>(sp - 32));
}
