import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BUNDLE, Tiny } from './tiny.ts';

/** Runs the command on a terminal, with stdout in a file. Returns the text of both. */
async function onTerminal(tiny: Tiny, ...argv: string[]) {
  const stdout = join(tiny.folder, 'stdout');
  const typescript = join(tiny.folder, 'typescript');
  const line = `stty cols 100 rows 40; exec env -u CI ${process.execPath} ${BUNDLE} ${argv.join(' ')} >${stdout}`;
  const { closed } = tiny.startProgram(['script', '-qefc', line, typescript]);
  const { code } = await closed;
  return { code, stdout: readFileSync(stdout, 'utf8'), screen: readFileSync(typescript, 'utf8') };
}

const ESCAPE = '\u001b[';

it('draws a list of tasks on a terminal, keeps stdout for the answer, and writes plain lines into a pipe', async () => {
  await using tiny = new Tiny();
  const spec = tiny.spec('drawn');
  const up = await onTerminal(tiny, 'up', spec, '-d', '--json');
  expect(up.code).toBe(0);
  expect(JSON.parse(up.stdout)).toMatchObject({ name: 'drawn', phase: 'ready' });
  expect(up.screen).toContain(ESCAPE);
  expect(up.screen).toContain('✔ main/sequencer/el');

  const check = await onTerminal(tiny, 'check', '--json');
  expect(JSON.parse(check.stdout)).toMatchObject({ agree: true });
  expect(check.screen).toContain('✔ main');

  const stop = await onTerminal(tiny, 'stop');
  expect(stop).toMatchObject({ code: 0, stdout: '' });
  expect(stop.screen).toContain('✔ main/verifier/cl');

  const start = await tiny.run('start');
  expect(start).toMatchObject({ code: 0, stdout: '' });
  expect(start.stderr).toMatch(/^ready {5}main\/sequencer\/el$/m);
  expect(start.stderr).not.toContain(ESCAPE);

  const down = await onTerminal(tiny, 'down', '--all');
  expect(down).toMatchObject({ code: 0, stdout: '' });
  expect(down.screen).toContain('✔ l1');
});
