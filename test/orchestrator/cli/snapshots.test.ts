import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { create, extract } from 'tar';
import { beforeAll, describe, expect, it } from 'vitest';
import { cacheFolder, pathsOf, snapshotsFolder } from '../../../src/orchestrator/state/paths.ts';
import { Tiny } from './tiny.ts';

interface Status {
  readonly chains: readonly { readonly nodes: readonly { readonly el: { readonly pid: number } }[] }[];
}

/** A file among the data of a process. */
const dataIn = (tiny: Tiny, name: string) =>
  join(pathsOf(tiny.home, name).folder, 'nodes', 'main', 'verifier', 'el', 'data', 'chain');

const stored = (tiny: Tiny, name: string) => join(snapshotsFolder(tiny.home), `${name}.tgz`);

/** Returns that file of each unpacked snapshot. Tests of other files have copies in the same cache. */
const copies = (tiny: Tiny) =>
  readdirSync(cacheFolder(tiny.home, 'snapshots'))
    .map((copy) => join(cacheFolder(tiny.home, 'snapshots'), copy, 'data/nodes/main/verifier/el/data/chain'))
    .filter((file) => existsSync(file));

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

it('a running network goes back to a snapshot, and another one begins with it', async () => {
  await using tiny = new Tiny();
  const spec = tiny.spec('back');
  expect(await tiny.start(['up', spec, '-d']).closed).toMatchObject({ code: 0 });
  const data = dataIn(tiny, 'back');
  const pidOf = async () => (await tiny.json<Status>('status')).chains[0]!.nodes[1]!.el.pid;
  write(data, 'then');
  expect(await tiny.run('snapshot', 'save', 'first')).toMatchObject({ code: 0 });
  expect(statSync(stored(tiny, 'first')).mode & 0o777).toBe(0o600);
  expect(await tiny.run('snapshot', 'save', 'first')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/there is a snapshot first/),
  });
  expect(await tiny.run('snapshot', 'save', '../first')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/"\.\.\/first" cannot be a snapshot's name/),
  });
  write(data, 'now');
  const pid = await pidOf();

  await tiny.run('node', 'stop', 'verifier.el');
  expect(await tiny.run('snapshot', 'restore', 'first')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/main\/verifier\/el is stopped: start it first.*nothing was done/s),
  });
  expect(await tiny.run('snapshot', 'save', 'half')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is stopped/),
  });
  expect(existsSync(stored(tiny, 'half'))).toBe(false);
  await tiny.run('node', 'start', 'verifier.el');
  expect(readFileSync(data, 'utf8')).toBe('now');

  // Of two at once, the supervisor does one.
  const two = await Promise.all([1, 2].map(() => tiny.run('snapshot', 'restore', 'first')));
  expect(two.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(two.find(({ code }) => code === 1)?.stderr).toMatch(/the return to a snapshot is under way/);
  expect(readFileSync(data, 'utf8')).toBe('then');
  expect(await pidOf()).not.toBe(pid);

  const other = tiny.spec('other', { chain: 'chainId: 77' });
  expect(await tiny.start(['up', other, '--from', 'first', '-d']).closed).toMatchObject({ code: 2 });
  expect(await tiny.start(['up', spec, '--from', 'first', '--name', 'again', '-d']).closed).toMatchObject({ code: 0 });
  expect(readFileSync(dataIn(tiny, 'again'), 'utf8')).toBe('then');
  await tiny.run('down', '--all');
  // The unpacked copy is damaged: the archive is unpacked again.
  const [copy = ''] = copies(tiny);
  writeFileSync(copy, 'thEn');
  expect(await tiny.start(['up', spec, '--from', 'first', '-d']).closed).toMatchObject({ code: 0 });
  expect(readFileSync(data, 'utf8')).toBe('then');
  expect(readFileSync(copy, 'utf8')).toBe('then');
  await tiny.run('down', '--all');
  expect(await tiny.json<readonly { readonly name: string }[]>('snapshot', 'ls')).toMatchObject([{ name: 'first' }]);
  expect(await tiny.run('snapshot', 'rm', 'first')).toMatchObject({ code: 0 });
  expect(copies(tiny)).toEqual([]);
  expect(await tiny.run('snapshot', 'rm', 'first')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no snapshot first/),
  });
});

