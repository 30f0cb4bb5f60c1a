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

it('up draws a list of tasks on a terminal, and writes plain lines into a pipe, stdout for the answer', async () => {
  await using tiny = new Tiny();
  const spec = tiny.spec('drawn');
  const up = await onTerminal(tiny, 'up', spec, '-d', '--json');
  expect(up.code).toBe(0);
  expect(JSON.parse(up.stdout)).toMatchObject({ name: 'drawn', phase: 'ready' });
  expect(up.screen).toContain(ESCAPE);
  expect(up.screen).toContain('✔ main/sequencer/el');
  const drawn = [...up.screen.slice(up.screen.lastIndexOf(`${ESCAPE}?2026l`)).matchAll(/✔\S* (\S+)/g)];
  expect(drawn.map(([, id]) => id)).toEqual([
    ...['l1', 'l1-beacon'],
    ...['main/sequencer/el', 'main/sequencer/cl', 'main/verifier/el', 'main/verifier/cl'],
  ]);

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

it('an answer has no longer line than the terminal has columns', async () => {
  await using tiny = new Tiny();
  const line = `stty cols 60 rows 30; exec env -u CI ${process.execPath} ${BUNDLE} --help`;
  const terminal = tiny.startProgram(['script', '-qefc', line, join(tiny.folder, 'typescript')]);
  expect(await terminal.closed).toMatchObject({ code: 0 });
  const lines = terminal.stdout().split(/\r?\n/);
  expect(lines).toContain('  tx                  print a transaction of L1 or L2,');
  expect(lines.filter((each) => each.length > 60 && !each.includes('devnet.js'))).toEqual([]);
});

it('the live view shows the network that runs, follows keys, and leaves it running with d', async () => {
  await using tiny = new Tiny();
  const spec = tiny.spec('live');
  const line = `stty cols 80 rows 30; exec env -u CI NO_COLOR=1 ${process.execPath} ${BUNDLE} up ${spec}`;
  const terminal = tiny.startProgram(['script', '-qefc', line, join(tiny.folder, 'typescript')]);
  const shows = (text: string) => expect.poll(terminal.stdout, { interval: 10 }).toContain(text);
  await shows('q take down');
  expect(terminal.stdout()).toContain('all nodes agree');
  terminal.child.stdin.write('l');
  await shows('Esc close');
  terminal.child.stdin.write('d');
  expect(await terminal.closed).toMatchObject({ code: 0 });
  expect(terminal.stdout()).toContain('live runs on');
  await tiny.ready('live');
});
