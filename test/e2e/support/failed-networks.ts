import { appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

/** Returns the file in which a run of the tests collects how the networks of failed tests ended. */
export const failedNetworks = () => join(tmpdir(), 'failed-networks.txt');

let failed = 0;

/** Counts the failed tests of the file that imports this module. */
export function countFailures(): void {
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') failed += 1;
  });
}

/** Keeps a text about a file's networks for the end of the run, if one of its tests has failed. */
export async function keepIfFailed(text: () => Promise<string>): Promise<void> {
  if (failed > 0) appendFileSync(failedNetworks(), `${await text()}\n`);
}
