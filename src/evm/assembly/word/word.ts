/** Stores the four limbs of a word. */
@inline
export function set(to: usize, limb0: u64, limb1: u64, limb2: u64, limb3: u64): void {
  store<u64>(to, limb0);
  store<u64>(to, limb1, 8);
  store<u64>(to, limb2, 16);
  store<u64>(to, limb3, 24);
}

/** Stores a word of one limb. */
@inline
export function setSmall(to: usize, value: u64): void {
  set(to, value, 0, 0, 0);
}

@inline
export function copy(to: usize, from: usize): void {
  set(to, load<u64>(from), load<u64>(from, 8), load<u64>(from, 16), load<u64>(from, 24));
}

@inline
export function isZero(word: usize): bool {
  return (load<u64>(word) | load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24)) == 0;
}

/** Returns whether a word has more than one limb. */
@inline
export function isLarge(word: usize): bool {
  return (load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24)) != 0;
}

/** Returns whether a word is negative in two's complement. */
@inline
export function isNegative(word: usize): bool {
  return <i64>load<u64>(word, 24) < 0;
}

/** Stores the two's complement of a word. */
export function negate(to: usize, from: usize): void {
  const x0 = load<u64>(from), x1 = load<u64>(from, 8), x2 = load<u64>(from, 16), x3 = load<u64>(from, 24);
  const c1 = u64(x0 == 0), c2 = c1 & u64(x1 == 0), c3 = c2 & u64(x2 == 0);
  set(to, ~x0 + 1, ~x1 + c1, ~x2 + c2, ~x3 + c3);
}

/** Loads 32 big-endian bytes as a word. */
@inline
export function loadBytes(to: usize, bytes: usize): void {
  const x0 = load<u64>(bytes), x1 = load<u64>(bytes, 8), x2 = load<u64>(bytes, 16), x3 = load<u64>(bytes, 24);
  set(to, bswap<u64>(x3), bswap<u64>(x2), bswap<u64>(x1), bswap<u64>(x0));
}

/** Stores a word as 32 big-endian bytes. They have the layout of a word whose bytes are reversed. */
@inline
export function storeBytes(bytes: usize, word: usize): void {
  loadBytes(bytes, word);
}
