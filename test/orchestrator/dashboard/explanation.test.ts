import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { explanations, readExplanation } from '../../../src/orchestrator/dashboard/explanation.ts';

const folder = mkdtempSync(join(tmpdir(), 'devnet-explanation-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const report = join(folder, 'main-60-late.txt');
const control = { same: true, result: '0x' };
const DOCUMENT = {
  ...{ chain: 'main', block: 60, nodes: ['late'], against: 'sequencer', refusals: [] },
  fields: [
    { field: 'gasUsed', minority: '0x1', majority: '0x2' },
    { field: 'requestsHash', majority: '0x3' },
    { field: 'withdrawals', minority: [], majority: null },
  ],
  forkTimes: { control, explaining: [{ text: 'isthmus not active at block 60 (later or never)' }] },
};

function explained(changes: object) {
  writeFileSync(report.replace('.txt', '.json'), JSON.stringify({ ...DOCUMENT, ...changes }));
  return readExplanation(report);
}

it('an explanation has the cause in a few words, and both sides of each field', () => {
  expect(explained({})).toEqual({
    ...{ cause: 'isthmus not active there', against: 'sequencer' },
    fields: [
      { field: 'gasUsed', minority: '0x1', majority: '0x2' },
      { field: 'requestsHash', minority: null, majority: '0x3' },
      { field: 'withdrawals', minority: '[]', majority: null },
    ],
  });
});

it.each<[string, object, string]>([
  ['fork times that were not executed', { forkTimes: { unknown: 'late is down' } }, 'late is down'],
  [
    'a refusal',
    { forkTimes: { unknown: 'late is down' }, refusals: [{ task: 'main/late/el', log: '', words: 'bad root' }] },
    'main/late/el says: bad root',
  ],
  [
    'no other fork times',
    { forkTimes: { control, explaining: [] } },
    'no fork times explain it; gasUsed, requestsHash, withdrawals differ',
  ],
  [
    'a replay that does not give the block of the majority',
    { forkTimes: { ...DOCUMENT.forkTimes, control: { same: false } } },
    'no fork times explain it; gasUsed, requestsHash, withdrawals differ',
  ],
])('an explanation names %s as the cause', (_, changes, cause) => {
  expect(explained(changes)?.cause).toBe(cause);
});

it.each(['', '{', '[]', '{"block":"60"}'])('a document of %j explains nothing', (text) => {
  writeFileSync(report.replace('.txt', '.json'), text);
  expect(readExplanation(report)).toBeUndefined();
});

it('a report that is written again is read again', () => {
  const read = explanations();
  explained({});
  expect(read({ path: report, at: 1 })?.cause).toBe('isthmus not active there');
  explained({ forkTimes: { unknown: 'late is down' } });
  expect(read({ path: report, at: 1 })?.cause).toBe('isthmus not active there');
  expect(read({ path: report, at: 2 })?.cause).toBe('late is down');
  expect(read({ path: join(folder, 'none.txt') })).toBeUndefined();
});
