import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { processesOf } from '../../src/system/process/container-processes.ts';
import { processTable } from '../../src/system/process/table.ts';
import { threadTimes } from '../../src/system/process/thread-times.ts';
import { Home } from '../e2e/devnet.ts';
import { docker, leftInDocker, NO_DOCKER } from './support.ts';

const folderOf = (home: Home) => home.env['DEVNET_HOME'] ?? '';

describe.skipIf(NO_DOCKER !== undefined)(`networks in containers${NO_DOCKER ? ` (${NO_DOCKER})` : ''}`, () => {
  it('the default network agrees, is paused, restarted and stopped in containers, and leaves nothing', async () => {
    await using home = new Home();
    const status = await home.up('default', '--runtime', 'docker', '-n', 'boxes', '--ready-budget', '3m');
    const containers = leftInDocker(folderOf(home));
    for (const name of ['-l1', '-l1-beacon', '-sequencer-cl', '-verifier-el', '-verifier-cl', '-batcher', '-link'])
      expect(containers).toContainEqual(expect.stringMatching(new RegExp(`${name}$`)));
    const el = status.chains[0]?.nodes[0]?.el;
    expect(el?.container).toMatch(/^devnet-boxes-[0-9a-f]{6}-main-sequencer-el$/);
    expect(el?.pid).toBeNull();

    // Ports are published on loopback alone, by one container; no process in any is root.
    const published = docker('ps', '--filter', `label=rollup-devnet.devnet=boxes`, '--format', '{{.Ports}}');
    const hosts = [...published.matchAll(/([\d.]+):\d+->/g)].map(([, host]) => host);
    expect(hosts.length).toBeGreaterThan(10);
    expect(hosts.every((host) => host?.startsWith('127.'))).toBe(true);
    const [user, capabilities] = docker(
      'inspect',
      el?.container ?? '',
      '--format',
      '{{.Config.User}} {{.HostConfig.CapDrop}}',
    ).split(' ');
    expect(user).not.toMatch(/^0/);
    expect(capabilities).toBe('[ALL]');

    // The time for which a busy machine did not let them run is known as that of processes is.
    const [id = '', first] = docker('inspect', el?.container ?? '', '--format', '{{.Id}} {{.State.Pid}}').split(' ');
    const processes = processesOf(id, Number(first));
    const commands = processes.map((pid) => processTable().command(pid));
    expect(commands).toContainEqual(expect.stringContaining('execution-client.js'));
    const ran = processes.flatMap((pid) => [...threadTimes(pid).values()]).reduce((sum, time) => sum + time.ran, 0);
    expect(ran).toBeGreaterThan(0);
    expect(processesOf(id, process.pid)).toEqual([]);
    expect(processesOf('0'.repeat(64), Number(first))).toEqual([]);

    await home.agrees();
    expect((await home.devnet('node', 'pause', 'verifier')).code).toBe(0);
    expect(
      docker(
        'ps',
        '--filter',
        'label=rollup-devnet.devnet=boxes',
        '--filter',
        'status=paused',
        '--format',
        '{{.Names}}',
      ).split('\n'),
    ).toHaveLength(2);
    expect((await home.devnet('node', 'resume', 'verifier')).code).toBe(0);
    expect((await home.devnet('node', 'kill', 'verifier.cl')).code).toBe(0);
    expect((await home.devnet('node', 'start', 'verifier.cl')).code).toBe(0);
    expect((await home.devnet('node', 'reset', 'verifier')).code).toBe(0);
    expect((await home.devnet('warp', '+1m')).code).toBe(0);
    await home.agrees();

    const before = (await home.status()).chains[0]?.nodes[0]?.heads.unsafe?.number ?? 0;
    expect((await home.devnet('stop')).code).toBe(0);
    expect(leftInDocker(folderOf(home))).toEqual([]);
    expect((await home.devnet('start')).code).toBe(0);
    expect((await home.status()).chains[0]?.nodes[0]?.heads.unsafe?.number).toBeGreaterThanOrEqual(before);
    expect(readFileSync(`${folderOf(home)}/boxes/nodes/main/sequencer/cl.log`, 'utf8')).toContain('\n');
    expect((await home.devnet('down')).code).toBe(0);
    expect(leftInDocker(folderOf(home))).toEqual([]);
  });

  it.each([
    ['a verifier in containers beside a sequencer in processes', 'verifier'],
    ['a sequencer in containers beside a verifier in processes', 'sequencer'],
  ])('%s', async (_, inside) => {
    await using home = new Home();
    const part = { runtime: 'docker' };
    const node = (role: string) => ({ role, ...(role === inside ? { el: part, cl: part } : {}) });
    const spec = home.spec('mixed', {
      name: `mixed-${inside}`,
      chains: { main: { blockTime: 1, nodes: { sequencer: node('sequencer'), verifier: node('verifier') } } },
    });
    const status = await home.up(spec, '--ready-budget', '3m');
    const containers = status.chains[0]?.nodes.map(({ name, el }) => [name, el.container !== undefined]);
    expect(Object.fromEntries(containers ?? [])).toEqual({
      sequencer: inside === 'sequencer',
      verifier: inside === 'verifier',
    });
    expect((await home.devnet('wait', 'safe:2', '--timeout', '120s')).code).toBe(0);
    await home.agrees();
    expect((await home.devnet('down')).code).toBe(0);
    expect(leftInDocker(folderOf(home))).toEqual([]);
  });
});
