import { appendFileSync, copyFileSync, mkdtempSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { followLogs, readLogs } from '../../../src/orchestrator/logs/logs.ts';

it('devnet logs follows a log over a rotation of which it sees each step more than once', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'devnet-logs-')), 'el.log');
  const logs = [{ task: 'el', path }];
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
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
  expect(lines).toEqual(Array.from({ length: 5 }, (_, at) => `line ${at + 1}`));
});

/** Writes logs of their names and returns them. */
function logsOf(texts: Readonly<Record<string, readonly string[]>>) {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-logs-'));
  return Object.entries(texts).map(([name, lines]) => {
    const path = join(folder, `${name}.log`);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    return { task: name, path };
  });
}

const at = (seconds: number) => `t=2026-01-01T00:00:0${seconds}.000Z`;

it('devnet logs merges the lines of several processes by time, and keeps a stack trace with its line', () => {
  const logs = logsOf({
    el: [`${at(1)} imported`, `${at(4)} panic`, '    at import', '    at main'],
    cl: [`${at(2)} derived`, '2026-01-01T01:00:03+0100 from another zone', `${at(5)} derived again`],
  });
  writeFileSync(`${logs[1]?.path}.1`, `${at(0)} of the older part\n`);
  const lines: string[] = [];
  readLogs(logs, {}, (line) => lines.push(line));
  expect(lines).toEqual([
    `cl  ${at(0)} of the older part`,
    `el  ${at(1)} imported`,
    `cl  ${at(2)} derived`,
    'cl  2026-01-01T01:00:03+0100 from another zone',
    `el  ${at(4)} panic`,
    'el      at import',
    'el      at main',
    `cl  ${at(5)} derived again`,
  ]);
});

it('devnet logs merges lines of the terminal format of geth, which has neither year nor zone', () => {
  const time = new Date(2026, 0, 1, 12, 0, 1);
  const logs = logsOf({
    geth: ['INFO [01-01|12:00:00.500] Imported block 1', 'INFO [01-01|12:00:01.500] Imported block 2'],
    cl: [`${time.toISOString()} derived`],
  });
  const tasks: string[] = [];
  readLogs(logs, {}, (line) => tasks.push(line.split(' ')[0] ?? ''));
  expect(tasks).toEqual(['geth', 'cl', 'geth']);
});

it('devnet logs --follow --since merges the new lines of one poll, with those without a time', async () => {
  const logs = logsOf({ el: [`${at(0)} started`], cl: [`${at(0)} started`] });
  const filter = { since: Date.parse('2026-01-01T00:00:00Z') };
  const lines: string[] = [];
  const positions = readLogs(logs, filter, () => {});
  appendFileSync(logs[0]?.path ?? '', `${at(2)} second\n${at(4)} fourth\n`);
  appendFileSync(logs[1]?.path ?? '', `without time\n${at(3)} third\n`);
  const stop = new AbortController();
  const following = followLogs(logs, positions, filter, (line) => lines.push(line), stop.signal);
  stop.abort();
  await following;
  expect(lines).toEqual(['cl  without time', `el  ${at(2)} second`, `cl  ${at(3)} third`, `el  ${at(4)} fourth`]);
});

/** Follows logs for one poll and returns the lines. */
async function once(
  logs: Parameters<typeof followLogs>[0],
  positions: Parameters<typeof followLogs>[1],
  filter: Parameters<typeof followLogs>[2] = {},
): Promise<string[]> {
  const lines: string[] = [];
  const stop = new AbortController();
  const following = followLogs(logs, positions, filter, (line) => lines.push(line), stop.signal);
  stop.abort();
  await following;
  return lines;
}

it('devnet logs prints the lines since a moment that match, of one log without its name', () => {
  const logs = logsOf({ el: [`${at(1)} one`, `${at(2)} two\u001b[31m`, `${at(2)} three`, `${at(3)} four`] });
  const lines = (filter: Parameters<typeof readLogs>[1]) => {
    const printed: string[] = [];
    readLogs(logs, filter, (line) => printed.push(line.slice(27)));
    return printed;
  };
  expect(lines({})).toEqual(['one', 'two', 'three', 'four']);
  expect(lines({ since: Date.parse('2026-01-01T00:00:02Z') })).toEqual(['two', 'three', 'four']);
  expect(lines({ pattern: /t[wh]/ })).toEqual(['two', 'three']);
  expect(lines({ pattern: /o/, since: Date.parse('2026-01-01T00:00:02Z') })).toEqual(['two', 'four']);
});

it('devnet logs --follow prints what matches of what was written since, each line once', async () => {
  const logs = logsOf({ el: [`${at(0)} old`] });
  const [{ path = '' } = {}] = logs;
  const positions = readLogs(logs, {}, () => {});
  expect(positions.get(path)).toEqual({ offset: 31, generation: undefined });
  appendFileSync(path, 'one\ntwo\nthr');
  expect(await once(logs, positions, { pattern: /^t/ })).toEqual(['two']);
  appendFileSync(path, 'ee\n');
  expect(await once(logs, positions)).toEqual(['three']);
  expect(await once(logs, positions)).toEqual([]);
});

it('devnet logs --follow reads a log of which it knows nothing from its begin', async () => {
  const logs = logsOf({ el: ['one', 'two'] });
  expect(await once(logs, new Map())).toEqual(['one', 'two']);
});

it('devnet logs --follow reads a log from its begin when it was emptied without a rotation', async () => {
  const logs = logsOf({ el: ['one', 'two'] });
  const [{ path = '' } = {}] = logs;
  const positions = readLogs(logs, {}, () => {});
  writeFileSync(path, 'new\n');
  expect(await once(logs, positions)).toEqual(['new']);
  expect(await once(logs, positions)).toEqual([]);
});

it.each<[string, string, readonly string[]]>([
  ['what it had not read of the older part', 'one\ntwo\nthree\n', ['three', 'four']],
  [
    'the whole older part, when its start was dropped',
    'devnet: bytes dropped before this line: 900\nthree\n',
    ['devnet: bytes dropped before this line: 900', 'three', 'four'],
  ],
])('devnet logs --follow prints after a rotation %s', async (_, older, expected) => {
  const logs = logsOf({ el: ['one', 'two'] });
  const [{ path = '' } = {}] = logs;
  const positions = readLogs(logs, {}, () => {});
  writeFileSync(`${path}.1`, older);
  writeFileSync(path, 'four\n');
  expect(await once(logs, positions)).toEqual(expected);
  expect(await once(logs, positions)).toEqual([]);
});

it('devnet logs --follow prints new lines while a log is copied and not yet emptied', async () => {
  const logs = logsOf({ el: ['one'] });
  const [{ path = '' } = {}] = logs;
  const positions = readLogs(logs, {}, () => {});
  appendFileSync(path, 'two\n');
  copyFileSync(path, `${path}.1.tmp`);
  expect(await once(logs, positions)).toEqual(['two']);
});
