import { copyReturnData } from '../host';
import {
  FRAME_CALLDATA,
  FRAME_CALLDATA_SIZE,
  FRAME_CODE,
  FRAME_CODE_SIZE,
  FRAME_MEMORY,
  FRAME_RETURNDATA_SIZE,
} from '../layout';
import { OUT_OF_BOUNDS, STOPPED } from '../outcome';
import { isLarge } from '../word/word';

/** Copies to memory what a range of bytes has from an offset on, filled up with zeros. */
function copyFrom(sp: usize, data: usize, end: u64): void {
  const size = <usize>load<u64>(sp - 96);
  if (size == 0) return;
  const to = load<usize>(FRAME_MEMORY) + <usize>load<u64>(sp - 32);
  const from = isLarge(sp - 64) ? end : min<u64>(load<u64>(sp - 64), end);
  const there = <usize>min<u64>(end - from, size);
  memory.copy(to, data + <usize>from, there);
  memory.fill(to + there, 0, size - there);
}

export function callDataCopy(sp: usize): void {
  copyFrom(sp, load<usize>(FRAME_CALLDATA), load<u32>(FRAME_CALLDATA_SIZE));
}

export function codeCopy(sp: usize): void {
  copyFrom(sp, load<usize>(FRAME_CODE), load<u32>(FRAME_CODE_SIZE));
}

/** RETURNDATACOPY (EIP-211): a range behind the end is an exceptional halt, also one without bytes. */
export function returnDataCopy(sp: usize): i32 {
  const from = load<u64>(sp - 64), size = load<u64>(sp - 96), end = <u64>load<u32>(FRAME_RETURNDATA_SIZE);
  if (isLarge(sp - 64) || from > end || size > end - from) return OUT_OF_BOUNDS;
  if (size != 0) copyReturnData(load<usize>(FRAME_MEMORY) + <usize>load<u64>(sp - 32), <u32>from, <u32>size);
  return STOPPED;
}

/** MCOPY (EIP-5656). Source and destination may overlap. */
export function memoryCopy(sp: usize): void {
  const size = <usize>load<u64>(sp - 96);
  if (size == 0) return;
  const start: usize = load<usize>(FRAME_MEMORY);
  memory.copy(start + <usize>load<u64>(sp - 32), start + <usize>load<u64>(sp - 64), size);
}
