import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reservationsOf } from '../../../src/orchestrator/ports/reservations.ts';
import { portsFolder } from '../../../src/orchestrator/state/paths.ts';
import { Tiny } from './tiny.ts';

it('gc empties the cache and removes failed devnets and stale files, not running or stopped ones', async () => {
  await using tiny = new Tiny();
  for (const name of ['runs', 'rests']) expect((await tiny.run('up', tiny.spec(name), '-d')).code).toBe(0);
  expect((await tiny.run('stop', 'rests')).code).toBe(0);
  const failing = tiny.spec('failing', { el: 'args: { crash: "1" }' });
  expect((await tiny.run('up', failing, '-d')).code).toBe(1);
  const [locks, cache] = ['.locks', '.cache'].map((name) => join(tiny.home, name));
  const reserved = () => ['runs', 'rests', 'x'].map((name) => reservationsOf({ home: tiny.home, name }).length);
  const before = reserved();
  expect(before).toEqual([expect.any(Number), before[0], 0]);
  const owner = JSON.stringify({
    pid: 2 ** 22 + 1,
    started: '1',
    boot: 'before',
    since: 0,
    role: 'supervisor',
    name: 'x',
  });
  writeFileSync(join(locks!, 'x'), owner);
  writeFileSync(join(portsFolder(), '1'), JSON.stringify({ ...JSON.parse(owner), home: tiny.home }));
  expect(reserved()[2]).toBe(1);
  writeFileSync(join(locks!, 'x.1.abc.tmp'), '');
  utimesSync(join(locks!, 'x.1.abc.tmp'), 1, 1);
  mkdirSync(join(tiny.home, 'no-devnet-yet'));
  const snapshots = join(tiny.home, '.snapshots');
  mkdirSync(snapshots);
  for (const name of ['kept.tgz', '.kept.lock', '.4194305-ab.parts.tgz', '.4194305-cd.parts.tgz'])
    writeFileSync(join(snapshots, name), owner);
  utimesSync(join(snapshots, '.4194305-ab.parts.tgz'), 1, 1);

  const young = await tiny.json<{ cacheBytes: number; devnets: string[] }>('gc');
  expect(young.devnets).toEqual([]);
  expect(young.cacheBytes).toBeGreaterThan(9_000_000);
  expect(existsSync(cache!)).toBe(false);
  expect(readdirSync(locks!)).toEqual(['runs']);
  expect(reserved()).toEqual(before);
  // A young one can be of a process that this machine does not show, as in a container.
  expect(readdirSync(snapshots)).toEqual(['.4194305-cd.parts.tgz', 'kept.tgz']);
  const old = await tiny.json<{ cacheBytes: number; devnets: string[] }>('gc', '--older-than', '1ms');
  expect(old).toEqual({ cacheBytes: expect.any(Number), devnets: ['failing', 'no-devnet-yet'] });

  await tiny.ready('runs');
  expect(await tiny.json<{ name: string; phase: string }[]>('ls')).toMatchObject([
    { name: 'rests', phase: 'stopped' },
    { name: 'runs', phase: 'ready' },
  ]);
  expect((await tiny.run('start', 'rests')).code).toBe(0);
  await tiny.run('down', '--all');
  expect([readdirSync(locks!), reserved()]).toEqual([[], [0, 0, 0]]);
});
