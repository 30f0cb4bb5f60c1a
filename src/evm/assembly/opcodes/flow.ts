import { FRAME_CODE, FRAME_CODE_SIZE, FRAME_JUMPS } from '../layout';
import { INVALID_OPCODE, STOPPED } from '../outcome';
import { isLarge, isZero, setSmall } from '../word/word';

/** Returns the address of a jump's destination; 0: it is not one. */
@inline
function destination(word: usize): usize {
  const at = load<u64>(word);
  if (isLarge(word) || at >= <u64>load<u32>(FRAME_CODE_SIZE)) return 0;
  if (((load<u8>(load<u32>(FRAME_JUMPS) + <usize>(at >> 3)) >> <u8>(at & 7)) & 1) == 0) return 0;
  return load<u32>(FRAME_CODE) + <usize>at;
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
  setSmall(sp, pc - 1 - load<u32>(FRAME_CODE));
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
