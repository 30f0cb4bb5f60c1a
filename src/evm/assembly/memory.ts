import { FRAME_MEMORY, FRAME_MEMORY_SIZE } from './layout';
import { isLarge } from './word/word';

/** More bytes than any gas pays for or an instance holds. */
const TOO_MUCH: u64 = 1 << 32;

/** Returns the end of the bytes that an opcode touches from an offset, which is a word. */
@inline
export function endOfBytes(offset: usize, size: u64): u64 {
  const at = load<u64>(offset);
  return isLarge(offset) || at >= TOO_MUCH ? u64.MAX_VALUE : at + size;
}

/** Returns the end of the bytes that an opcode touches by offset and size, both words. No bytes touch nothing. */
@inline
export function endOfRange(offset: usize, size: usize): u64 {
  if (isLarge(size)) return u64.MAX_VALUE;
  const bytes = load<u64>(size);
  if (bytes == 0) return 0;
  const at = load<u64>(offset);
  return bytes >= TOO_MUCH || isLarge(offset) || at >= TOO_MUCH ? u64.MAX_VALUE : at + bytes;
}

/** Gas of a memory of so many words (yellow paper, C_mem). */
function gasOfWords(words: u64): i64 {
  return <i64>(3 * words + words * words / 512);
}

/** Returns the gas for memory up to an end beyond its size. It is above any limit if the instance cannot hold it. */
export function expansionGas(end: u64): i64 {
  if (end > TOO_MUCH) return i64.MAX_VALUE;
  return gasOfWords((end + 31) >> 5) - gasOfWords(load<u64>(FRAME_MEMORY_SIZE) >> 5);
}

/** Expands the frame's memory to whole words. Returns false if the instance cannot hold it. */
export function expand(end: u64): bool {
  const old = <usize>load<u64>(FRAME_MEMORY_SIZE);
  const size = (end + 31) & ~31;
  const last = <u64>load<usize>(FRAME_MEMORY) + size;
  const pages = <i64>((last + 0xffff) >> 16) - <i64>memory.size();
  if (pages > 0 && memory.grow(<i32>pages) < 0) return false;
  memory.fill(load<usize>(FRAME_MEMORY) + old, 0, <usize>size - old);
  store<u64>(FRAME_MEMORY_SIZE, size);
  return true;
}
