import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';
import { Home, node, rpc } from '../e2e/devnet.ts';
import { leftInDocker, listeningAt, NO_DOCKER } from './support.ts';

const folderOf = (home: Home) => home.env['DEVNET_HOME'] ?? '';

/** Height of the fork block of the sample scenario. */
const ACTIVATION = 14;

describe.skipIf(NO_DOCKER !== undefined)(`samples in containers${NO_DOCKER ? ` (${NO_DOCKER})` : ''}`, () => {
  it.each([
    ['default', 'safe:3'],
    ['fork-drill', 'safe:26'],
    ['mixed', 'safe:3'],
  ])('%s listens on loopback only, and agrees up to %s', async (sample, reached) => {
    await using home = new Home();
    const { name } = await home.up(sample, '--runtime', 'docker', '--set', 'ports=auto');
    const { tasks } = JSON.parse(readFileSync(join(folderOf(home), name, 'plan.json'), 'utf8')) as Plan;
    expect(tasks.filter(({ container }) => container === undefined)).toEqual([]);
    const ports = tasks.filter(({ late }) => late !== true).flatMap((task) => task.ports.map(({ port }) => port));
    const sockets = listeningAt(ports);
    expect(sockets.length).toBeGreaterThanOrEqual(ports.length);
    expect(sockets.filter((address) => !address.startsWith('127.'))).toEqual([]);
    const { code, stderr } = await home.devnet('wait', reached, '--timeout', '240s');
    expect(code, stderr).toBe(0);
    await home.agrees();
    expect((await home.devnet('down')).code).toBe(0);
    expect(leftInDocker(folderOf(home))).toEqual([]);
  });

  it('a sample scenario has the same blocks in containers as in processes', async () => {
    await using home = new Home();
    const blocksOf = async (...runtime: readonly string[]) => {
      const words = ['run', 'isthmus-activation', '--json', '--keep', '--ready-budget', '300s', ...runtime];
      const { code, stdout, stderr } = await home.devnet(...words);
      expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('"passed": true'), expect.anything()]);
      const status = await home.status();
      const inContainers = status.chains[0]?.nodes.map(({ el }) => el.container !== undefined);
      expect(new Set(inContainers)).toEqual(new Set([runtime.length > 0]));
      const { el, heads } = node(status, 's');
      const hashAt = async (height: number) => {
        const params = [`0x${height.toString(16)}`, false];
        return (await rpc<{ readonly hash: string }>(el.http, 'eth_getBlockByNumber', ...params)).hash;
      };
      const head = heads.unsafe;
      expect(head?.number).toBeGreaterThan(ACTIVATION);
      const blocks = { activation: await hashAt(ACTIVATION), head };
      await home.agrees();
      expect((await home.devnet('down')).code).toBe(0);
      return blocks;
    };
    const inProcesses = await blocksOf();
    expect(inProcesses.activation).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await blocksOf('--runtime', 'docker')).toEqual(inProcesses);
    expect(leftInDocker(folderOf(home))).toEqual([]);
  });
});
