import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectUnix, listenUnix } from '../../../src/system/net/socket.ts';

/** Another user than the one that listens. Only root can become it. */
const OTHER = 12_345;

const before = process.cwd();
let folder: string;
let umask: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'socket-'));
  umask = process.umask(0);
  // Paths are relative to it: the folders above it may be private.
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(before);
  process.umask(umask);
  rmSync(folder, { recursive: true });
});

/** Whether a connection is accepted that the process begins as another user. */
async function connectsAs(user: number, path: string): Promise<boolean> {
  process.seteuid!(user);
  const connecting = connectUnix(path);
  process.seteuid!(0);
  const socket = await connecting;
  socket?.destroy();
  return socket !== undefined;
}

it.skipIf(process.getuid?.() !== 0).each([
  ['only the owner can connect in a private folder', 0o700, false],
  ['all users can connect in an open folder', 0o755, true],
])('a Unix socket listens, and %s', async (_, mode, isOpen) => {
  chmodSync(folder, mode);
  await using _server = await listenUnix('one.sock', (socket) => socket.end());
  expect(await connectsAs(0, 'one.sock')).toBe(true);
  expect(await connectsAs(OTHER, 'one.sock')).toBe(isOpen);
});

it('a Unix socket is refused with EADDRINUSE when its path exists', async () => {
  await using _server = await listenUnix('one.sock', (socket) => socket.end());
  await expect(listenUnix('one.sock', () => undefined)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
