import { pbkdf2Sync } from 'node:crypto';

/** Returns the seed of a mnemonic without a passphrase (BIP-39). */
export function seedOf(mnemonic: string): Uint8Array {
  return pbkdf2Sync(mnemonic.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512');
}
