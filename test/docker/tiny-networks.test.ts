import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';
import { BASE, docker, listeningAt, NO_DOCKER } from './support.ts';
import { Boxes } from './tiny.ts';

/** Sends a datagram to a port of loopback until one comes back. */
async function echoed(port: number, text: string): Promise<string> {
  const socket = createSocket('udp4');
  const again = setInterval(() => socket.send(text, port, '127.0.0.1'), 100);
  try {
    const [answer] = (await once(socket, 'message')) as [Buffer];
    return answer.toString();
  } finally {
    clearInterval(again);
    socket.close();
  }
}

describe.skipIf(NO_DOCKER !== undefined)(`tiny networks in containers${NO_DOCKER ? ` (${NO_DOCKER})` : ''}`, () => {
  it('limits reach the daemon, ports are published on loopback alone, and a lost link ends all', async () => {
    await using boxes = new Boxes();
    const spec = boxes.spec('bounded', { el: 'limits: { cpus: 0.5, memory: 300 MB }' });
    const up = boxes.start(['up', spec, '--ready-budget', '3m']);
    await expect.poll(up.stderr, { timeout: 180_000 }).toContain('bounded is ready');
    const [el, link] = ['main-verifier-el', 'link'].map(
      (end) =>
        boxes
          .left()
          .find((line) => line.endsWith(end))
          ?.split(' ')[1] ?? '',
    );
    const { NanoCpus, Memory, MemorySwap } = JSON.parse(
      docker('inspect', el ?? '', '--format', '{{json .HostConfig}}'),
    ) as Record<string, number>;
    expect([NanoCpus, Memory, MemorySwap]).toEqual([5e8, 3e8, 3e8]);

    const { tasks } = JSON.parse(readFileSync(join(boxes.home, 'bounded', 'plan.json'), 'utf8')) as Plan;
    const ports = tasks.flatMap((task) => task.ports);
    const published = docker('port', link ?? '').split('\n');
    expect(published).toHaveLength(ports.length);
    for (const { port, transport } of ports)
      expect(published).toContainEqual(expect.stringMatching(new RegExp(`/${transport} -> 127\\.[\\d.]+:${port}$`)));
    const addresses = listeningAt(ports.map(({ port }) => port));
    expect(addresses.length).toBeGreaterThanOrEqual(ports.length);
    expect(addresses.filter((address) => !address.startsWith('127.'))).toEqual([]);

    const discovery = tasks
      .find(({ id }) => id === 'main/verifier/el')
      ?.ports.find(({ transport }) => transport === 'udp');
    expect(await echoed(discovery?.port ?? 0, 'ping')).toBe('ping');

    docker('rm', '-f', link ?? '');
    expect(await up.closed).toEqual({ code: 1, signal: null });
    expect(boxes.left()).toEqual([]);
  });

  it('a start reports the taken name of a container or network, and leaves nothing', async () => {
    await using boxes = new Boxes();
    const spec = boxes.spec('named');
    const up = boxes.start(['up', spec, '--ready-budget', '3m']);
    await expect.poll(up.stderr, { timeout: 180_000 }).toContain('named is ready');
    const name = boxes
      .left()
      .find((line) => line.endsWith('-l1'))
      ?.split(' ')[1];
    const network = (name ?? '').replace(/-l1$/, '');
    expect((await boxes.run('down', 'named')).code).toBe(0);
    await up.closed;

    docker('create', '--name', name ?? '', BASE, 'node');
    const refused = boxes.start(['up', spec]);
    expect((await refused.closed).code).toBe(4);
    expect(refused.stderr()).toMatch(new RegExp(`the container name /${name} is taken by another container`));
    docker('rm', name ?? '');

    docker('network', 'create', network);
    const second = boxes.start(['up', spec]);
    expect((await second.closed).code).toBe(4);
    expect(second.stderr()).toMatch(new RegExp(`the network name ${network} is taken by another network`));
    docker('network', 'rm', network);
    expect(boxes.left()).toEqual([]);
  });
});
