import { FRAME_MEMORY, FRAME_MEMORY_SIZE } from '../layout';
import { loadBytes, setSmall, storeBytes } from '../word/word';

/** Returns the address of a byte of the frame's memory. */
@inline
function at(offset: usize): usize {
  return load<u32>(FRAME_MEMORY) + <usize>load<u64>(offset);
}

@inline
export function mload(sp: usize): void {
  loadBytes(sp - 32, at(sp - 32));
}

@inline
export function mstore(sp: usize): void {
  storeBytes(at(sp - 32), sp - 64);
}

@inline
export function mstore8(sp: usize): void {
  store<u8>(at(sp - 32), load<u8>(sp - 64));
}

@inline
export function msize(sp: usize): void {
  setSmall(sp, load<u64>(FRAME_MEMORY_SIZE));
}

/** MCOPY (EIP-5656). Source and destination may overlap. */
@inline
export function mcopy(sp: usize): void {
  const size = <usize>load<u64>(sp - 96);
  if (size != 0) memory.copy(at(sp - 32), at(sp - 64), size);
}

/** Gas of a copy by each word. The size is the third word of the stack. */
@inline
export function copyGas(sp: usize): i64 {
  return <i64>(3 * ((load<u64>(sp - 96) + 31) >> 5));
}
