import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OWN_TIMERS, SHARED_FILES } from './shared-files.ts';

it('the tests that count timers, or let them run while they wait, share no process with other files', () => {
  const counting = globSync([...SHARED_FILES], { cwd: import.meta.dirname }).filter((file) =>
    /getTimerCount|(advanceTimers\w*|runAllTimers)Async/.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')),
  );
  expect(counting.sort()).toEqual([...OWN_TIMERS].sort());
});
