import { byteAt } from '../../protocol/bytes.ts';

/** Order of the message's words by round (RFC 7693, section 2.7), as places of their lower halves. */
const SIGMA = [
  '0123456789abcdef',
  'ea489fd61c02b753',
  'b8c052fdae367194',
  '7931dcbe265a40f8',
  '905724afe1bc683d',
  '2c6a0b834d75fe19',
  'c51fed4a0763928b',
  'db7ec13950f4862a',
  '6fe9b308c2d714a5',
  'a2847615fb9e3cd0',
].map((row) => Uint8Array.from(row, (digit) => 2 * Number.parseInt(digit, 16)));
const FIRST_ROW = new Uint8Array(16);

/** 2^32: what a sum of lower halves carries. */
const CARRY = 0x1_0000_0000;

/** The 16 words of the work vector, or of the message: lower half, upper half. BigInt takes seven times as long. */
export type Halves = Int32Array;

/** Mixes the message into the work vector (RFC 7693, section 3.2), from a round on to the one before another. */
export function mixRounds(work: Halves, message: Halves, first: number, end: number): void {
  for (let round = first; round < end; round++) {
    const order = SIGMA[round % 10] ?? FIRST_ROW;
    mix(work, message, 0, 8, 16, 24, byteAt(order, 0), byteAt(order, 1));
    mix(work, message, 2, 10, 18, 26, byteAt(order, 2), byteAt(order, 3));
    mix(work, message, 4, 12, 20, 28, byteAt(order, 4), byteAt(order, 5));
    mix(work, message, 6, 14, 22, 30, byteAt(order, 6), byteAt(order, 7));
    mix(work, message, 0, 10, 20, 30, byteAt(order, 8), byteAt(order, 9));
    mix(work, message, 2, 12, 22, 24, byteAt(order, 10), byteAt(order, 11));
    mix(work, message, 4, 14, 16, 26, byteAt(order, 12), byteAt(order, 13));
    mix(work, message, 6, 8, 18, 28, byteAt(order, 14), byteAt(order, 15));
  }
}

/** The function G (RFC 7693, section 3.1) on four words of the vector and two of the message. */
function mix(work: Halves, message: Halves, a: number, b: number, c: number, d: number, x: number, y: number): void {
  let [al, ah, bl, bh] = [at(work, a), at(work, a + 1), at(work, b), at(work, b + 1)];
  let [cl, ch, dl, dh] = [at(work, c), at(work, c + 1), at(work, d), at(work, d + 1)];
  const [xl, xh, yl, yh] = [at(message, x), at(message, x + 1), at(message, y), at(message, y + 1)];
  // a += b + x; d = (d ^ a) rotated by 32
  let low = (al >>> 0) + (bl >>> 0) + (xl >>> 0);
  ah = (ah + bh + xh + ((low / CARRY) | 0)) | 0;
  al = low | 0;
  let left = dl ^ al;
  dl = dh ^ ah;
  dh = left;
  // c += d; b = (b ^ c) rotated by 24
  low = (cl >>> 0) + (dl >>> 0);
  ch = (ch + dh + ((low / CARRY) | 0)) | 0;
  cl = low | 0;
  left = bl ^ cl;
  let right = bh ^ ch;
  bl = (left >>> 24) | (right << 8);
  bh = (right >>> 24) | (left << 8);
  // a += b + y; d = (d ^ a) rotated by 16
  low = (al >>> 0) + (bl >>> 0) + (yl >>> 0);
  ah = (ah + bh + yh + ((low / CARRY) | 0)) | 0;
  al = low | 0;
  left = dl ^ al;
  right = dh ^ ah;
  dl = (left >>> 16) | (right << 16);
  dh = (right >>> 16) | (left << 16);
  // c += d; b = (b ^ c) rotated by 63
  low = (cl >>> 0) + (dl >>> 0);
  ch = (ch + dh + ((low / CARRY) | 0)) | 0;
  cl = low | 0;
  left = bl ^ cl;
  right = bh ^ ch;
  work[a] = al;
  work[a + 1] = ah;
  work[b] = (left << 1) | (right >>> 31);
  work[b + 1] = (right << 1) | (left >>> 31);
  work[c] = cl;
  work[c + 1] = ch;
  work[d] = dl;
  work[d + 1] = dh;
}

function at(halves: Halves, index: number): number {
  return halves[index] ?? 0;
}
