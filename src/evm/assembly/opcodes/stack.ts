import { copy, set, setSmall } from '../word/word';

@inline
export function pop(sp: usize): void {}

/** PUSH0 (EIP-3855). */
@inline
export function push0(sp: usize): void {
  setSmall(sp, 0);
}

/** PUSH1 to PUSH32: `pc` is behind the opcode. The 32 bytes before a code and behind it are zero. */
@inline
export function push(pc: usize, sp: usize, size: usize): void {
  set(sp, limb(pc, size, 0), limb(pc, size, 8), limb(pc, size, 16), limb(pc, size, 24));
}

/** Returns the limb of a big-endian number of `size` bytes that begins `above` its lowest byte. */
@inline
function limb(pc: usize, size: usize, above: usize): u64 {
  if (size <= above) return 0;
  const bytes = bswap<u64>(load<u64>(pc + size - above - 8));
  return size - above >= 8 ? bytes : bytes & ((<u64>1 << ((size - above) << 3)) - 1);
}

/** DUP1 to DUP16. */
@inline
export function dup(sp: usize, depth: usize): void {
  copy(sp, sp - 32 * depth);
}

/** SWAP1 to SWAP16. */
@inline
export function swap(sp: usize, depth: usize): void {
  const a = sp - 32, b = a - 32 * depth;
  const x0 = load<u64>(a), x1 = load<u64>(a, 8), x2 = load<u64>(a, 16), x3 = load<u64>(a, 24);
  copy(a, b);
  set(b, x0, x1, x2, x3);
}
