import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { descendants } from '../../src/system/process/sweep.ts';
import { importBase, OwnDaemon } from './own-daemon.ts';
import { BASE, dockerAt, NO_DOCKER } from './support.ts';
import { Boxes } from './tiny.ts';

/** Why these tests cannot start daemons of their own beside the one that answers. */
const NONE =
  NO_DOCKER ??
  (process.getuid?.() !== 0 || spawnSync('dockerd', ['--version']).status !== 0
    ? 'a second daemon needs root and dockerd'
    : undefined);

describe.skipIf(NONE !== undefined)(`faults of a daemon${NONE ? ` (${NONE})` : ''}`, () => {
  it('a daemon that stops makes running networks degraded, and onExit applies when it is back', async () => {
    await using daemon = new OwnDaemon();
    await daemon.start();
    await importBase(daemon.host);
    await using boxes = new Boxes({ DOCKER_HOST: daemon.host });
    const ups = [
      boxes.start([
        'up',
        boxes.spec('again', { chain: 'onExit: restart', l1: 'onExit: restart' }),
        '--ready-budget',
        '3m',
      ]),
      boxes.start(['up', boxes.spec('fails'), '--ready-budget', '3m']),
    ] as const;
    for (const [index, name] of ['again', 'fails'].entries())
      await expect.poll(ups[index]?.stderr ?? (() => ''), { timeout: 180_000 }).toContain(`${name} is ready`);
    const status = (name: string) => boxes.json<{ phase: string; problems: { subject: string }[] }>('status', name);

    // What all containers of the network share ends long after them, as on a busy machine.
    const link = boxes.left().find((line) => /again-\w+-link$/.test(line)) ?? '';
    const first = dockerAt(daemon.host, 'inspect', link.split(' ')[1] ?? '', '--format', '{{.State.Pid}}');
    for (const { pid } of descendants([Number(first)])) process.kill(pid, 'SIGSTOP');
    await daemon.stop();
    await expect.poll(async () => (await status('again')).phase).toBe('degraded');
    expect((await status('again')).problems).toContainEqual(expect.objectContaining({ what: expect.anything() }));

    await daemon.start();
    expect((await ups[1].closed).code).toBe(1);
    expect(ups[1].stderr()).toMatch(/was ended by|ended with/);
    await expect.poll(async () => (await status('again')).phase, { timeout: 120_000 }).toBe('ready');
    // A network of which a stopping daemon lost count may stay until a second teardown.
    expect((await boxes.start(['down', '--all']).closed).code).toBe(0);
    expect(boxes.left()).toEqual([]);
  });

  it('a teardown without the daemon fails, and a second one removes the rest', async () => {
    await using daemon = new OwnDaemon('--live-restore');
    await daemon.start();
    await importBase(daemon.host);
    await using boxes = new Boxes({ DOCKER_HOST: daemon.host });
    const up = boxes.start(['up', boxes.spec('away'), '--ready-budget', '3m']);
    await expect.poll(up.stderr, { timeout: 180_000 }).toContain('away is ready');
    await daemon.stop();
    const down = async () => {
      const { closed, stderr } = boxes.start(['down', 'away']);
      return [(await closed).code, stderr()];
    };
    expect(await down()).toEqual([1, expect.stringMatching(/there is no Docker daemon|is stopped/)]);
    await daemon.start();
    expect(boxes.left()).not.toEqual([]);
    expect((await down())[0]).toBe(0);
    expect(boxes.left()).toEqual([]);
  });

  it('the daemon of the tests ends with all its containers, even if these outlive it', async () => {
    const daemon = new OwnDaemon('--live-restore');
    try {
      await daemon.start();
      await importBase(daemon.host);
      const endless = ['--network', 'none', BASE, 'node', '-e', 'setInterval(Date, 1e6)'];
      dockerAt(daemon.host, 'run', '--detach', '--init', ...endless);
      await daemon.stop();
      expect(daemon.processes().length).toBeGreaterThan(2);
    } finally {
      await daemon[Symbol.asyncDispose]();
    }
    expect(daemon.processes()).toEqual([]);
  });

  it('a start reports a daemon without a free subnet, or with a full disk, with what to do', async () => {
    await using daemon = new OwnDaemon('--default-address-pool', 'base=10.213.7.0/24,size=24');
    const data = join(daemon.folder, 'data');
    mkdirSync(data);
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'devnet-test', data]).status).toBe(0);
    try {
      await daemon.start();
      await importBase(daemon.host);
      await using boxes = new Boxes({ DOCKER_HOST: daemon.host });
      const spec = boxes.spec('full');
      const up = async () => {
        const { closed, stderr } = boxes.start(['up', spec, '-d', '--ready-budget', '3m']);
        return [(await closed).code, stderr()];
      };
      // The only subnet that the daemon has.
      dockerAt(daemon.host, 'network', 'create', 'other');
      expect(await up()).toEqual([4, expect.stringContaining("the disk of Docker's images and containers is full")]);
      expect(spawnSync('mount', ['-o', 'remount,size=2g', data]).status).toBe(0);
      expect(await up()).toEqual([4, expect.stringContaining('Docker has no free subnet')]);
      expect(boxes.left()).toEqual([]);
      dockerAt(daemon.host, 'network', 'rm', 'other');
    } finally {
      await daemon.stop();
      spawnSync('umount', ['-l', data]);
    }
  });
});
