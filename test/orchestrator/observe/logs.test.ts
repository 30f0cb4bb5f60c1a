import { appendFileSync, copyFileSync, mkdtempSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { followLogs, readLogs } from '../../../src/orchestrator/observe/logs.ts';

it('follows a log over a rotation of which it sees each step more than once', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'devnet-logs-')), 'el.log');
  const logs = [{ task: 'el', path }];
  const seen: string[] = [];
  const print = (line: string) => seen.push(line);
  writeFileSync(path, 'line 1\nline 2\n');
  const positions = readLogs(logs, {}, print);
  const look = async () => {
    for (let twice = 0; twice < 2; twice++) {
      const stop = new AbortController();
      const following = followLogs(logs, positions, {}, print, stop.signal);
      stop.abort();
      await following;
    }
  };
  appendFileSync(path, 'line 3\n');
  copyFileSync(path, `${path}.1.tmp`);
  truncateSync(path);
  await look();
  appendFileSync(path, 'line 4\n');
  await look();
  renameSync(`${path}.1.tmp`, `${path}.1`);
  await look();
  appendFileSync(path, 'line 5\n');
  await look();
  expect(seen).toEqual(Array.from({ length: 5 }, (_, at) => `line ${at + 1}`));
});
