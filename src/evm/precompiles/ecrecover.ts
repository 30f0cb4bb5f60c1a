import { keccak256Bytes } from '../../protocol/hash.ts';
import type { PrecompileLibraries } from './precompile.ts';
import { inputBytes, inputWord } from './shared/input.ts';

const NOTHING = new Uint8Array();

/**
 * ECREC (yellow paper, appendix E.1): the address that signed a hash, as a word.
 * Input: hash, v (27 or 28), r, s. A signature of no key has no output.
 */
export function ecrecover(input: Uint8Array, { recoverPublicKey }: PrecompileLibraries): Uint8Array {
  const v = inputWord(input, 32);
  if (v !== 27n && v !== 28n) return NOTHING;
  try {
    const key = recoverPublicKey(inputBytes(input, 64, 64), Number(v) - 27, inputBytes(input, 0, 32));
    const word = new Uint8Array(32);
    word.set(keccak256Bytes(key).subarray(12), 12);
    return word;
  } catch {
    return NOTHING;
  }
}
