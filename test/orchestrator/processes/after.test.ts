import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { runAfter } from '../../../src/orchestrator/processes/after.ts';
import { OutOfTime } from '../../../src/orchestrator/processes/launch.ts';

const folder = mkdtempSync(join(tmpdir(), 'devnet-after-'));
afterEach(() => rmSync(join(folder, 'pid'), { force: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(argv: readonly string[], signal: AbortSignal) {
  const guard = { group: vi.fn(), removeGroup: vi.fn() };
  const io = { log: join(folder, 'log'), stamp: {}, mark: 0, guard, emit: () => undefined, signal };
  const command = { name: 'it', argv, cwd: folder, env: { PATH: process.env['PATH'] ?? '' } };
  return { guard, report: runAfter([command], io) };
}

it('a program that does not exist is named', async () => {
  const { report } = start(['no-such-program'], new AbortController().signal);
  expect(await report).toMatchObject({
    ...{ task: 'after', reason: 'spawn', exit: 4 },
    what: expect.stringMatching(/^program no-such-program not found in PATH=/),
  });
});

it.each([
  ['the time for a start', new OutOfTime(8), { reason: 'late', exit: 3, what: expect.stringMatching(/within 8 s/) }],
  ['the network', new Error('the network ends'), undefined],
])('a command is killed when %s ends', async (_, reason, expected) => {
  const controller = new AbortController();
  const file = join(folder, 'pid');
  const write = `fs.writeFileSync('new', String(process.pid)); fs.renameSync('new', 'pid')`;
  const code = `const fs = require('fs'); ${write}; setInterval(String, 1e9)`;
  const { report, guard } = start([process.execPath, '-e', code], controller.signal);
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 60_000 });
  const pid = Number(readFileSync(file, 'utf8'));
  expect(guard.group).toHaveBeenCalledWith(expect.objectContaining({ id: pid }));
  controller.abort(reason);
  if (expected === undefined) expect(await report).toBeUndefined();
  else expect(await report).toMatchObject(expected);
  expect(guard.removeGroup).toHaveBeenCalledWith(pid);
  expect(() => process.kill(pid, 0)).toThrow();
});
