import { FRAME_MEMORY, FRAME_MEMORY_SIZE } from '../layout';
import { loadBytes, setSmall, storeBytes } from '../word/word';

/** Returns the address of a byte of the frame's memory. */
@inline
function at(offset: usize): usize {
  return load<usize>(FRAME_MEMORY) + <usize>load<u64>(offset);
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
