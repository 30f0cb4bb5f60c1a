import { expect, it } from 'vitest';
import { endedReportLines, standingReportLines } from '../../../src/orchestrator/divergence/report-lines.ts';

const AT = Date.parse('2026-01-01T10:00:00Z');
const report = (block: number, over?: number) => ({
  ...{ at: AT, chain: 'main', block, nodes: ['late'], path: `/main-${block}.txt`, lines: [`block ${block}`, 'more'] },
  ...(over === undefined ? {} : { over }),
});

it('status prints a report first while its divergence lasts, with its age', () => {
  const reports = [report(8, AT + 4000), report(30)];
  expect(standingReportLines(reports, AT + 3_600_000)).toEqual([
    'REPORT   10:00:00 UTC (1 h ago): block 30',
    '       more',
    '         /main-30.txt',
  ]);
  expect(endedReportLines(reports, true)).toEqual(['earlier report (over since 10:00:04 UTC): block 8: /main-8.txt']);
});

it('status prints every report as an earlier one after the network has ended', () => {
  expect(endedReportLines([report(30)], false)).toEqual([
    'earlier report (until the network ended): block 30: /main-30.txt',
  ]);
});

it('status prints a report without lines by its file', () => {
  const bare = { ...report(30), lines: [] };
  expect(standingReportLines([bare], AT + 3_600_000)).toEqual([
    'REPORT   10:00:00 UTC (1 h ago): ',
    '         /main-30.txt',
  ]);
  expect(endedReportLines([bare], false)).toEqual(['earlier report (until the network ended): : /main-30.txt']);
});

it('status prints a report of an older version without its age', () => {
  const { at: _, ...older } = report(30);
  expect(standingReportLines([older], AT)[0]).toBe('REPORT   block 30');
});
