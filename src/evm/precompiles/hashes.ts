import { hash } from 'node:crypto';
import { ripemd160 as nobleRipemd160 } from '@noble/hashes/legacy.js';

/** SHA256 (yellow paper, appendix E.1). */
export function sha256(input: Uint8Array): Uint8Array {
  return hash('sha256', input, 'buffer');
}

/** RIPEMD160 (yellow paper, appendix E.1): 20 bytes as a word. OpenSSL may lack it. */
export function ripemd160(input: Uint8Array): Uint8Array {
  const word = new Uint8Array(32);
  word.set(nobleRipemd160(input), 12);
  return word;
}

/** ID (yellow paper, appendix E.1): the input. */
export function identity(input: Uint8Array): Uint8Array {
  return input;
}
