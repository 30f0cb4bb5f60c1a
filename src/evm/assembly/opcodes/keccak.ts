import { FRAME_MEMORY } from '../layout';
import { keccak } from '../keccak';

/** KECCAK256. */
export function keccak256(sp: usize): void {
  const size = <usize>load<u64>(sp - 64);
  const at = size == 0 ? 0 : load<u32>(FRAME_MEMORY) + <usize>load<u64>(sp - 32);
  keccak(at, size, sp - 64);
}

/** Gas of KECCAK256 above its base: by each word. */
@inline
export function keccak256Gas(sp: usize): i64 {
  return <i64>(6 * ((load<u64>(sp - 64) + 31) >> 5));
}
