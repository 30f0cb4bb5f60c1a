import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import type { Spec } from '../../../src/orchestrator/spec/schema/types.ts';
import type { ForkRow } from '../../../src/orchestrator/status/forks.ts';
import type { Status } from '../../../src/orchestrator/status/status.ts';
import { Tiny } from './tiny.ts';

describe('changes of a running network', () => {
  let tiny: Tiny;
  let genesis: number;
  beforeAll(async () => {
    tiny = new Tiny();
    const chain = 'forks: { base: granite, holocene: +2s, isthmus: +1000s, jovian: +5000s }';
    expect(await tiny.run('up', tiny.spec('drill', { chain }), '-d')).toMatchObject({ code: 0 });
    genesis = (await tiny.json<Plan>('plan', '--name', 'drill')).genesisTime;
  });
  afterAll(() => tiny[Symbol.asyncDispose]());

  const verifier = async () => (await tiny.json<Status>('status')).chains[0]!.nodes[1]!;
  const commandLine = (pid: number | null) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');

  /** What every command says of the verifier's own times. */
  async function forkTimes() {
    const [status, spec, plan, rows] = [
      await verifier(),
      await tiny.json<Spec>('spec', '--name', 'drill'),
      await tiny.json<Plan>('plan', '--name', 'drill'),
      await tiny.json<ForkRow[]>('forks'),
    ];
    return {
      status: status.overrides,
      plan: plan.network.chains[0]!.nodes[1]!.overrides,
      forks: Object.fromEntries(
        rows.flatMap(({ fork, overrides }) => ('verifier' in overrides ? [[fork, overrides['verifier']]] : [])),
      ),
      spec: Object.keys(spec.chains['main']!.nodes['verifier']!.override),
    };
  }

  it('a second override is laid over the first, and both survive stop and start', async () => {
    expect(await tiny.run('node', 'restart', 'verifier.el', '--override', 'isthmus=+2000s')).toMatchObject({
      code: 0,
      stderr: 'main/verifier/cl, main/verifier/el restarted\n',
    });
    expect(await tiny.run('node', 'restart', 'verifier', '--override', 'jovian=never')).toMatchObject({ code: 0 });
    const times = { isthmus: genesis + 2000, jovian: null };
    const expected = { status: times, plan: times, forks: times, spec: ['isthmus', 'jovian'] };
    expect(await forkTimes()).toEqual(expected);
    const { el, cl } = await verifier();
    for (const { pid } of [el, cl]) expect(commandLine(pid)).toContain(`--override.isthmus=${genesis + 2000} `);
    expect(await tiny.run('stop')).toMatchObject({ code: 0 });
    expect(await tiny.run('start')).toMatchObject({ code: 0 });
    expect(await forkTimes()).toEqual(expected);
    expect(commandLine((await verifier()).cl.pid)).toContain(`--override.isthmus=${genesis + 2000} `);
  });

  it('forks and wait accept never as a time', async () => {
    expect((await tiny.run('forks')).stdout).toMatch(/jovian .* in \d[\d a-z]* +sequencer pending, verifier never$/m);
    expect(await tiny.run('wait', 'fork:jovian')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/never activates on main\/verifier[\s\S]*@main\/sequencer/),
    });
    const late = await tiny.run('wait', 'fork:jovian', '@sequencer', '--timeout', '100ms');
    expect(late).toMatchObject({ code: 3, stderr: expect.stringMatching(/\d+ s before jovian/) });
  });

  it('changed arguments survive stop and start, on nodes and on processes of the network', async () => {
    expect(await tiny.run('node', 'restart', 'verifier.cl', '--arg', 'peers=3')).toMatchObject({ code: 0 });
    expect(await tiny.run('node', 'restart', 'verifier.el', '--arg', 'delay=7')).toMatchObject({ code: 0 });
    expect(await tiny.run('node', 'restart', 'l1-beacon', '--arg', 'peers=5')).toMatchObject({ code: 0 });
    const { l1, chains } = await tiny.json<Spec>('spec', '--name', 'drill');
    expect(chains['main']!.nodes['verifier']).toMatchObject({ cl: { args: { peers: 3 } }, el: { args: { delay: 7 } } });
    expect(l1.beacon.args).toEqual({ peers: 5 });
    const status = (await tiny.run('status')).stdout;
    expect(status).toMatch(/ with --delay=7$/m);
    expect(status).toMatch(/ with --peers=3$/m);
    expect(status).toMatch(/^ {6}overrides {2}isthmus \S+Z, jovian /m);
    expect(await tiny.run('stop')).toMatchObject({ code: 0 });
    expect(await tiny.run('start')).toMatchObject({ code: 0 });
    expect(commandLine((await verifier()).cl.pid)).toContain('--peers=3 ');
    expect((await forkTimes()).spec).toEqual(['isthmus', 'jovian']);
  });

  it('an override is refused, with the alternatives, before anything is stopped if the head is past it', async () => {
    expect(await tiny.run('wait', 'fork:holocene')).toMatchObject({ code: 0 });
    const before = await verifier();
    const { code, stderr } = await tiny.run('node', 'restart', 'verifier', '--override', 'holocene=+500s');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /main\/verifier is past .* block \d+ at \S+; moving holocene from \S+ \(block 2\) to \S+ \(block 500\)/,
    );
    expect(stderr).toContain('`devnet node reset verifier --override holocene=+500s`\n');
    // These programs cannot go back by themselves.
    expect(stderr).not.toContain('--rewind');
    const rewinding = await tiny.run('node', 'restart', 'verifier', '--override', 'holocene=+500s', '--rewind');
    expect(rewinding).toMatchObject({ code: 2, stderr: expect.stringContaining('devnet cannot rewind') });
    expect(await verifier()).toMatchObject({ el: { pid: before.el.pid }, cl: { pid: before.cl.pid } });
    expect((await forkTimes()).spec).toEqual(['isthmus', 'jovian']);
  });

  it('a change is undone if the node does not start with it', async () => {
    const { code, stderr } = await tiny.run('node', 'restart', 'verifier.el', '--arg', 'crash=1');
    expect(code).toBe(1);
    expect(stderr).toMatch(/ended with code 9[\s\S]*the change was not kept: main\/verifier\/el run as before/);
    const spec = await tiny.json<Spec>('spec', '--name', 'drill');
    expect(spec.chains['main']!.nodes['verifier']!.el.args).toEqual({ delay: 7 });
    await tiny.ready();
    const { el } = await verifier();
    expect(commandLine(el.pid)).not.toContain('crash');
  });

  it('node reset empties one process or both and starts them again, also with another time', async () => {
    const plan = JSON.parse(readFileSync(join(tiny.home, 'drill', 'plan.json'), 'utf8')) as Plan;
    const marks = ['el', 'cl'].map((part) => {
      const { cwd } = plan.tasks.find(({ id }) => id === `main/verifier/${part}`)!.command;
      return join(cwd, 'mark');
    });
    const jwt = join(dirname(dirname(marks[0]!)), 'jwt.hex');
    const mark = () => {
      for (const path of marks) writeFileSync(path, '');
    };
    mark();
    const before = await verifier();
    expect(await tiny.run('node', 'reset', 'verifier.el')).toMatchObject({
      code: 0,
      stderr: 'main/verifier/el emptied; main/verifier/el, main/verifier/cl restarted\n',
    });
    expect(marks.map((path) => existsSync(path))).toEqual([false, true]);
    expect((await verifier()).cl.pid).not.toBe(before.cl.pid);
    mark();
    expect(await tiny.run('node', 'reset', 'verifier.cl')).toMatchObject({ code: 0 });
    expect(marks.map((path) => existsSync(path))).toEqual([true, false]);
    mark();
    expect(await tiny.run('node', 'reset', 'verifier', '--override', 'holocene=+500s')).toMatchObject({ code: 0 });
    expect(marks.map((path) => existsSync(path))).toEqual([false, false]);
    expect((await forkTimes()).forks).toEqual({ holocene: genesis + 500, isthmus: genesis + 2000, jovian: null });
    expect(existsSync(jwt)).toBe(true);
    expect(await tiny.run('node', 'reset', 'l1')).toMatchObject({ code: 2 });
  });

  it.each([
    [['restart', 'l1', '--override', 'isthmus=+9s']],
    [['restart', 'verifier', '--arg', 'peers=1']],
    [['restart', 'verifier', '--rewind']],
    [['restart', 'verifier', '--override', 'isthmus']],
    [['restart', 'verifier', '--override', 'atlantis=+9s']],
    [['restart', 'verifier', '--override', 'isthmus=soon']],
    [['restart', 'verifier', '--override', 'isthmus=+3s']],
  ])('node %j is refused (2)', async (words) => {
    const before = await verifier();
    expect(await tiny.run('node', ...words)).toMatchObject({ code: 2, stdout: '' });
    expect((await verifier()).el.pid).toBe(before.el.pid);
  });
});
