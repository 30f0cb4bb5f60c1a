import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure, systemCode } from '../failure.ts';
import { writeAtomic } from '../files/atomic-write.ts';
import { makeFolders, publishExclusive, readText, remove } from '../files/folder.ts';

/** The handling of an empty secret file. */
export type EmptySecretFile = 'refused' | 'filled';

/**
 * Returns the 32-byte JWT secret in a hex file (`0x` and `0X` optional).
 * Creates an absent one with mode 0600. Of several programs that create or fill it at once, all read the same.
 * A file that other users can read is accepted with a warning, as real clients do.
 * @throws Failure `jwt-secret` if the file is malformed, or empty and not to be filled
 */
export function readOrCreateJwtSecret(
  path: string,
  warn: (message: string) => void,
  empty: EmptySecretFile = 'refused',
): Uint8Array {
  const content = textOf(path);
  if (content === undefined) {
    makeFolders(dirname(path));
    publishExclusive(path, newSecret());
  } else if (content === '' && empty === 'filled') fill(path);
  return parseJwtSecret(textOf(path) ?? '', path, warn);
}

/**
 * Fills an empty secret file. Of several programs that do so at once, the first to publish the file beside it chooses
 * the secret, and all write that one. The file beside it changes only after the secret file is filled, so that each
 * looks at the secret file again before it writes.
 */
function fill(path: string): void {
  const candidate = `${path}.chosen`;
  for (;;) {
    publishExclusive(candidate, newSecret());
    const secret = readText(candidate);
    const isFilled = textOf(path) !== '';
    // Another program filled the file and removed this one meanwhile.
    if (!isFilled && secret === undefined) continue;
    if (!isFilled && secret !== undefined) writeAtomic(path, secret, 0o600);
    remove(candidate);
    return;
  }
}

/** Reads the text of a secret file; undefined if there is none. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return undefined;
    throw new Failure('jwt-secret', `cannot read the JWT secret ${path}`, { data: { path }, cause });
  }
}

function parseJwtSecret(text: string, path: string, warn: (message: string) => void): Uint8Array {
  const digits = /^(?:0[xX])?([0-9a-fA-F]{64})$/.exec(text)?.[1];
  if (digits === undefined) {
    const actual = text === '' ? 'an empty file' : `${text.length} characters`;
    throw new Failure(
      'jwt-secret',
      `${path} is not a JWT secret: expected 32 bytes in hex (64 digits), found ${actual}`,
      {
        data: { path },
        ...(text === '' ? { hint: `remove ${path}, and a new secret is written there` } : {}),
      },
    );
  }
  const mode = statSync(path).mode & 0o777;
  if (process.platform !== 'win32' && mode & 0o077)
    warn(`the JWT secret ${path} is readable by others (mode ${mode.toString(8)}): chmod 600 ${path}`);
  return Buffer.from(digits, 'hex');
}

function newSecret(): string {
  return randomBytes(32).toString('hex');
}
