import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { followLogs, type Position, readLogs } from '../../../src/orchestrator/logs/logs.ts';
import { olderPart } from '../../../src/system/files/rotate.ts';
import { fixturePlan, program, temporaryHome } from '../supervisor/fixture-plan.ts';
import { Supervised } from '../supervisor/supervised.ts';

const MAX_LOG_BYTES = 100_000;

it("the log limit bounds a noisy process's log with an event, and the supervisor's memory", async () => {
  using folder = temporaryHome();
  await using supervised = new Supervised(folder.home);
  const plan = fixturePlan(folder.home, 'noisy', [], { yes: { argv: ['yes', 'a line that is repeated for ever'] } });
  const log = plan.tasks[0]!.log;
  supervised.up({ ...plan, logBytes: MAX_LOG_BYTES });
  await supervised.phase('ready');
  const generations = new Set<number>();
  await vi.waitFor(() => {
    generations.add(statSync(olderPart(log)).ino);
    expect(generations.size).toBeGreaterThan(4);
  }, 20_000);
  expect(statSync(olderPart(log)).size).toBeLessThan(3.1 * MAX_LOG_BYTES + 2 ** 20);
  expect(readFileSync(olderPart(log), 'latin1')).toContain('a line that is repeated for ever\n');
  const notices = supervised.events.flatMap((event) => (event.event === 'notice' ? event.text : []));
  expect(notices).toEqual([expect.stringMatching(/^yes: its log reached 100000 bytes and was rotated.*yes\.log\.1/)]);
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${supervised.process.pid}/status`, 'utf8'))?.[1];
  expect(Number(rss)).toBeLessThan(200_000);
});

it('following a log shows every line once during rotation, and reading it again shows both parts', async () => {
  using folder = temporaryHome();
  await using supervised = new Supervised(folder.home);
  const argv = [process.execPath, program('numbered-lines.mjs'), '--count=3000', '--every=50', '--pause=60'];
  const plan = fixturePlan(folder.home, 'steady', [], { steady: { argv } });
  const logs = [{ task: 'steady', path: join(folder.home, 'steady', 'nodes', 'steady.log') }];
  supervised.up({ ...plan, logBytes: MAX_LOG_BYTES });
  await supervised.phase('ready');
  const lines: string[] = [];
  const stop = new AbortController();
  const positions: Map<string, Position> = readLogs(logs, {}, (line) => lines.push(line));
  const following = followLogs(logs, positions, {}, (line) => lines.push(line), stop.signal);
  await vi.waitFor(() => expect(lines.at(-1)).toMatch(/^line 3000 /), 120_000);
  stop.abort();
  await following;
  const numbers = (lines: readonly string[]) =>
    lines.flatMap((line) => /^line (\d+) /.exec(line)?.[1] ?? []).map(Number);
  expect(numbers(lines)).toEqual(Array.from({ length: 3000 }, (_, at) => at + 1));
  expect(lines.filter((line) => line.startsWith('devnet: log rotated')).length).toBeGreaterThan(1);
  const again: string[] = [];
  readLogs(logs, {}, (line) => again.push(line));
  const rest = numbers(again);
  expect(rest).toEqual(Array.from({ length: rest.length }, (_, at) => 3001 - rest.length + at));
  expect(rest.length).toBeGreaterThan(900);
});
