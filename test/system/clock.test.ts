import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { networkClock, reach, wallClock } from '../../src/system/clock.ts';
import { writeAtomic } from '../../src/system/files.ts';

it('follows the offset in its file, and waking waits for chain time, not for the wall', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'clock-')), 'clock.json');
  writeAtomic(file, '{"offsetMs":-5000}');
  const clock = networkClock(file);
  try {
    expect(Math.abs(clock.now() - (Date.now() - 5000))).toBeLessThan(1000);
    const reached = reach(clock, Date.now() + 3_000_000, new AbortController().signal);
    writeAtomic(file, 'half a file');
    writeAtomic(file, '{"offsetMs":3600000}');
    expect(await reached).toBe(true);
    expect(clock.offset).toBe(3_600_000);
  } finally {
    clock.close();
  }
});

it('goes on following its file when another clock of the same file is closed', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'clock-')), 'clock.json');
  writeAtomic(file, '{"offsetMs":0}');
  const [closed, open] = [networkClock(file), networkClock(file)];
  try {
    closed.close();
    const reached = reach(open, Date.now() + 3_000_000, AbortSignal.timeout(8000));
    writeAtomic(file, '{"offsetMs":3600000}');
    expect(await reached).toBe(true);
    expect(closed.offset).toBe(0);
  } finally {
    open.close();
  }
});

it('stops waiting when aborted', async () => {
  const stop = new AbortController();
  const reached = reach(wallClock(), Date.now() + 3_000_000, stop.signal);
  stop.abort();
  expect(await reached).toBe(false);
});
