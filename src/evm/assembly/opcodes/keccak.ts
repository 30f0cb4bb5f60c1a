import { FRAME_MEMORY } from '../layout';
import { keccak } from '../keccak';

/** KECCAK256. */
export function keccak256(sp: usize): void {
  const size = <usize>load<u64>(sp - 64);
  const at: usize = size == 0 ? 0 : load<usize>(FRAME_MEMORY) + <usize>load<u64>(sp - 32);
  keccak(at, size, sp - 64);
}
