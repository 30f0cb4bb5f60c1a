import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/system/program/entry.ts';
import { quietEnvironment } from '../../quiet-environment.ts';

const program = (name: string) => join(packageRoot(), 'dist', `${name}.js`);

/** Reads a pipe when its writer has filled it and waits, or is gone. */
const READ_LATE = `
  mkfifo "$0"; "$@" >"$0" & exec 3<"$0"
  until grep -q '^State:.Z' /proc/$!/status || {
    grep -q '^State:.S' /proc/$!/status && [ "$(sed -n 's/^wchar: //p' /proc/$!/io)" -ge 65536 ]
  }
  do :; done
  cat <&3; wait $!`;

it.skipIf(process.platform !== 'linux')('a JSON document longer than a pipe arrives whole', () => {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-output-'));
  const argv = [join(folder, 'pipe'), process.execPath, program('devnet'), 'schema'];
  const { status, stdout, stderr } = spawnSync('bash', ['-c', READ_LATE, ...argv], {
    encoding: 'utf8',
    env: quietEnvironment,
    timeout: 120_000,
  });
  rmSync(folder, { recursive: true });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.length).toBeGreaterThan(65_536);
  expect(JSON.parse(stdout)).toHaveProperty('title');
});

it.each([
  ['devnet', ['schema']],
  ['devnet', ['--help']],
  ['devnet', ['up', '--help']],
  ['rollup-node', ['--help']],
  ['execution-client', ['--help']],
  ['batcher', ['--help']],
])('%s %j ends quietly when the reader has closed the pipe', (name, args) => {
  const script = '"$@" | exec 3<&0 0</dev/null; exec 3<&-; exit 0';
  const quiet = spawnSync(
    'bash',
    ['-c', `set -o pipefail; ${script}`, 'bash', process.execPath, program(name), ...args],
    {
      encoding: 'utf8',
      env: quietEnvironment,
    },
  );
  expect(quiet.stderr).toBe('');
  const head = spawnSync(
    'bash',
    ['-c', '"$@" | head -1 | cut -c1-1', 'bash', process.execPath, program(name), ...args],
    {
      encoding: 'utf8',
      env: quietEnvironment,
    },
  );
  expect(head.stderr).toBe('');
  expect(head.stdout).toHaveLength(2);
});
