import { expect, it, vi } from 'vitest';
import { docker, NO_DOCKER } from './support.ts';
import { Boxes } from './tiny.ts';

/** Containers and networks are gone this long after their supervisor. On a quiet machine it takes seconds. */
const GONE = { timeout: 120_000, interval: 100 };

const KILLS = Number(process.env['KILLS'] ?? 5);
const SEED = Number(process.env['SEED'] ?? 17);

/** Pseudorandom whole numbers below a bound: a linear congruential generator. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PHASES = ['start', 'run', 'teardown'] as const;

it.skipIf(NO_DOCKER !== undefined)(
  `a supervisor that is killed while it starts, runs or tears down leaves nothing, ${KILLS} times, seed ${SEED}`,
  { timeout: KILLS * 120_000 },
  async () => {
    await using boxes = new Boxes();
    const spec = boxes.spec('killed');
    const next = numbers(SEED);
    const supervisor = async () =>
      (await boxes.json<readonly { readonly pid: number | null }[]>('ls')).find(({ pid }) => pid !== null)?.pid ??
      undefined;
    const kill = (pid: number | undefined) => {
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    };
    for (let round = 0; round < KILLS; round++) {
      const phase = PHASES[round % PHASES.length];
      const things = 1 + next(7);
      const up = boxes.start(['up', spec, '--ready-budget', '3m']);
      if (phase === 'start') {
        await expect.poll(() => boxes.left().length).toBeGreaterThanOrEqual(things);
        kill(await supervisor());
      } else {
        await expect.poll(up.stderr, { timeout: 180_000 }).toContain('killed is ready');
        const pid = await supervisor();
        expect(pid).toBeGreaterThan(0);
        if (phase === 'teardown') {
          boxes.start(['down', 'killed']);
          await expect.poll(() => boxes.left().length).toBeLessThanOrEqual(things);
        }
        // A teardown may have been faster than this process.
        if (phase === 'run' || (await supervisor()) === pid) kill(pid);
      }
      await up.closed;
      await vi.waitFor(() => expect([phase, things, boxes.left()]).toEqual([phase, things, []]), GONE);
      await boxes.nothingLeft();
    }
  },
);

it.skipIf(NO_DOCKER !== undefined)(
  'a container that is removed from outside ends the network, with its name',
  async () => {
    await using boxes = new Boxes();
    const up = boxes.start(['up', boxes.spec('lost'), '--ready-budget', '3m']);
    await expect.poll(up.stderr, { timeout: 180_000 }).toContain('lost is ready');
    const name = boxes
      .left()
      .find((line) => line.endsWith('main-verifier-el'))
      ?.split(' ')[1];
    docker('rm', '-f', name ?? '');
    expect((await up.closed).code).toBe(1);
    expect(up.stderr()).toMatch(/main\/verifier\/el.* was ended by SIGKILL/);
    expect(boxes.left()).toEqual([]);
  },
);
