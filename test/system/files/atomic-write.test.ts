import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeAtomic } from '../../../src/system/files/atomic-write.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'files-'));

it('an atomic write replaces a file whole and leaves nothing beside it, also when it fails', () => {
  const where = folder();
  writeAtomic(join(where, 'a'), 'one');
  writeAtomic(join(where, 'a'), 'two');
  expect(readFileSync(join(where, 'a'), 'utf8')).toBe('two');
  expect(() => writeAtomic(join(where, 'a', 'b'), 'x')).toThrow();
  expect(readdirSync(where)).toEqual(['a']);
});
