import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readAgreed, writeAgreed } from '../../../../src/orchestrator/divergence/check/agreed-file.ts';
import { pathsOf } from '../../../../src/orchestrator/state/paths.ts';

const HASH = `0x${'ab'.repeat(32)}`;

it('agreed.json holds the blocks of the last check', () => {
  const home = mkdtempSync(join(tmpdir(), 'agreed-'));
  const paths = { ...pathsOf(home, 'net'), folder: home };
  expect(readAgreed(paths)).toEqual({});
  writeAgreed(paths, { main: { number: 7, hash: HASH } });
  expect(readAgreed(paths)).toEqual({ main: { number: 7, hash: HASH } });
});

it.each([
  'null',
  '[]',
  '{"main":null}',
  '{"main":7}',
  `{"main":{"number":1e300,"hash":"${HASH}"}}`,
  `{"main":{"number":-1,"hash":"${HASH}"}}`,
  '{"main":{"number":7,"hash":"latest"}}',
  `{"main":{"number":7,"hash":"${HASH}00"}}`,
  `{"main":{"number":7,"hash":"0x${HASH}"}}`,
  '{"main":',
])('agreed.json that holds %s counts as empty, so that all blocks are compared', (text) => {
  const home = mkdtempSync(join(tmpdir(), 'agreed-'));
  writeFileSync(join(home, 'agreed.json'), text);
  expect(readAgreed({ ...pathsOf(home, 'net'), folder: home })).toEqual({});
});
