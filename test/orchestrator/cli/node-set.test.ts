import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { reservationsOf } from '../../../src/orchestrator/ports/reservations.ts';
import type { Spec } from '../../../src/orchestrator/spec/schema/types.ts';
import type { Status } from '../../../src/orchestrator/status/status.ts';
import { program } from '../supervisor/fixture-plan.ts';
import { Tiny } from './tiny.ts';

describe('the set of nodes of a running network', () => {
  let tiny: Tiny;
  beforeAll(async () => {
    // Every rollup node says that it has more peers than there are.
    tiny = new Tiny({ runs: `runs: { process: ${program('rpc-node.mjs')} }`, args: { peers: '9' } });
    expect(
      await tiny.run('up', tiny.spec('grows', { chain: 'forks: { base: isthmus, jovian: +9000s }' }), '-d'),
    ).toMatchObject({ code: 0 });
  });
  afterAll(() => tiny[Symbol.asyncDispose]());

  const CLIENTS = ['--el', './el.yaml', '--cl', './cl.yaml'];
  const folder = (...names: string[]) => join(tiny.home, 'grows', ...names);
  const plan = () => JSON.parse(readFileSync(folder('plan.json'), 'utf8')) as Plan;
  const nodes = async () => (await tiny.json<Status>('status')).chains[0]!.nodes;
  const names = async () => (await nodes()).map(({ name }) => name);
  const pids = async (...of: string[]) =>
    (await nodes()).filter(({ name }) => of.includes(name)).map(({ el, cl }) => [el.pid, cl.pid]);
  const reserved = () => reservationsOf({ home: tiny.home, name: 'grows' }).length;

  it('a new node runs, is listed and stays over stop and start, and no other process restarts', async () => {
    const before = await pids('sequencer', 'verifier');
    const ports = reserved();
    const added = await tiny.run('node', 'add', 'late', ...CLIENTS, '--set', 'el.args.delay=7');
    expect(added).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^main\/late joined: it agrees with the others on block \d+$/m),
    });
    expect(await pids('sequencer', 'verifier')).toEqual(before);
    expect(await names()).toEqual(['sequencer', 'verifier', 'late']);
    expect(await tiny.json('check')).toMatchObject({ agree: true });
    expect(await tiny.run('wait', 'block:2', '@late')).toMatchObject({ code: 0 });
    const spec = await tiny.json<Spec>('spec', '--name', 'grows');
    expect(spec.chains['main']!.nodes['late']).toMatchObject({
      el: { args: { delay: 7 } },
      peers: ['sequencer', 'verifier'],
    });
    expect(reserved()).toBe(ports + 5);
    expect(await tiny.run('stop')).toMatchObject({ code: 0 });
    expect(await tiny.run('start')).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['sequencer', 'verifier', 'late']);
    // Its ports take no number of another node.
    const numbers = plan().tasks.flatMap((task) => task.ports.map(({ port }) => port));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('a change of another kind keeps the new node', async () => {
    expect(await tiny.run('node', 'restart', 'late.cl', '--arg', 'peers=8')).toMatchObject({ code: 0 });
    const spec = await tiny.json<Spec>('spec', '--name', 'grows');
    expect(spec.chains['main']!.nodes['late']!.cl.args).toEqual({ peers: 8 });
  });

  it('a node that is removed leaves neither process nor file, port or peer behind', async () => {
    const [[el, cl] = []] = await pids('late');
    const ports = reserved();
    expect(await tiny.run('node', 'remove', 'main/late')).toMatchObject({
      code: 0,
      stderr: 'main/late removed: main/late/cl, main/late/el ended, its data and logs are deleted\n',
    });
    // A process that has ended is listed until the supervisor reads how.
    for (const pid of [el, cl]) await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
    expect(existsSync(folder('nodes', 'main', 'late'))).toBe(false);
    expect(reserved()).toBe(ports - 5);
    expect(await names()).toEqual(['sequencer', 'verifier']);
    expect(await tiny.ready<Status>()).toMatchObject({ problems: [] });
    const spec = await tiny.json<Spec>('spec', '--name', 'grows');
    expect(spec.chains['main']!.nodes['verifier']!.peers).toEqual(['sequencer']);
  });

  it.each([
    [['add', 'verifier'], /the chain main has a node verifier already: sequencer, verifier/],
    [['add', 'Late'], /"Late" cannot be a name/],
    [['add', 'late', '--el', './ell.yaml'], /--el:1:8: .*there is no template \S+ell\.yaml/],
    [['add', 'late', '--cl', 'op-nod'], /--cl:1:8: .*unknown client "op-nod"[\s\S]*did you mean "op-node"\?/],
    [['add', 'late', '--peers', 'sequencr'], /--peers:1:8: .*has no node "sequencr"[\s\S]*did you mean "sequencer"\?/],
    [['add', 'late', '--peers', 'a,,b'], /--peers: expected names/],
    [['add', 'late', '--set', 'cl.launch=manual'], /main\/late\/cl is manual/],
    [['add', 'late', '--chain', 'man'], /has no chain man; expected one of main/],
    [['remove', 'sequencer'], /main\/sequencer is the sequencer/],
    [['remove', 'verifer'], /there is no node "verifer" \(did you mean verifier\?\)/],
  ])('node %j is refused with its reason, and nothing changes', async (words, reason) => {
    const before = readFileSync(folder('spec.yaml'), 'utf8');
    expect(await tiny.run('node', ...words)).toMatchObject({ code: 2, stderr: expect.stringMatching(reason) });
    expect(readFileSync(folder('spec.yaml'), 'utf8')).toBe(before);
    expect(await names()).toEqual(['sequencer', 'verifier']);
  });

  it.each([
    ['verifer', /there is no node "verifer" \(did you mean verifier\?\)/],
    ['sequencer', /main\/sequencer is the sequencer already\n {2}nothing was stopped/],
    // The tiny programs have no admin methods.
    ['verifier', /main\/sequencer, the sequencer, does not answer: [\s\S]*nothing was stopped/],
  ])('the role of the sequencer does not move to %s', async (name, reason) => {
    expect(await tiny.run('sequencer', 'move', name)).toMatchObject({ code: 2, stderr: expect.stringMatching(reason) });
  });

  it('the role of the sequencer does not move to a node that is stopped, or has fork times of its own', async () => {
    expect(await tiny.run('node', 'restart', 'verifier', '--override', 'jovian=+5000s')).toMatchObject({ code: 0 });
    const apart = await tiny.run('sequencer', 'move', 'verifier');
    expect(apart).toMatchObject({ code: 2, stderr: expect.stringContaining('has fork times of its own (jovian)') });
    expect(await tiny.run('node', 'restart', 'verifier', '--override', 'jovian=chain')).toMatchObject({ code: 0 });
    expect(await tiny.run('node', 'stop', 'verifier.el')).toMatchObject({ code: 0 });
    const stopped = await tiny.run('sequencer', 'move', 'verifier');
    expect(stopped).toMatchObject({ code: 2, stderr: expect.stringContaining('main/verifier/el is stopped') });
    expect(await tiny.run('node', 'start', 'verifier')).toMatchObject({ code: 0 });
  });

  it.each([
    ['verifier', '5s', /clock skew: expected \+10s, -1500ms or 0, found "5s"/],
    ['verifier', '-5s', /main\/verifier\/(el|cl) \(\S+yaml\) reads the clock of the machine, which has no skew/],
    ['verifer', '+5s', /there is no node "verifer"/],
  ])('the clock of %s is not skewed by %s', async (name, amount, reason) => {
    const { code, stderr } = await tiny.run('clock', 'skew', name, amount);
    expect(stderr).toMatch(reason);
    expect(code).toBeGreaterThan(0);
  });

  /** Nothing of a node that did not join is there. */
  async function nothingOf(name: string, ports: number): Promise<void> {
    await expect.poll(() => existsSync(folder('nodes', 'main', name))).toBe(false);
    await expect.poll(reserved).toBe(ports);
    expect(await names()).toEqual(['sequencer', 'verifier']);
    expect(readFileSync(folder('spec.yaml'), 'utf8')).not.toContain(name);
    expect(JSON.stringify(plan())).not.toContain(`main/${name}`);
  }

  it('a node whose process ends before it agrees is undone, with the reason', async () => {
    const ports = reserved();
    const failed = await tiny.run(
      'node',
      'add',
      'broken',
      ...CLIENTS,
      '--set',
      'cl.args.crash=300',
      '--set',
      'cl.args.stall=1',
    );
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('ended with code 9') });
    expect(failed.stderr).toContain('the node was not added: its processes, files and ports are gone again');
    await nothingOf('broken', ports);
    await tiny.ready();
  });

  it('a node is undone when its command is interrupted', async () => {
    const ports = reserved();
    const { child, closed } = tiny.start(['node', 'add', 'slow', ...CLIENTS, '--set', 'cl.args.stall=1']);
    await expect.poll(() => existsSync(folder('nodes', 'main', 'slow', 'cl.log'))).toBe(true);
    child.kill('SIGINT');
    await closed;
    await nothingOf('slow', ports);
  });

  it('two changes at a time are both made, or one is refused and nothing of it is there', async () => {
    const wishes = ['one', 'two'];
    const all = await Promise.all(wishes.map((name) => tiny.run('node', 'add', name, ...CLIENTS)));
    const made = wishes.filter((_, at) => all[at]!.code === 0);
    expect(made.length).toBeGreaterThan(0);
    for (const { code, stderr } of all.filter((each) => each.code !== 0)) {
      expect(code).toBe(1);
      expect(stderr).toContain('changed by another command meanwhile');
    }
    expect(await names()).toEqual(['sequencer', 'verifier', ...made]);
  });
});
