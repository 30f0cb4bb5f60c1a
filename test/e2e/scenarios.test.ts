import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Home, root } from './devnet.ts';

const SCENARIOS = readdirSync(join(root, 'devnets', 'scenarios')).map((file) => file.replace(/\.yaml$/, ''));

interface Result {
  readonly name: string;
  readonly passed: boolean;
  readonly seed: number;
  readonly steps: readonly { step: string; status: string; evidence: Record<string, unknown> }[];
}

describe('scenarios', { concurrent: true }, () => {
  it.each(SCENARIOS)('%s passes and leaves nothing', async (name) => {
    await using home = new Home();
    const { code, stdout, stderr } = await home.devnet('run', name, '--json');
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ name, passed: true });
    expect(await home.json<unknown[]>('ls')).toEqual([]);
    expect(home.leftovers()).toEqual([]);
  });
});

it('a scenario that fails exits with 1, says why and keeps its logs; the next run replaces them', async () => {
  await using home = new Home();
  const path = home.spec('fails', {
    name: 'fails',
    devnet: { ports: 'auto', chains: { a: { blockTime: 1, nodes: { s: { role: 'sequencer' } } } } },
    steps: [
      { exec: { run: 'echo "$DEVNET_L2_CHAIN_ID"', stdout: '^901$', as: 'id' } },
      { exec: 'test ${id.stdout} = 901' },
      { parallel: [{ wait: 'block:1' }, { exec: { run: 'exit 3', exits: 3 } }] },
      { expect: { head: { advances: 1000 }, within: '1s' } },
      { wait: 'block:2' },
    ],
  });
  const junit = join(home.folder, 'junit.xml');
  const { code, stdout, stderr } = await home.devnet('run', path, '--json', '--junit', junit);
  expect(code, stderr).toBe(1);
  const result = JSON.parse(stdout) as Result & { folder: string };
  expect(result.steps.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'failed', 'skipped']);
  expect(result.steps[3]?.evidence).toMatchObject({ phase: 'ready', nodes: [{ node: 'a/s', el: 'ready' }] });
  expect(stderr).toMatch(/FAILED +4\/5 +expect .*\n +.*fails\.yaml:\d+\n +not within 1 s/);
  expect(stderr).toContain(`logs are kept in ${result.folder}`);
  expect(existsSync(join(result.folder, 'nodes'))).toBe(true);
  expect(readFileSync(junit, 'utf8')).toMatch(/tests="5".*failures="1".*skipped="1"/);
  expect(home.leftovers()).toEqual([]);
  const again = await home.devnet('run', path);
  expect(again.code, again.stderr).toBe(1);
});
