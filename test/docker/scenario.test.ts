import { expect, it } from 'vitest';
import { Home } from '../e2e/devnet.ts';
import { leftInDocker, NO_DOCKER } from './support.ts';

const folderOf = (home: Home) => home.env['DEVNET_HOME'] ?? '';

const network = {
  seed: 7,
  time: { clock: 'stepped', genesis: 1_800_000_000 },
  chains: { main: { blockTime: 2, forks: { base: 'isthmus', jovian: { block: 8 } } } },
};

it.skipIf(NO_DOCKER !== undefined)('a scenario passes in containers', async () => {
  await using home = new Home();
  const file = home.spec('scenario', {
    version: 1,
    name: 'boxed',
    devnet: { ...network, runtime: 'docker' },
    steps: [
      { load: { kind: 'transfers', count: 5 } },
      { warp: '+40s' },
      { wait: 'fork:jovian' },
      { node: { kill: 'verifier' } },
      { node: { start: 'verifier' } },
      { wait: 'safe:8' },
      { expect: { agree: true, within: '20s' } },
    ],
  });
  const { code, stdout, stderr } = await home.devnet('run', file, '--json', '--ready-budget', '300s');
  expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('"passed": true'), expect.anything()]);
  expect(leftInDocker(folderOf(home))).toEqual([]);
});

it.skipIf(NO_DOCKER !== undefined)(
  'a stepped network makes the same blocks in containers as in processes',
  async () => {
    await using home = new Home();
    const headAfter = async (name: string, runtime: object) => {
      await home.up(home.spec(name, { ...network, ...runtime, name: 'same' }), '--ready-budget', '3m');
      expect((await home.devnet('warp', '+40s')).code).toBe(0);
      const heads = (await home.status()).chains[0]?.nodes.map((node) => node.heads.unsafe);
      expect((await home.devnet('down')).code).toBe(0);
      return heads;
    };
    const inProcesses = await headAfter('native', {});
    expect(inProcesses?.[0]?.number).toBeGreaterThan(15);
    expect(await headAfter('boxed', { runtime: 'docker' })).toEqual(inProcesses);
  },
);
