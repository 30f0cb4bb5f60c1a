import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { KINDS } from './kinds.ts';

/** A folder. Samples are found in it by file names. */
const folder = process.env['VECTORS'] ?? '';
const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort() : [];

for (const kind of KINDS) {
  const cases = files
    .filter((file) => kind.files.test(file) && !file.includes('node_modules'))
    .flatMap((file) => {
      const bytes = readFileSync(join(folder, file));
      return kind.cases(file, bytes.toString('utf8'), bytes);
    });
  describe.skipIf(cases.length === 0)(`${kind.name}: ${cases.length} cases`, () => {
    test.each(cases)('$name', ({ check }) => check());
  });
}
