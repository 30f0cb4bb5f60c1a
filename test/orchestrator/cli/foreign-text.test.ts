import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, extract } from 'tar';
import { expect, it } from 'vitest';
import { Tiny } from './tiny.ts';

/** Moves the cursor, changes the window's title and reorders the line. */
const STEERING = '\u001b[2J\u001b]0;title\u0007\u009b31m\u202e';

/** Returns the control characters of a text, but line feeds. */
const controls = (text: string) => [...text.matchAll(/(?!\n)[\p{Cc}\u202e]/gu)].map(([char]) => char);

it('the name of an entry in a foreign archive sends no control sequence to the terminal', async () => {
  await using tiny = new Tiny();
  const spec = tiny.spec('foreign');
  expect((await tiny.start(['up', spec, '-d']).closed).code).toBe(0);
  const save = tiny.start(['snapshot', 'save', 'one']);
  expect({ ...(await save.closed), stderr: save.stderr() }).toMatchObject({ code: 0 });
  const folder = mkdtempSync(join(tiny.folder, 'archive-'));
  await extract({ file: join(tiny.home, '.snapshots', 'one.tgz'), cwd: folder });
  mkdirSync(join(folder, 'data'), { recursive: true });
  writeFileSync(join(folder, 'data', `evil${STEERING}`), '');
  const file = join(tiny.folder, 'evil.tgz');
  await create({ gzip: true, file, cwd: folder, portable: true }, ['snapshot.json', 'data']);
  const up = tiny.start(['up', spec, '--from', file, '--name', 'other']);
  expect((await up.closed).code).toBe(2);
  expect(up.stderr()).toContain('\\u202e has control characters');
  expect(controls(up.stdout() + up.stderr())).toEqual([]);
});

it('an argument in a message sends no control sequence to the terminal', async () => {
  await using tiny = new Tiny();
  const run = tiny.start([`frob${STEERING}`]);
  expect((await run.closed).code).toBe(2);
  expect(run.stderr()).toContain('frob');
  expect(controls(run.stderr())).toEqual([]);
});
