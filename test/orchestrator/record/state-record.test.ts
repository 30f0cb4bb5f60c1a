import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, expect, it } from 'vitest';
import { StateRecord } from '../../../src/orchestrator/record/state-record.ts';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import { readState } from '../../../src/orchestrator/state/state.ts';
import { makeFolders } from '../../../src/system/files/folder.ts';

const home = mkdtempSync(`${tmpdir()}/devnet-record-`);
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('the state file has the report of a divergence when the record is told of it', () => {
  const paths = pathsOf(home, 'drill');
  makeFolders(paths.folder);
  const clock = { state: () => ({ at: 0, wall: 0, rate: 1 }), skews: () => new Map() };
  const record = new StateRecord(paths, { pid: process.pid, started: '1', boot: '1' }, clock, () => undefined);
  record.write();
  const report = { at: 1, chain: 'main', block: 12, nodes: ['late'], path: '/late.txt', lines: ['left the chain'] };
  record.report(report);
  // The dashboard reads this file as soon as a page has the report from the supervisor.
  expect(readState(paths.state)).toMatchObject({ kind: 'state', state: { reports: [report] } });
  record.close();
});
