import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Moved } from '../../../src/orchestrator/change/move-forks.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import type { Spec } from '../../../src/orchestrator/spec/schema/types.ts';
import type { ForkRow } from '../../../src/orchestrator/status/forks.ts';
import type { Status } from '../../../src/orchestrator/status/status.ts';
import { Tiny } from './tiny.ts';

const RUNS_ON = 'it runs on';

/** Returns how a command ended, or that it did not within a time (ms). */
const ended = <T>(closed: Promise<T>, timeoutMs: number): Promise<T | { readonly code: typeof RUNS_ON }> =>
  Promise.race([closed, sleep(timeoutMs, { code: RUNS_ON } as const, { ref: false })]);

describe('devnet fork', () => {
  let tiny: Tiny;
  let genesis: number;
  beforeAll(async () => {
    tiny = new Tiny();
    // As op-node is.
    appendFileSync(join(tiny.folder, 'cl.yaml'), 'distinctTimesFrom: jovian\n');
    const chain = 'forks: { base: granite, holocene: +2s, isthmus: +1000s, jovian: +5000s }';
    const override = 'chains.main.nodes.verifier.override.jovian=+6000s';
    expect(await tiny.run('up', tiny.spec('moving', { chain, senders: '' }), '-d', '--set', override)).toMatchObject({
      code: 0,
    });
    genesis = (await tiny.json<Plan>('plan', '--name', 'moving')).genesisTime;
  });
  afterAll(() => tiny[Symbol.asyncDispose]());

  const chain = async () => (await tiny.json<Status>('status')).chains[0]!;
  const processes = async () =>
    (await chain()).nodes.flatMap(({ el, cl }) => [
      [el.pid, el.http],
      [cl.pid, cl.rpc],
    ]);
  const file = <T>(name: string) =>
    JSON.parse(readFileSync(join(tiny.home, 'moving', 'genesis', 'main', name), 'utf8')) as T;

  /** Returns the times of two forks as every command and file says them. */
  async function forkTimes() {
    const [status, spec, plan, rows] = [
      await chain(),
      await tiny.json<Spec>('spec', '--name', 'moving'),
      await tiny.json<Plan>('plan', '--name', 'moving'),
      await tiny.json<ForkRow[]>('forks'),
    ];
    const { config } = file<{ config: Record<string, number> }>('genesis.json');
    const rollup = file<Record<string, number>>('rollup.json');
    const row = (fork: string) => rows.find((each) => each.fork === fork)?.time;
    const { isthmus, jovian } = plan.network.chains[0]!.forks;
    expect([status.forks['isthmus'], status.forks['jovian']]).toEqual([isthmus, jovian]);
    expect([row('isthmus'), row('jovian')]).toEqual([isthmus, jovian]);
    expect([config['isthmusTime'] ?? null, config['jovianTime'] ?? null]).toEqual([isthmus, jovian]);
    expect([rollup['isthmus_time'] ?? null, rollup['jovian_time'] ?? null]).toEqual([isthmus, jovian]);
    return { isthmus, jovian, spec: spec.chains['main']!.forks };
  }

  it('moves several forks at once: files, flags and every command follow; data, ports and peers stay', async () => {
    const before = await processes();
    const hash = (await chain()).genesisHash;
    const moved = await tiny.json<Moved>('fork', `isthmus=${genesis + 700}`, 'jovian=block:4000');
    expect(moved).toEqual({
      chain: 'main',
      forks: [
        { fork: 'isthmus', was: genesis + 1000, is: genesis + 700 },
        { fork: 'jovian', was: genesis + 5000, is: genesis + 4000 },
      ],
      restarted: expect.arrayContaining(['main/sequencer/el', 'main/sequencer/cl', 'main/batcher', 'main/proposer']),
      stopped: [],
      rewound: [],
      kept: [{ node: 'main/verifier', fork: 'jovian', time: genesis + 6000 }],
    });
    expect(moved.restarted).toHaveLength(6);
    const after = await processes();
    expect(after.map(([, url]) => url)).toEqual(before.map(([, url]) => url));
    for (const [index, [pid]] of after.entries()) expect(pid).not.toBe(before[index]![0]);
    expect((await chain()).genesisHash).toBe(hash);
    expect(await forkTimes()).toMatchObject({ isthmus: genesis + 700, jovian: genesis + 4000 });
  });

  it('moves a fork to never and back by the network’s clock, across stop and start', async () => {
    expect(await tiny.run('fork', 'jovian=never')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /: jovian moved from \S+ to never\n.* restarted\nmain\/verifier keeps its own time of jovian: .* removes it/s,
      ),
    });
    expect(await tiny.run('wait', 'fork:jovian', '@sequencer')).toMatchObject({ code: 2 });
    const now = Date.now() / 1000;
    expect(await tiny.run('fork', 'jovian=now+2000s')).toMatchObject({ code: 0 });
    expect(await tiny.run('stop')).toMatchObject({ code: 0 });
    expect(await tiny.run('start')).toMatchObject({ code: 0 });
    const { jovian, isthmus, spec } = await forkTimes();
    expect(isthmus).toBe(genesis + 700);
    expect(Math.abs(jovian! - now - 2000)).toBeLessThan(30);
    expect(spec).toMatchObject({ times: { jovian: { kind: 'at', time: jovian } } });
    expect(await tiny.run('fork', `jovian=${jovian}`)).toMatchObject({
      stderr: expect.stringMatching(/^nothing to move/),
    });
  });

  it('a stopped node gets the times at its next start, and a paused one has to be resumed first', async () => {
    expect(await tiny.run('node', 'stop', 'verifier')).toMatchObject({ code: 0 });
    const moved = await tiny.json<Moved>('fork', 'isthmus=+800s');
    expect(moved.stopped.toSorted()).toEqual(['main/verifier/cl', 'main/verifier/el']);
    expect(await tiny.run('fork', 'holocene=+500s')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/main\/verifier is stopped.*\n.*devnet node start main\/verifier/),
    });
    expect(await tiny.run('node', 'start', 'verifier')).toMatchObject({ code: 0 });
    expect((await forkTimes()).isthmus).toBe(genesis + 800);
    expect(await tiny.run('node', 'pause', 'verifier')).toMatchObject({ code: 0 });
    expect(await tiny.run('fork', 'isthmus=+900s')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('paused'),
    });
    expect(await tiny.run('node', 'resume', 'verifier')).toMatchObject({ code: 0 });
  });

  it("a node's own time is removed by `chain`, and can be given again", async () => {
    const overrides = async () =>
      (await tiny.json<ForkRow[]>('forks')).find(({ fork }) => fork === 'jovian')?.overrides;
    const restart = (time: string) => tiny.run('node', 'restart', 'verifier', '--override', `jovian=${time}`);
    expect(await overrides()).toEqual({ verifier: genesis + 6000 });
    expect(await restart('chain')).toMatchObject({ code: 0 });
    expect(await overrides()).toEqual({});
    expect((await tiny.run('plan', '--name', 'moving')).stdout).not.toContain('override.jovian');
    expect(await restart('chain'), 'it has none').toMatchObject({ code: 0 });
    expect(await restart('+6000s')).toMatchObject({ code: 0 });
    expect(await overrides()).toEqual({ verifier: genesis + 6000 });
    expect(await tiny.run('node', 'restart', 'verifier', '--override', 'jovan=chain')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown fork "jovan"'),
    });
  });

  it.each([
    [['isthmus=+9000s'], /spec\.yaml:\d+:\d+: .*jovian activates \d+ s before isthmus, which has to come first/],
    [['holocene=never'], /isthmus activates, but holocene, which comes before it, never does/],
    [['isthmus=soon'], /fork:1:9: .*found "soon"[\s\S]*allowed: genesis, never, /],
    [['granite=never'], /granite is active at genesis of main and cannot move/],
    [['isthmus=genesis'], /isthmus cannot move to genesis/],
    [['atlantis=+9s'], /unknown fork "atlantis"/],
    [['isthmus'], /expected FORK=TIME, found "isthmus"/],
    [
      ['isthmus=+950s', 'jovian=+950s'],
      /chains\.main\.forks\.jovian: \S*cl\.yaml of \w+\/sequencer refuses jovian at the same time as isthmus/,
    ],
    [['isthmus=never', 'isthmus=+9s'], /isthmus is given twice/],
    [['isthmus=+900s', '--chain', 'other'], /no chain other; expected one of main/],
    // Holocene is active: these programs cannot go back.
    [['holocene=+500s'], /changes the rules of blocks from 2 on, which are past: main\/sequencer at block \d+, /],
    [['holocene=+500s', '--rewind'], /nothing was stopped\n {2}devnet cannot rewind main\/sequencer \(\S*el.yaml\), /],
  ])('fork %j is refused before anything is stopped', async (words, message) => {
    const before = await processes();
    expect(await tiny.run('wait', 'fork:holocene')).toMatchObject({ code: 0 });
    expect(await tiny.run('fork', ...words)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
    expect(await processes()).toEqual(before);
  });

  it('node restart refuses two forks of a node at one time before anything is stopped', async () => {
    const before = await processes();
    const { isthmus } = await forkTimes();
    expect(await tiny.run('node', 'restart', 'verifier', '--override', `jovian=${isthmus}`)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /verifier\.override\.jovian: \S*cl\.yaml of \w+\/verifier refuses jovian at the same time as isthmus/,
      ),
    });
    expect(await processes()).toEqual(before);
  });

  /**
   * Moves isthmus to a time that comes soon. The heads follow the machine's clock. A move for which a busy machine
   * takes longer than these seconds is refused.
   */
  async function activateSoon(): Promise<void> {
    for (let seconds = 5; ; seconds *= 2) {
      const time = Math.ceil(Date.now() / 1000) + seconds;
      const { code, stderr } = await tiny.run('fork', `isthmus=${time}`, 'jovian=never');
      if (code === 0) return;
      expect(stderr).toContain('which are past');
    }
  }

  it('forks --watch writes a line per change until none is left to come, and ends by an interrupt', async () => {
    const { child, closed, stdout, stderr } = tiny.start(['forks', '--watch', '--json']);
    await expect.poll(stdout).toContain('"fork":"isthmus"');
    child.kill('SIGINT');
    expect(await ended(closed, 120_000)).toEqual({ code: 130, signal: null });
    expect(stderr()).toBe('');
    expect(await tiny.run('node', 'restart', 'verifier', '--override', 'jovian=never')).toMatchObject({ code: 0 });
    const watch = tiny.start(['forks', '--watch']);
    await expect
      .poll(watch.stdout)
      .toMatch(/^main {2}isthmus .*block \d+ .* in \d[\d a-z]* {2}sequencer pending, verifier pending$/m);
    await activateSoon();
    const watched = await ended(watch.closed, 120_000);
    const table = watched.code === RUNS_ON ? (await tiny.run('forks')).stdout : '';
    expect({ ...watched, stderr: watch.stderr() }, table).toMatchObject({
      code: 0,
      stderr: 'no fork is left to come\n',
    });
    const lines = watch.stdout().trimEnd().split('\n');
    expect(lines.at(-1)).toMatch(/^main {2}isthmus .*block \d+ .*sequencer active, verifier active$/);
    const facts = lines.map((line) => line.replace(/ in \d[\d a-z]*(?= {2})/g, ''));
    expect(new Set(facts).size, watch.stdout()).toBe(facts.length);
    expect(await tiny.run('stop')).toMatchObject({ code: 0 });
    expect(await tiny.run('forks', '--watch')).toMatchObject({ code: 1, stderr: expect.stringMatching(/not running/) });
  });
});
