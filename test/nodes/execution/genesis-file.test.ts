import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGenesisFile } from '../../../src/nodes/execution/chain/genesis-file.ts';

const PIECE = 256 * 1024;
const HEAD = '{"config":{"chainId":7},"difficulty":"0x0",';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'genesis-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(text: string): string {
  const path = join(folder, 'genesis.json');
  writeFileSync(path, text);
  return path;
}

test.each([0, 1, PIECE - 7, PIECE - 6, PIECE - 4, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE - 3])(
  'the alloc that begins at byte %i after the head, wherever a read ends, is found and hashed as it stands',
  (at) => {
    const padded = HEAD + ' '.repeat(Math.max(0, at - HEAD.length));
    const alloc = `"alloc":{"${'ab'.repeat(20)}":{"balance":"0x1"}${' '.repeat(PIECE)}}}`;
    const genesis = readGenesisFile(write(padded + alloc));
    expect(genesis.definition.chainId).toBe(7);
    expect(genesis.allocKey).toBe(createHash('sha256').update(alloc).digest('hex'));
    expect(genesis.alloc()).toEqual({ ['ab'.repeat(20)]: { balance: '0x1' } });
  },
);

test('an alloc that is not the one that was hashed is refused', () => {
  const genesis = readGenesisFile(write(`${HEAD}"alloc":{}}`));
  write(`${HEAD}"alloc":{"00":{}}}`);
  expect(() => genesis.alloc()).toThrow(/was changed while it was read/);
});

test.each([
  ['no alloc', '{"config":{"chainId":7}}', /has no "alloc"/],
  ['nothing', '', /has no "alloc"/],
  ['an alloc that is no JSON', `${HEAD}"alloc":{`, undefined],
])('a file with %s is refused with its path', (_, text, message) => {
  const path = write(text);
  const read = () => readGenesisFile(path).alloc();
  expect(read).toThrow(message ?? /is no JSON/);
  expect(read).toThrow(path);
});

test('a folder cannot be read as a genesis file', () => {
  expect(() => readGenesisFile(folder)).toThrow(/cannot read the genesis file/);
});
