import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bringUp } from '../../../src/orchestrator/start/bring-up.ts';
import { Tiny } from '../cli/tiny.ts';
import { leftovers } from '../supervisor/supervised.ts';

it('a start that is not needed leaves no guard behind that still boots', async () => {
  await using tiny = new Tiny();
  const slow = join(tiny.folder, 'slow.cjs');
  writeFileSync(
    slow,
    `if (process.env.DEVNET_PROCESS === 'guard') for (const end = Date.now() + 2000; Date.now() < end; );`,
  );
  const io = {
    ...{ stdout: () => undefined, stderr: () => undefined, cwd: tiny.folder, isTty: false },
    env: { ...tiny.env, NODE_OPTIONS: `--require ${slow}` },
  };
  const guards = () => leftovers(tiny.home).filter((line) => line.includes('guard'));
  const up = await bringUp(io, {
    source: {
      input: { spec: tiny.spec('unneeded'), set: [], manual: [] },
      async settle() {
        await expect.poll(guards, { timeout: 60_000 }).not.toEqual([]);
        return 5;
      },
    },
    ...{ budgetMs: 1000, followInput: false, followSignals: false, quiet: true },
  });
  expect(up).toEqual({ kind: 'no', code: 5 });
  expect(leftovers(tiny.home)).toEqual([]);
});
