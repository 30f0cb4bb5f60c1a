import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { quietEnvironment } from '../../quiet-environment.ts';

/** The folder of reservations in a process that hides what another system lacks, or nothing. */
function folderOf(hide: string): string {
  const paths = resolve(import.meta.dirname, '..', '..', '..', 'src', 'orchestrator', 'state', 'paths.ts');
  const code = `import { portsFolder } from ${JSON.stringify(paths)};\nconsole.log(portsFolder());`;
  const env = { ...quietEnvironment, DEVNET_TEST_HIDE: hide };
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { env, encoding: 'utf8' }).stdout.trim();
}

// Each takes the reservations of the other for those of an earlier boot, and would remove them.
it('reservations of processes that name the boot in another way lie in a folder of their own', () => {
  expect(folderOf('')).toBe(`/tmp/devnet-ports-${process.getuid?.()}`);
  expect(folderOf('macos')).toBe(`${folderOf('')}-hidden`);
});