it('snapshot save refuses one of two saves under a name, and leaves the name free when killed', async () => {
  await using tiny = new Tiny();
  const names = ['one', 'two'];
  const ups = names.map((name) => tiny.start(['up', tiny.spec(name), '-d']).closed);
  expect((await Promise.all(ups)).map(({ code }) => code)).toEqual([0, 0]);
  // Packing takes long enough for both to be under way.
  for (const name of names) write(dataIn(tiny, name), randomBytes(12e6).toString('hex'));
  const both = await Promise.all(
    names.map(async (name) => {
      const { closed, stderr } = tiny.start(['snapshot', 'save', 'same', '--name', name]);
      return { ...(await closed), stderr: stderr() };
    }),
  );
  expect(both.map(({ code }) => code).sort()).toEqual([0, 2]);
  expect(both.find(({ code }) => code === 2)?.stderr).toMatch(
    /there is a snapshot same already|process \d+ saves a snapshot same at this moment/,
  );
  const saved = both.findIndex(({ code }) => code === 0);
  await extract({ file: stored(tiny, 'same'), cwd: tiny.home });
  expect(JSON.parse(readFileSync(join(tiny.home, 'snapshot.json'), 'utf8'))).toMatchObject({ devnet: names[saved] });
  expect(readdirSync(snapshotsFolder(tiny.home))).toEqual(['same.tgz']);

  const killed = tiny.start(['snapshot', 'save', 'cut', '--name', 'one']);
  // Its lock is there before the first file of the snapshot, and goes after the last.
  await expect.poll(() => readdirSync(snapshotsFolder(tiny.home)), { interval: 1 }).toContain('.cut.lock');
  killed.child.kill('SIGKILL');
  await killed.closed;
  expect(existsSync(stored(tiny, 'cut'))).toBe(false);
  expect(await tiny.json<readonly unknown[]>('snapshot', 'ls')).toHaveLength(1);
  // The supervisor copies on for the one that is gone.
  await expect
    .poll(async () => (await tiny.run('snapshot', 'save', 'cut', '--name', 'one')).stderr, { interval: 50 })
    .toMatch(/^saved one/);
  await tiny.ready('one');
});

