import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import { diskWithCache } from '../../cache-of-tests.ts';
import { mountsDisks, SmallDisk } from './small-disk.ts';
import { BUNDLE, Tiny } from './tiny.ts';

/** Files and folders of a home that are no cache and hold something. */
function leftIn(home: string): string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/^(\.cache|\.locks$|\.ports$|\.secret$|filling)/.test(name),
  );
}

const STACK = /\n\s+at .*:\d+:\d+/;

/** Why the tests of a real disk are skipped. */
const WHY = mountsDisks ? '' : ' (skipped: only root on Linux may mount a small disk)';

describe.skipIf(!mountsDisks)(`on a disk that is full${WHY}`, () => {
  it('up reports it without a stack, and leaves nothing', async () => {
    await using tiny = new Tiny();
    using disk = new SmallDisk(tiny.home, 1_000_000);
    for (const left of [0, 20_000, 100_000]) {
      disk.fill(left);
      const { code, stderr } = await run(tiny, 'up', tiny.spec('full'), '-d');
      expect(stderr).toMatch(/ENOSPC|disk is full/);
      expect(stderr).toMatch(/free some space/);
      expect(stderr).not.toMatch(STACK);
      expect(code).not.toBe(0);
      expect((await run(tiny, 'down', '--all')).code).toBe(0);
      expect(leftIn(tiny.home)).toEqual([]);
    }
  });

  it.each(['with', 'without'])('down ends a devnet %s its supervisor and leaves nothing', async (how) => {
    await using tiny = new Tiny();
    using disk = new SmallDisk(tiny.home, 40_000_000);
    diskWithCache(tiny.home);
    const up = await tiny.run('up', tiny.spec('full'), '-d');
    expect(up.code, up.stderr).toBe(0);
    disk.fill();
    if (how === 'without') {
      const { supervisor } = await tiny.json<{ supervisor: number }>('status');
      process.kill(supervisor, 'SIGKILL');
      await tiny.nothingLeft();
    }
    expect(await run(tiny, 'down', ...(how === 'with' ? ['full'] : ['--all']))).toMatchObject({ code: 0, stderr: '' });
    await tiny.nothingLeft();
    expect(leftIn(tiny.home)).toEqual([]);
  });

  it('status and the failure name the full disk when a process could not even write why it ended', async () => {
    await using tiny = new Tiny();
    using disk = new SmallDisk(tiny.home, 40_000_000);
    diskWithCache(tiny.home);
    expect((await tiny.run('up', tiny.spec('full'), '-d')).code).toBe(0);
    disk.fill();
    const { chains } = await tiny.json<{ chains: { nodes: { el: { pid: number } }[] }[] }>('status');
    process.kill(chains[0]!.nodes[1]!.el.pid, 'SIGTERM');
    await tiny.nothingLeft();
    const { stdout } = await tiny.run('status', 'full');
    expect(stdout).toMatch(/full {2}failed/);
    expect(stdout).toMatch(
      /failed: main\/verifier\/el {2}\(rpc-node version 1\.2\.3\): .*\s+likely cause: the disk is full: \d kB are free/,
    );
    expect(readFileSync(pathsOf(tiny.home, 'full').state, 'utf8')).toContain('"phase":"failed"');
  });
});

it('down works if no file may grow', async () => {
  await using tiny = new Tiny();
  expect((await tiny.run('up', tiny.spec('left'), '-d')).code).toBe(0);
  const { supervisor } = await tiny.json<{ supervisor: number }>('status');
  process.kill(supervisor, 'SIGKILL');
  await tiny.nothingLeft();
  const script = 'ulimit -f 0; exec "$0" "$@"';
  const down = spawnSync('/bin/sh', ['-c', script, process.execPath, BUNDLE, 'down', '--all'], {
    env: tiny.env,
    encoding: 'utf8',
  });
  expect(down).toMatchObject({ status: 0, stderr: '' });
  expect(leftIn(tiny.home)).toEqual([]);
});

it('a start names too few file descriptors, and what raises the limit', async () => {
  await using tiny = new Tiny();
  const script = 'ulimit -n 24; exec "$0" "$@"';
  const up = spawnSync('/bin/sh', ['-c', script, process.execPath, BUNDLE, 'up', tiny.spec('few'), '-d'], {
    env: tiny.env,
    cwd: tiny.folder,
    encoding: 'utf8',
  });
  expect(up.stderr).toMatch(/EMFILE|too many open files/);
  expect(up.stderr).toContain('ulimit -n 65536');
  expect(up.stderr).not.toMatch(STACK);
  expect(existsSync(join(tiny.home, 'few', 'control.sock'))).toBe(false);
});

/** Runs the command as its own process, which is how users meet a stack. */
async function run(tiny: Tiny, ...argv: string[]) {
  const { closed, stderr, stdout } = tiny.start(argv);
  const { code } = await closed;
  return { code, stderr: stderr(), stdout: stdout() };
}
