import { readFileSync, statSync } from 'node:fs';
import { EXIT, Failure } from '../failure.ts';

/**
 * Returns the 32-byte private key in a hex file (`0x` optional).
 * Keys come from files, because every user of the machine sees arguments.
 * @throws Failure `private-key` (exit 2) if the file is absent, malformed or readable by others
 */
export function readPrivateKey(path: string): Uint8Array {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw refused(path, 'cannot be read', undefined, cause);
  }
  if (!/^(0x)?[0-9a-fA-F]{64}$/.test(text))
    throw refused(path, `holds no private key: expected 32 bytes in hex (64 digits), found ${text.length} characters`);
  const mode = statSync(path).mode & 0o777;
  if (process.platform !== 'win32' && mode & 0o077)
    throw refused(path, `is readable by others (mode ${mode.toString(8)})`, `chmod 600 ${path}`);
  return Buffer.from(text.replace(/^0x/, ''), 'hex');
}

function refused(path: string, problem: string, hint?: string, cause?: unknown): Failure {
  return new Failure('private-key', `the private key file ${path} ${problem}`, {
    exit: EXIT.usage,
    data: { path },
    ...(hint === undefined ? {} : { hint }),
    ...(cause === undefined ? {} : { cause }),
  });
}
