import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { list } from 'tar';
import { expect, it } from 'vitest';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import type { ScenarioResult } from '../../../src/orchestrator/scenario/result.ts';
import { program } from '../supervisor/fixture-plan.ts';
import { mountsDisks } from './small-disk.ts';
import { Tiny } from './tiny.ts';

/** Writes a scenario whose network is one of tiny programs, on a clock that runs. */
function scenario(
  tiny: Tiny,
  name: string,
  steps: readonly unknown[],
  parts: Parameters<Tiny['spec']>[1] = {},
): string {
  const spec = readFileSync(tiny.spec(`${name}-spec`, parts), 'utf8').replace(/^(version|name): .*\n/gm, '');
  const devnet = `time: { clock: wall }\n${spec}`.replace(/^(?=.)/gm, '  ');
  const path = join(tiny.folder, `${name}.yaml`);
  writeFileSync(path, `version: 1\nname: ${name}\ndevnet:\n${devnet}\nsteps: ${JSON.stringify(steps)}\n`);
  return path;
}

it('Ctrl-C within a run takes the network down, one that was to be kept, too, and says at which step', async () => {
  await using tiny = new Tiny();
  const steps = [{ wait: 'block:1' }, { wait: { for: 'block:100000', timeout: '10m' } }, { wait: 'ready' }];
  const run = tiny.start(['run', scenario(tiny, 'held', steps), '--keep', '--json']);
  await expect.poll(run.stderr, { interval: 10 }).toContain('passed   1/3');
  run.child.kill('SIGINT');
  expect(await run.closed).toEqual({ code: 130, signal: null });
  expect(run.stderr()).toMatch(/FAILED {3}2\/3 {2}wait .*held\.yaml:\d+\n.*skipped {2}3\/3 {2}wait ready\n/s);
  expect(run.stderr()).toMatch(/held FAILED: 1 of 3 steps passed/);
  expect(JSON.parse(run.stdout())).not.toHaveProperty('folder');
  await tiny.nothingLeft();
  expect(existsSync(join(tiny.home, 'held'))).toBe(false);
});

it('--keep leaves the network running; a bundle of it can be written when it is stopped', async () => {
  await using tiny = new Tiny();
  const run = await tiny.run('run', scenario(tiny, 'kept', [{ wait: 'block:1' }]), '--keep', '--json');
  expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('`devnet down kept` ends it') });
  expect(await tiny.ready('kept')).toMatchObject({ name: 'kept' });
  expect((await tiny.run('stop', 'kept')).code).toBe(0);
  expect(await tiny.run('bundle', 'kept', '-o', 'kept.tgz')).toMatchObject({ code: 0 });
  const names: string[] = [];
  await list({ file: join(tiny.folder, 'kept.tgz'), onReadEntry: ({ path }) => void names.push(path) });
  for (const name of ['spec.yaml', 'plan.json', 'scenario.yaml']) expect(names).toContain(`kept/${name}`);
  expect(names.some((name) => name.endsWith('.log'))).toBe(true);
});

it('the step in which the network ends fails, and a step after the end is skipped', async () => {
  await using tiny = new Tiny();
  const steps = [{ wait: 'block:1' }, { wait: { for: 'block:100000', timeout: '10m' } }, { wait: 'block:1' }];
  const run = tiny.start(['run', scenario(tiny, 'over', steps), '--json']);
  await expect.poll(run.stderr, { interval: 10 }).toContain('passed   1/3');
  expect((await tiny.run('down', 'over')).code).toBe(0);
  expect(await run.closed).toEqual({ code: 1, signal: null });
  const result = JSON.parse(run.stdout()) as ScenarioResult;
  expect(result.steps.map(({ status }) => status)).toEqual(['passed', 'failed', 'skipped']);
  expect(result.steps[1]?.evidence).toEqual({ error: 'the network ended while this step ran' });
  await tiny.nothingLeft();
});

it('the step batcher moves the batches of a batcher whose template is the user’s own', async () => {
  await using tiny = new Tiny();
  const template = [
    'kind: batcher',
    'implementation: mine',
    `runs: { process: ${program('rpc-node.mjs')} }`,
    'ports: { rpc: tcp }',
    'clock: none',
    'args: { port: "${port.rpc}", posts-to: "${batcher.da}" }',
    'ready: [{ tcp: rpc }]',
    'stop: { grace: 1s }',
  ];
  writeFileSync(join(tiny.folder, 'poster.yaml'), template.join('\n'));
  const steps = [{ batcher: { da: 'blobs' } }];
  const path = scenario(tiny, 'moved', steps, { senders: 'batcher: ./poster.yaml\n    proposer: false' });
  expect(await tiny.run('run', path, '--keep')).toMatchObject({ code: 0 });
  const { tasks } = await tiny.json<Plan>('plan', '--name', 'moved');
  const words = tasks.find(({ id }) => id === 'main/batcher')?.command.argv ?? [];
  expect(words.filter((word) => /posts-to|data-availability/.test(word))).toEqual(['--posts-to=blobs']);
});

it.runIf(mountsDisks)('a run whose network cannot be removed fails in each form of its result', async () => {
  await using tiny = new Tiny();
  const folder = join(tiny.home, 'held', 'nodes', 'mount');
  const junit = join(tiny.folder, 'junit.xml');
  const steps = [{ exec: ['sh', '-c', `mkdir ${folder} && mount -t tmpfs tmpfs ${folder}`] }];
  const run = await tiny.run('run', scenario(tiny, 'held', steps), '--json', '--junit', junit);
  spawnSync('umount', [folder]);
  const teardown = `cannot remove ${join(tiny.home, 'held')}: Device or resource busy`;
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining(`FAILED while tearing down: ${teardown}`) });
  expect(JSON.parse(run.stdout)).toMatchObject({
    passed: false,
    steps: [{ status: 'passed' }],
    teardown: expect.stringMatching(`^${teardown}; end what uses it, then run \`.*devnet.* down held\`$`),
  });
  expect(readFileSync(junit, 'utf8')).toMatch(
    new RegExp(
      `tests="2" failures="1" errors="0".*<testcase name="end of the network".*<failure message="${teardown}`,
      's',
    ),
  );
  expect(await tiny.run('down')).toMatchObject({ code: 0 });
  expect(existsSync(join(tiny.home, 'held'))).toBe(false);
});

it.runIf(mountsDisks)('exec of a command that succeeds fails when its network cannot be removed', async () => {
  await using tiny = new Tiny();
  const folder = join(tiny.home, 'held', 'nodes', 'mount');
  const mount = `mkdir ${folder} && mount -t tmpfs tmpfs ${folder}`;
  const exec = await tiny.run('exec', tiny.spec('held'), '--', 'sh', '-c', mount);
  spawnSync('umount', [folder]);
  expect(exec).toMatchObject({ code: 1, stderr: expect.stringContaining('while tearing down: cannot remove') });
  expect(await tiny.run('down')).toMatchObject({ code: 0 });
});
