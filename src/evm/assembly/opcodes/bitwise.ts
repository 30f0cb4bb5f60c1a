import { isLarge, isNegative, set, setSmall } from '../word/word';

@inline
export function and(sp: usize): void {
  const a = sp - 32, b = sp - 64;
  const x0 = load<u64>(a) & load<u64>(b), x1 = load<u64>(a, 8) & load<u64>(b, 8);
  set(b, x0, x1, load<u64>(a, 16) & load<u64>(b, 16), load<u64>(a, 24) & load<u64>(b, 24));
}

@inline
export function or(sp: usize): void {
  const a = sp - 32, b = sp - 64;
  const x0 = load<u64>(a) | load<u64>(b), x1 = load<u64>(a, 8) | load<u64>(b, 8);
  set(b, x0, x1, load<u64>(a, 16) | load<u64>(b, 16), load<u64>(a, 24) | load<u64>(b, 24));
}

@inline
export function xor(sp: usize): void {
  const a = sp - 32, b = sp - 64;
  const x0 = load<u64>(a) ^ load<u64>(b), x1 = load<u64>(a, 8) ^ load<u64>(b, 8);
  set(b, x0, x1, load<u64>(a, 16) ^ load<u64>(b, 16), load<u64>(a, 24) ^ load<u64>(b, 24));
}

@inline
export function not(sp: usize): void {
  const a = sp - 32;
  set(a, ~load<u64>(a), ~load<u64>(a, 8), ~load<u64>(a, 16), ~load<u64>(a, 24));
}

/** BYTE: the byte with that index, counted from the highest. */
@inline
export function byte(sp: usize): void {
  const a = sp - 32, b = sp - 64;
  const index = load<u64>(a);
  setSmall(b, isLarge(a) || index > 31 ? 0 : <u64>load<u8>(b + <usize>(31 - index)));
}

/** SHL (EIP-145). */
@inline
export function shl(sp: usize): void {
  shiftLeft(sp - 64, isLarge(sp - 32) ? 256 : load<u64>(sp - 32));
}

/** SHR (EIP-145). */
@inline
export function shr(sp: usize): void {
  shiftRight(sp - 64, isLarge(sp - 32) ? 256 : load<u64>(sp - 32), 0);
}

/** SAR (EIP-145). */
@inline
export function sar(sp: usize): void {
  const sign: u64 = isNegative(sp - 64) ? u64.MAX_VALUE : 0;
  shiftRight(sp - 64, isLarge(sp - 32) ? 256 : load<u64>(sp - 32), sign);
}

function shiftLeft(word: usize, bits: u64): void {
  if (bits > 255) {
    setSmall(word, 0);
    return;
  }
  let x0 = load<u64>(word), x1 = load<u64>(word, 8), x2 = load<u64>(word, 16), x3 = load<u64>(word, 24);
  if (bits & 128) {
    x3 = x1;
    x2 = x0;
    x1 = x0 = 0;
  }
  if (bits & 64) {
    x3 = x2;
    x2 = x1;
    x1 = x0;
    x0 = 0;
  }
  // A shift by 64 bits would be one by 0, so the part of the limb below moves in two steps.
  const left = bits & 63, right = 63 - left;
  x3 = (x3 << left) | (x2 >> 1 >> right);
  x2 = (x2 << left) | (x1 >> 1 >> right);
  x1 = (x1 << left) | (x0 >> 1 >> right);
  set(word, x0 << left, x1, x2, x3);
}

/** Shifts to the right. `fill` has the bits that enter at the top. */
function shiftRight(word: usize, bits: u64, fill: u64): void {
  if (bits > 255) {
    set(word, fill, fill, fill, fill);
    return;
  }
  let x0 = load<u64>(word), x1 = load<u64>(word, 8), x2 = load<u64>(word, 16), x3 = load<u64>(word, 24);
  if (bits & 128) {
    x0 = x2;
    x1 = x3;
    x2 = x3 = fill;
  }
  if (bits & 64) {
    x0 = x1;
    x1 = x2;
    x2 = x3;
    x3 = fill;
  }
  const right = bits & 63, left = 63 - right;
  x0 = (x0 >> right) | (x1 << 1 << left);
  x1 = (x1 >> right) | (x2 << 1 << left);
  x2 = (x2 >> right) | (x3 << 1 << left);
  set(word, x0, x1, x2, (x3 >> right) | (fill << 1 << left));
}