describe('a snapshot is refused, and the network runs on', () => {
  let file = '';
  let spec = '';
  const shared = new Tiny();
  beforeAll(async () => {
    spec = shared.spec('kept', { chain: 'forks: { base: holocene, isthmus: +1000s }' });
    expect(await shared.start(['up', spec, '-d']).closed).toMatchObject({ code: 0 });
    write(dataIn(shared, 'kept'), 'then');
    expect(await shared.run('snapshot', 'save', 'whole')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^saved/),
    });
    file = stored(shared, 'whole');
    return () => shared[Symbol.asyncDispose]();
  });

  /** Packs the snapshot again after a change of its unpacked files. */
  async function repacked(path: string, change: (folder: string) => void): Promise<void> {
    const folder = `${path}.parts`;
    mkdirSync(folder);
    await extract({ file, cwd: folder });
    change(folder);
    await create({ gzip: true, file: path, cwd: folder }, ['snapshot.json', 'data']);
  }

  const manifest = (change: (value: Record<string, unknown>) => void) => (folder: string) => {
    const path = join(folder, 'snapshot.json');
    const value = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    change(value);
    writeFileSync(path, JSON.stringify(value));
  };

  const CASES: readonly [string, (path: string) => void | Promise<void>, RegExp][] = [
    ['cut short', (path) => truncateSync(path, statSync(path).size - 100), /cut short/],
    [
      'with a flipped byte',
      (path) => {
        writeFileSync(path, flipped(readFileSync(path)));
      },
      /damaged or cut short/,
    ],
    ['no archive', (path) => writeFileSync(path, 'hello'), /damaged or cut short/],
    [
      'of another version',
      (path) =>
        repacked(
          path,
          manifest((it) => (it['version'] = '0.0.1')),
        ),
      /devnet 0\.0\.1 took/,
    ],
    [
      'of another format',
      (path) =>
        repacked(
          path,
          manifest((it) => (it['format'] = 9)),
        ),
      /another version of devnet/,
    ],
    [
      'of another platform',
      (path) =>
        repacked(
          path,
          manifest((it) => (it['platform'] = 'x')),
        ),
      /taken on x/,
    ],
    [
      'of another network',
      (path) =>
        repacked(
          path,
          manifest((it) => (it['facts'] = { ...Object(it['facts']), clock: 'stepped' })),
        ),
      /another network than kept; clock: stepped in the snapshot, wall in the network/,
    ],
    [
      'with a changed file',
      (path) => repacked(path, (folder) => write(join(folder, 'data/nodes/main/verifier/el/data/chain'), 'THEN')),
      /el\/data\/chain is damaged/,
    ],
    [
      'with a file too many',
      (path) => repacked(path, (folder) => write(join(folder, 'data/nodes/extra'), 'x')),
      /extra is not in its list/,
    ],
  ];

  /** Flips a bit that matters: in compressed zeros, one may stand for the same bytes as before. */
  function flipped(bytes: Buffer): Buffer {
    for (let at = bytes.length - 200; ; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      try {
        gunzipSync(changed);
      } catch {
        return changed;
      }
    }
  }

  it.each(CASES)('%s', async (name, change, why) => {
    const path = join(shared.folder, `${name.replaceAll(' ', '-')}.tgz`);
    cpSync(file, path);
    await change(path);
    const outcome = await shared.run('snapshot', 'restore', `./${basename(path)}`, '-n', 'kept');
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringMatching(why) });
    expect(readFileSync(dataIn(shared, 'kept'), 'utf8')).toBe('then');
  });

  it('an earlier version: a network has a short portal, and up and start say so', async () => {
    const path = join(shared.folder, 'earlier.tgz');
    await repacked(
      path,
      manifest((it) => {
        // Raised with the ether that portals hold.
        expect(it['portals']).toEqual({ 901: '100000000000000000000256' });
        delete it['portals'];
      }),
    );
    const begin = async (from: string, name: string) => {
      const { closed, stderr } = shared.start(['up', '--from', from, '--name', name, '-d']);
      expect([(await closed).code, stderr()]).toEqual([0, expect.anything()]);
      return stderr();
    };
    const short =
      /^main: its portal on L1 holds 0 wei of the 100,000\.000000000000000256 ether .*: an earlier version/m;
    expect(await begin('./earlier.tgz', 'earlier')).toMatch(short);
    expect(await shared.run('snapshot', 'save', 'later', '-n', 'earlier')).toMatchObject({ code: 0 });
    expect(await begin('later', 'later')).toMatch(short);
    expect(await begin('whole', 'whole')).not.toContain('portal');
    const again = async () => {
      await shared.run('stop', 'whole');
      const { closed, stderr } = shared.start(['start', 'whole']);
      expect([(await closed).code, stderr()]).toEqual([0, expect.anything()]);
      return stderr();
    };
    expect(await again()).not.toContain('portal');
    const plan = pathsOf(shared.home, 'whole').plan;
    // As an earlier version wrote it.
    writeFileSync(plan, readFileSync(plan, 'utf8').replaceAll(/,\s*"portalBalance":\s*"\d+"/g, ''));
    expect(await again()).toMatch(short);
    for (const name of ['earlier', 'later', 'whole']) await shared.run('down', name);
  });

  it('after a change of fork times', async () => {
    const change = ['node', 'restart', 'verifier', '--override', 'isthmus=+2000s', '-n', 'kept'];
    expect(await shared.run(...change)).toMatchObject({ code: 0 });
    expect(await shared.run('snapshot', 'restore', 'whole', '-n', 'kept')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/isthmus of main\/verifier: absent in the snapshot, \d+ in the network/),
    });
  });
});
