import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { quietEnvironment } from '../../quiet-environment.ts';

const SOURCE = resolve(import.meta.dirname, '../../../src/system/program/terminal.ts');

/** Returns what a program prints that watches its input. */
async function watch(input: 'pipe' | 'ignore' | number): Promise<string> {
  const code = `import { onInputEnd } from ${JSON.stringify(SOURCE)};
    onInputEnd(() => process.stdout.write('end'));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: quietEnvironment,
    stdio: [input, 'pipe', 'inherit'],
  });
  child.stdin?.end();
  let text = '';
  child.stdout?.on('data', (part) => (text += part));
  await new Promise((done) => child.once('close', done));
  return text;
}

it('the end of the input is reported only of a pipe or a socket, not of a file or a device', async () => {
  expect(await watch('pipe')).toBe('end');
  expect(await watch('ignore')).toBe('');
  expect(await watch(openSync(SOURCE, 'r'))).toBe('');
});
