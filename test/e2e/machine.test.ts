import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { Home, type Status } from './devnet.ts';

/**
 * Damages every file below a folder and returns their number.
 * In turn, a file is cut off, zeroed, or gets one bit flipped.
 */
function damage(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const [at, file] of files.entries()) {
    const bytes = readFileSync(file);
    if (at % 3 === 0) truncateSync(file, bytes.length >> 1);
    else if (at % 3 === 1) writeFileSync(file, bytes.fill(0));
    else {
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(file, bytes);
    }
  }
  return files.length;
}

it('the next start works after a damaged cache, and after supervisor and guard were killed', async () => {
  await using home = new Home();
  const spec = home.spec('machine', { version: 1, name: 'machine', ports: 'auto' });
  // A cache of its own: other tests use the shared one at the same time.
  rmSync(join(home.folder, 'home', '.cache'));
  await home.up(spec);
  await home.devnet('down');
  expect(damage(join(home.folder, 'home', '.cache'))).toBeGreaterThan(5);

  const command = home.start('up', spec);
  const up = () => home.json<Status & { supervisor: number | null }>('status', 'machine');
  await vi.waitFor(async () => expect(await up()).toMatchObject({ phase: 'ready' }), 120_000);
  const { supervisor } = await up();
  const guards = home.leftovers().filter((line) => /devnet-guard|guard\.js/.test(line));
  const watchers = [command.pid!, supervisor!, ...guards.map((line) => Number.parseInt(line, 10))];
  expect(watchers.length).toBeGreaterThan(2);
  // All are stopped before the first is killed, so that none detects the death of another.
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const) for (const pid of watchers) process.kill(pid, signal);
  const ours = () => home.leftovers().filter((line) => !/\/anvil /.test(line));
  await vi.waitFor(() => expect(ours()).toEqual([]), { timeout: 120_000, interval: 50 });
  expect(home.leftovers()).toEqual([expect.stringMatching(/\/anvil /)]);
  expect(readFileSync(join(home.folder, 'home', 'machine', 'nodes', 'l1-beacon.log'), 'utf8')).toMatch(
    /l1-beacon: the supervisor that started this program is gone, so it ends\n$/,
  );

  expect((await home.up(spec)).phase).toBe('ready');
  expect(home.leftovers().filter((line) => /\/anvil /.test(line))).toHaveLength(1);
});
