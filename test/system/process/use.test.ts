import { expect, it } from 'vitest';
import { processUse, useOfPs } from '../../../src/system/process/use.ts';

it('the use of a process is read while it runs, and undefined when it is gone', () => {
  const before = processUse(process.pid);
  expect(before?.residentBytes).toBeGreaterThan(10_000_000);
  expect(before?.cpuSeconds).toBeGreaterThan(0);
  expect(processUse(2 ** 22 + 1)).toBeUndefined();
});

it.each([
  ['  2048   0:01.50\n', 2048 * 1024, 1.5],
  ['10 1-02:03:04', 10_240, 93_784],
  ['10 12:30', 10_240, 750],
])('the use of a process is read from the output of ps: %j', (text, residentBytes, cpuSeconds) => {
  expect(useOfPs(text)).toEqual({ residentBytes, cpuSeconds, threads: null, openFiles: null });
});

it('the use of a process is undefined when ps prints nothing', () => expect(useOfPs('\n')).toBeUndefined());
