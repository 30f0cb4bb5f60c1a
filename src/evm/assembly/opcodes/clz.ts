import { setSmall } from '../word/word';

/** CLZ (EIP-7939): the number of leading zero bits, 256 of zero. */
export function countLeadingZeros(sp: usize): void {
  const a = sp - 32;
  for (let at: i32 = 24; at >= 0; at -= 8) {
    const limb = load<u64>(a + at);
    if (limb != 0) {
      setSmall(a, <u64>(192 - (at << 3)) + clz<u64>(limb));
      return;
    }
  }
  setSmall(a, 256);
}
