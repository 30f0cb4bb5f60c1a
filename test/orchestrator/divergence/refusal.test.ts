import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refusalOf } from '../../../src/orchestrator/divergence/refusal.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-refusal-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BLOCK = { number: 26, hash: `0xAB12cd34${'0'.repeat(56)}` };
function log(text: string, name = 'el.log'): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

it.each([
  ['INVALID payload ab12cd34…', true],
  ['Bad block AB12CD34', true],
  ['rejected 0xab12cd3499', true],
  ['refused block 26', true],
  ['could not import number=26', true],
  ['could not insert height: 26', true],
  ['failed to import {"number":"0x1a"}', true],
  ['failed to insert block #26', true],
  ["failed to process block='26'", true],
  ['invalid number = 0x1A', true],
  ['imported ab12cd34', false],
  ['invalid block 260', false],
  ['invalid block 126', false],
  ['invalid block 0x1ab', false],
  ['invalid blocks 26', false],
  ['invalid ab12cd3', false],
  ['invalid seqnumber 26', false],
  ['could not find block 26', false],
  ['failed to fetch block 26', false],
])('the line %j speaks of a refusal of block 26: %s', (line, isRefusal) => {
  expect(refusalOf([log(`started\n${line}\nend\n`)], BLOCK)).toBe(isRefusal ? line : undefined);
});

it('a refusal is the newest line of the first log that has one, without what a terminal cannot print', () => {
  const silent = log('nothing\n', 'a.log');
  const first = log('invalid block 26 (one)\n  invalid block 26 (two)\u001b[0m  \n', 'b.log');
  const second = log('invalid block 26 (three)\n', 'c.log');
  const words = refusalOf([silent, first, second], BLOCK);
  expect(words).toMatch(/^invalid block 26 \(two\)/);
  expect(words).not.toContain('\u001b');
  expect(refusalOf([], BLOCK)).toBeUndefined();
});

it('a refusal is looked for in the last bytes of a log', () => {
  const path = log(`invalid block 26\n${'x'.repeat(100)}\n`);
  expect(refusalOf([path], BLOCK, 200)).toBe('invalid block 26');
  expect(refusalOf([path], BLOCK, 101)).toBeUndefined();
  const long = log(`invalid block 26\n${'x'.repeat(4 * 1024 * 1024)}\n`);
  expect(refusalOf([long], BLOCK)).toBeUndefined();
});
