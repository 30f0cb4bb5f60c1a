import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure, systemCode } from '../failure.ts';
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

/** How a JSON file is read. */
interface JsonReading {
  /** Most bytes that the file may have. */
  readonly most?: number;
  readonly parse?: (text: string) => unknown;
}

/** Parses a regular JSON file. @throws Failure `json-file` naming the path */
export function readJson(path: string, { most, parse = JSON.parse }: JsonReading = {}): unknown {
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
