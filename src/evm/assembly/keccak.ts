import { permute } from './generated/permutation';
import { LANES } from './layout';

/** Bytes that each permutation absorbs (keccak-256). */
const RATE: usize = 136;

/** Stores the keccak-256 hash of bytes as a word. */
export function keccak(bytes: usize, size: usize, to: usize): void {
  memory.fill(LANES, 0, 200);
  for (; size >= RATE; size -= RATE) {
    absorb(bytes, RATE);
    permute();
    bytes += RATE;
  }
  const whole = size & ~7;
  absorb(bytes, whole);
  for (let at = whole; at < size; at++) store<u8>(LANES + at, load<u8>(LANES + at) ^ load<u8>(bytes + at));
  // Padding of keccak: one bit behind the data, and the last bit of the block.
  store<u8>(LANES + size, load<u8>(LANES + size) ^ 1);
  store<u8>(LANES, load<u8>(LANES, RATE - 1) ^ 0x80, RATE - 1);
  permute();
  for (let at: usize = 0; at < 32; at += 8) store<u64>(to + 24 - at, bswap<u64>(load<u64>(LANES + at)));
}

/** Adds whole lanes to the state. */
function absorb(bytes: usize, size: usize): void {
  for (let at: usize = 0; at < size; at += 8)
    store<u64>(LANES + at, load<u64>(LANES + at) ^ load<u64>(bytes + at));
}
