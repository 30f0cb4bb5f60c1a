import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectControl } from '../../../src/orchestrator/control/client.ts';
import { pathsOf, socketsFolder } from '../../../src/orchestrator/state/paths.ts';
import { serveSocket } from '../../../src/orchestrator/state/sockets.ts';
import { folderFault, ownFolder } from '../../../src/system/files/folder.ts';
import { Tiny } from '../cli/tiny.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sockets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that answers every line on a socket with one text. */
async function stranger(path: string, answer: (id: number) => string): Promise<AsyncDisposable> {
  const server: Server = await serveSocket(path, (socket) => {
    socket.on('error', () => undefined).on('data', (line) => socket.write(`${answer(JSON.parse(String(line)).id)}\n`));
  });
  return { [Symbol.asyncDispose]: () => new Promise((done) => server.close(() => done())) };
}

describe('a folder of sockets that all users could have made', () => {
  it('is closed to others when it is open', () => {
    const path = join(folder, 'open');
    mkdirSync(path);
    chmodSync(path, 0o777);
    ownFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('is refused when it is a link', () => {
    const path = join(folder, 'link');
    symlinkSync('/tmp', path);
    expect(() => ownFolder(path)).toThrow(
      expect.objectContaining({ code: 'home', hint: `run \`sudo rm -r ${path}\`` }),
    );
  });

  it.skipIf(process.getuid?.() !== 0)('is refused with what to do when it is another user’s', () => {
    const path = join(folder, 'foreign');
    mkdirSync(path);
    chownSync(path, 12_345, 12_345);
    expect(folderFault(path)).toBe('it belongs to the user 12345');
    expect(() => ownFolder(path)).toThrow(`cannot use the folder ${path}: it belongs to the user 12345`);
  });

  it('holds the sockets of a home with a long path', () => {
    const { control, clockSocket } = pathsOf(`/${'deep/'.repeat(40)}`, 'one');
    expect([control, clockSocket].every((path) => path.startsWith(`${socketsFolder()}/`))).toBe(true);
  });
});

it.each([
  ['a line that is no answer', () => '"hello"', 'ended without an answer'],
  ['a result of another method', (id: number) => `{"id":${id},"result":{}}`, 'the answer to "state" on'],
  ['a state of another form', (id: number) => `{"id":${id},"result":{"state":{"name":7}}}`, 'malformed at state.name'],
])('a command refuses %s on the control socket', async (_, answer, words) => {
  const path = join(folder, 'control.sock');
  await using _server = await stranger(path, answer);
  const control = await connectControl(path);
  await expect(control!.ask({ method: 'state' }, 10_000)).rejects.toThrow(words);
  control!.close();
});

it.each(['pause', 'resume', 'warp', 'stop', 'down'])(
  '%s of a stopped devnet sends nothing to a foreign process on its socket',
  async (word) => {
    const home = `long-${'x'.repeat(100)}`;
    await using tiny = new Tiny(undefined, home);
    const up = tiny.start(['up', tiny.spec('still'), '-d']);
    expect((await up.closed).code).toBe(0);
    expect((await tiny.run('stop')).code).toBe(0);
    const reading = { at: 1, rate: 1, isPaused: true, killed: [], errors: [], state: {} };
    let requests = 0;
    await using _server = await stranger(pathsOf(tiny.home, 'still').control, (id) => {
      requests += 1;
      return JSON.stringify({ id, result: reading });
    });
    const { code } = await tiny.run(word, ...(word === 'warp' ? ['+1h'] : []));
    expect({ code, asked: requests }).toEqual({ code: word === 'stop' || word === 'down' ? 0 : 1, asked: 0 });
  },
);
