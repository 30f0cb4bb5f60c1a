import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathsOf, snapshotsFolder } from '../../../src/orchestrator/state/paths.ts';
import { diskWithCache } from '../../cache-of-tests.ts';
import { mountsDisks, SmallDisk } from './small-disk.ts';
import { Tiny } from './tiny.ts';

const WHY = mountsDisks ? '' : ' (skipped: only root on Linux may mount a small disk)';

/** Bytes of the data of one process, and of the disk. */
const DATA = 12_000_000;
const DISK = 70_000_000;

interface Status {
  readonly phase: string;
  readonly chains: readonly { readonly nodes: readonly { readonly el: { readonly pid: number } }[] }[];
}

describe.skipIf(!mountsDisks)(`a change that a full disk refuses leaves the network as it was${WHY}`, () => {
  /** Starts a network on a small disk. The verifier's execution client holds `then` and the bytes. */
  async function start(tiny: Tiny) {
    const disk = new SmallDisk(tiny.home, DISK);
    diskWithCache(tiny.home);
    const up = await tiny.run('up', tiny.spec('full', { chain: 'forks: { base: holocene, isthmus: +1000s }' }), '-d');
    expect(up.code, up.stderr).toBe(0);
    write(tiny, 'then');
    writeFileSync(join(dirname(dataOf(tiny)), 'blocks'), Buffer.alloc(DATA, 1));
    return disk;
  }

  const folderOf = (tiny: Tiny) => pathsOf(tiny.home, 'full').folder;
  const dataOf = (tiny: Tiny) => join(folderOf(tiny), 'nodes/main/verifier/el/data/chain');
  const read = (tiny: Tiny) => readFileSync(dataOf(tiny), 'utf8');

  function write(tiny: Tiny, text: string): void {
    mkdirSync(dirname(dataOf(tiny)), { recursive: true });
    writeFileSync(dataOf(tiny), text);
  }

  /** Returns the pids of all nodes. */
  async function pids(tiny: Tiny): Promise<readonly number[]> {
    return (await tiny.json<Status>('status')).chains[0]!.nodes.map(({ el }) => el.pid);
  }

  /** Resolves when the network is ready: health says that a disk is full, too. */
  async function makeSpace(tiny: Tiny, disk: SmallDisk): Promise<void> {
    disk.clear();
    await expect.poll(async () => (await tiny.json<Status>('status')).phase).toMatch(/ready|stopped|failed/);
  }

  const refused = { code: expect.not.toSatisfy((code) => code === 0), stderr: expect.stringMatching(/ENOSPC/) };

  it('a restore keeps the processes and their data when the disk is full', async () => {
    await using tiny = new Tiny();
    using disk = await start(tiny);
    expect(await tiny.run('snapshot', 'save', 'first')).toMatchObject({ code: 0 });
    write(tiny, 'now');
    const before = await pids(tiny);
    disk.fill(DATA / 2);
    const { code, stderr } = await tiny.run('snapshot', 'restore', 'first');
    expect(stderr).toMatch(/ENOSPC.*free some space/s);
    expect(code).not.toBe(0);
    expect(read(tiny)).toBe('now');
    expect(await pids(tiny)).toEqual(before);
    expect(existsSync(join(folderOf(tiny), 'exchange'))).toBe(false);
    await makeSpace(tiny, disk);
    expect(await tiny.run('snapshot', 'restore', 'first')).toMatchObject({ code: 0 });
    expect(read(tiny)).toBe('then');
  });

  it('a save leaves nothing when the disk is full', async () => {
    await using tiny = new Tiny();
    using disk = await start(tiny);
    disk.fill(DATA / 2);
    const { code, stderr } = await tiny.run('snapshot', 'save', 'first');
    expect(stderr).toMatch(/ENOSPC.*free some space/s);
    expect(code).not.toBe(0);
    expect(readdirSync(snapshotsFolder(tiny.home))).toEqual([]);
    await pids(tiny);
  });

  it('a reset and a change of fork times keep a node when the disk is full', async () => {
    await using tiny = new Tiny();
    using disk = await start(tiny);
    const before = await pids(tiny);
    const plan = readFileSync(pathsOf(tiny.home, 'full').plan, 'utf8');
    disk.fill();
    for (const change of [
      ['node', 'reset', 'verifier.el', '--override', 'isthmus=+2000s'],
      ['node', 'restart', 'verifier', '--override', 'isthmus=+2000s'],
      ['fork', 'isthmus=+2000s'],
    ]) {
      expect(await tiny.run(...change)).toMatchObject(refused);
      expect(read(tiny)).toBe('then');
      expect(readFileSync(pathsOf(tiny.home, 'full').plan, 'utf8')).toBe(plan);
      expect(await pids(tiny)).toEqual(before);
    }
    await makeSpace(tiny, disk);
    expect(await tiny.run('node', 'reset', 'verifier.el')).toMatchObject({ code: 0 });
    expect(existsSync(dataOf(tiny))).toBe(false);
  });

  it('a start of a stopped network is refused when the disk is full', async () => {
    await using tiny = new Tiny();
    using disk = await start(tiny);
    expect(await tiny.run('stop', 'full')).toMatchObject({ code: 0 });
    const state = readFileSync(pathsOf(tiny.home, 'full').state, 'utf8');
    disk.fill();
    const { closed, stderr } = tiny.start(['start', 'full']);
    expect((await closed).code).not.toBe(0);
    expect(stderr()).toMatch(/ENOSPC.*free some space/s);
    expect(readFileSync(pathsOf(tiny.home, 'full').state, 'utf8')).toBe(state);
    expect(read(tiny)).toBe('then');
    await makeSpace(tiny, disk);
    expect(await tiny.run('start', 'full')).toMatchObject({ code: 0 });
    await pids(tiny);
  });

  it('a network that replaces a failed one is refused when the disk is full', async () => {
    await using tiny = new Tiny();
    using disk = await start(tiny);
    expect(await tiny.run('snapshot', 'save', 'first')).toMatchObject({ code: 0 });
    process.kill((await pids(tiny))[1]!, 'SIGTERM');
    await tiny.nothingLeft();
    expect(await tiny.json<Status>('status')).toMatchObject({ phase: 'failed' });
    write(tiny, 'failed');
    disk.fill(DATA / 2);
    const { closed, stderr } = tiny.start(['up', '--from', 'first', '-d']);
    expect((await closed).code).not.toBe(0);
    expect(stderr()).toMatch(/ENOSPC.*free some space/s);
    expect(read(tiny)).toBe('failed');
    expect(await tiny.json<Status>('status')).toMatchObject({ phase: 'failed' });
    await makeSpace(tiny, disk);
    expect(await tiny.start(['up', '--from', 'first', '-d']).closed).toMatchObject({ code: 0 });
    expect(read(tiny)).toBe('then');
    await tiny.run('down', '--all');
    expect(readdirSync(tiny.home).filter((name) => !name.startsWith('.'))).toEqual([]);
  });
});
