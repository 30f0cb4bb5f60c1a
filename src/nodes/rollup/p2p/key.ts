import { randomBytes } from 'node:crypto';
import { Failure } from '../../../system/failure.ts';
import { writeAtomic } from '../../../system/files/atomic-write.ts';
import { readText } from '../../../system/files/folder.ts';

/**
 * Reads the 32-byte key of a hex file (`0x` optional), or creates the file with mode 0600.
 * Counterpart in op-node: `loadNetworkPrivKey`. @throws Failure `p2p-key` on other content
 */
export function readOrCreateKey(path: string): Uint8Array {
  const text = readText(path)?.trim();
  if (text === undefined || text === '') {
    const key = Uint8Array.from(randomBytes(32));
    writeAtomic(path, Buffer.from(key).toString('hex'), 0o600);
    return key;
  }
  if (!/^(0x)?[0-9a-fA-F]{64}$/.test(text))
    throw new Failure(
      'p2p-key',
      `${path} is not a private key: expected 64 hex digits, found ${text.length} characters`,
      {
        data: { path },
      },
    );
  return keyOf(text);
}

/** Decodes a hex key, `0x` optional (op-node: `parsePriv`). */
export function keyOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replace(/^0x/, ''), 'hex'));
}
