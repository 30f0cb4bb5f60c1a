import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { unsupportedPlatform } from '../../../src/system/program/platform.ts';
import { quietEnvironment } from '../../quiet-environment.ts';

it.each([
  ['linux', undefined],
  ['darwin', undefined],
  ['win32', /^this is win32: rollup-devnet runs on Linux and macOS; on Windows, run it inside WSL 2/],
  ['freebsd', /^this is freebsd: rollup-devnet runs on Linux and macOS$/],
])('the platform %s is accepted, or refused with a hint', (platform, says) => {
  if (says === undefined) expect(unsupportedPlatform(platform)).toBeUndefined();
  else expect(unsupportedPlatform(platform)).toMatch(says);
});

it('the switch hides what macOS lacks, and ps lists processes', () => {
  const table = resolve(import.meta.dirname, '..', '..', '..', 'src', 'system', 'process', 'table.ts');
  const mark = resolve(import.meta.dirname, '..', '..', '..', 'src', 'system', 'process', 'mark.ts');
  const ports = resolve(import.meta.dirname, '..', '..', '..', 'src', 'system', 'net', 'ports.ts');
  const code = `
    import { processTable, psTable } from ${JSON.stringify(table)};
    import { readMark } from ${JSON.stringify(mark)};
    import { portIsFree } from ${JSON.stringify(ports)};
    const parent = processTable().find(process.pid)?.parent === process.ppid;
    console.log(processTable() === psTable, parent, readMark('self'), await portIsFree('127.7.7.7', 0));`;
  const run = (hide: string) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      env: { ...quietEnvironment, DEVNET_TEST_HIDE: hide },
      encoding: 'utf8',
    }).stdout.trim();
  expect(run('macos')).toBe('true true undefined false');
  if (process.platform === 'linux') expect(run('')).toMatch(/^false true -?\d+ true$/);
});
