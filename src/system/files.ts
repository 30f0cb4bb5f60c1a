import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Failure, systemCode } from './failure.ts';
import { unreadable } from './folder.ts';

/** Replaces a file in one step. A reader sees the old or the new text, and a full disk leaves the old one. */
export function writeAtomic(path: string, text: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const fd = openSync(temporary, 'wx', mode);
    try {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw new Failure('write', `cannot write ${path}`, { data: { path }, cause });
  }
}

/**
 * Returns the 32-byte JWT secret in a hex file (`0x` optional).
 * Creates it with mode 0600 where it is absent or empty. A file that other users can read is accepted with a warning,
 * as
 * real clients do.
 * @throws Failure `jwt-secret` where the file is malformed
 */
export function readOrCreateJwtSecret(path: string, warn: (message: string) => void): Uint8Array {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (cause) {
    if (systemCode(cause) !== 'ENOENT')
      throw new Failure('jwt-secret', `cannot read the JWT secret ${path}`, { data: { path }, cause });
    text = '';
  }
  if (text === '') {
    const secret = randomBytes(32);
    writeAtomic(path, secret.toString('hex'), 0o600);
    return secret;
  }
  if (!/^(0x)?[0-9a-fA-F]{64}$/.test(text))
    throw new Failure(
      'jwt-secret',
      `${path} is no JWT secret: expected 32 bytes in hex (64 digits), found ${text.length} characters`,
      { data: { path } },
    );
  const mode = statSync(path).mode & 0o777;
  if (process.platform !== 'win32' && mode & 0o077)
    warn(`the JWT secret ${path} is readable by others (mode ${mode.toString(8)}): chmod 600 ${path}`);
  return Buffer.from(text.replace(/^0x/, ''), 'hex');
}

/** Parses a regular JSON file of at most `most` bytes. @throws Failure `json-file` naming the path */
export function readJson(path: string, most?: number, parse: (text: string) => unknown = JSON.parse): unknown {
  const problem = unreadable(path, most);
  if (problem !== undefined)
    throw new Failure('json-file', `cannot read ${path} as JSON: ${problem}`, { data: { path } });
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT')
      throw new Failure('json-file', `cannot read ${path} as JSON: there is no such file`, { data: { path } });
    throw new Failure('json-file', `cannot read ${path} as JSON`, { data: { path }, cause });
  }
}
