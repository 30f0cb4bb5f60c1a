import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectControl } from '../../../src/orchestrator/control/client.ts';
import type { EndAnswer } from '../../../src/orchestrator/control/supervisor-protocol.ts';
import { pathsOf } from '../../../src/orchestrator/state/paths.ts';
import { freePort } from '../../system/free-port.ts';
import { fixturePlan, program, type TaskOptions, temporaryHome } from '../supervisor/fixture-plan.ts';
import { leftovers, Supervised } from '../supervisor/supervised.ts';

/**
 * Whether an early daemon has no trace.
 * Without `/proc`, one that cleared its environment, session and parent within 150 ms carries nothing to find it by.
 */
const LEAVES_NO_TRACE = process.env['DEVNET_TEST_HIDE'] === 'macos';

/** Returns the pid in a program's line `child N`. */
function childIn(log: string): number {
  return Number(/child (\d+)/.exec(readFileSync(log, 'utf8'))?.[1]);
}

async function running(
  options: TaskOptions,
  test: (at: { supervised: Supervised; home: string; log: string; down: () => Promise<EndAnswer> }) => Promise<void>,
) {
  using folder = temporaryHome();
  await using supervised = new Supervised(folder.home);
  const plan = fixturePlan(folder.home, 'torn', [{ port: await freePort() }], { odd: options });
  await supervised.up(plan).phase('ready');
  await test({
    supervised,
    home: folder.home,
    log: plan.tasks.find(({ id }) => id === 'odd')!.log,
    down: async () =>
      (await connectControl(pathsOf(folder.home, 'torn').control))!.ask<EndAnswer>({ method: 'down', keepData: false }),
  });
}

const wroteIts = (pattern: string): NonNullable<TaskOptions['ready']> => [
  { kind: 'log', pattern, description: 'has begun' },
];

describe('a task that resists', () => {
  it('is killed after its grace and reported if it ignores SIGTERM', () =>
    running(
      { argv: [program('ignores-sigterm.sh')], ready: wroteIts('waiting'), stop: { signal: 'SIGTERM', graceMs: 200 } },
      async ({ home, down, supervised }) => {
        expect(await down()).toEqual({ killed: ['odd was killed after 0.2 s: it ignored SIGTERM'], errors: [] });
        await supervised.end();
        expect(leftovers(home)).toEqual([]);
      },
    ));

  it('is ended with its group if a child in it ignores SIGTERM', () =>
    running(
      { argv: [program('forks-a-child.sh')], ready: wroteIts('child'), stop: { signal: 'SIGTERM', graceMs: 600 } },
      async ({ home, log, down, supervised }) => {
        const child = childIn(log);
        expect((await down()).killed).toEqual(['odd was killed after 0.6 s: it ignored SIGTERM']);
        await supervised.end();
        expect(leftovers(home, child)).toEqual([]);
      },
    ));

  it('is found by its stamp if a child has a session of its own', () =>
    running(
      { argv: [program('setsid-child.sh')], ready: wroteIts('child') },
      async ({ home, log, down, supervised }) => {
        const child = childIn(log);
        expect(leftovers(home, child).length).toBeGreaterThan(3);
        await down();
        await supervised.end();
        expect(leftovers(home, child)).toEqual([]);
      },
    ));

  it.skipIf(LEAVES_NO_TRACE).each(['daemonises.sh', 'orphans-at-once.sh'])(
    'is found by what it inherited if it is a daemon without environment, session and parent (%s)',
    (name) =>
      running({ argv: [program(name)], ready: wroteIts('daemon') }, async ({ home, log, down, supervised }) => {
        const daemon = Number(/daemon (\d+)/.exec(readFileSync(log, 'utf8'))?.[1]);
        expect(leftovers('nowhere', daemon)).toHaveLength(1);
        await down();
        await supervised.end();
        expect(leftovers(home, daemon)).toEqual([]);
      }),
  );

  it('is woken to follow its signal if it is suspended with SIGSTOP', () =>
    running(
      { argv: ['/bin/sh', '-c', 'echo self $$; exec sleep 1000'], ready: wroteIts('self') },
      async ({ home, log, down }) => {
        process.kill(Number(/self (\d+)/.exec(readFileSync(log, 'utf8'))?.[1]), 'SIGSTOP');
        expect(await down()).toEqual({ killed: [], errors: [] });
        expect(leftovers(home).filter((line) => line.includes('sleep'))).toEqual([]);
      },
    ));

  it('gets no more grace after a second interruption', () =>
    running(
      {
        argv: [program('ignores-sigterm.sh')],
        ready: wroteIts('waiting'),
        stop: { signal: 'SIGTERM', graceMs: 60_000 },
      },
      async ({ home, supervised }) => {
        supervised.order({ kind: 'interrupt' });
        await supervised.until(() =>
          supervised.events.some(
            (event) => event.event === 'task' && event.task === 'odd' && event.phase === 'stopping',
          ),
        );
        supervised.order({ kind: 'kill' });
        expect((await supervised.end()).killed).toContain('odd was killed at once');
        expect(leftovers(home)).toEqual([]);
      },
    ));
});

describe('a devnet whose files are removed', () => {
  it.each([
    ['its folder', (home: string) => pathsOf(home, 'torn').folder],
    ['its home', (home: string) => home],
    ['its lock', (home: string) => pathsOf(home, 'torn').lock],
  ])('ends with the reason, because no command can reach it any more: %s', async (_, removed) => {
    const options = { argv: [program('setsid-child.sh')], ready: wroteIts('child') };
    await running(options, async ({ supervised, home, log }) => {
      const child = childIn(log);
      rmSync(removed(home), { recursive: true });
      expect(await supervised.end()).toMatchObject({ code: 1, errors: [] });
      expect(supervised.failure()?.what).toMatch(/torn was removed while the devnet ran$/);
      expect(leftovers(home, child)).toEqual([]);
    });
  });

  it('leaves a new devnet of its name alone', () =>
    running({}, async ({ supervised, home }) => {
      const paths = pathsOf(home, 'torn');
      rmSync(home, { recursive: true });
      mkdirSync(dirname(paths.lock), { recursive: true });
      mkdirSync(paths.folder);
      const other = JSON.stringify({ pid: process.pid, started: '1', boot: 'other', role: 'supervisor', since: 0 });
      writeFileSync(paths.lock, other);
      for (const file of [paths.plan, paths.state]) writeFileSync(file, 'of the other');
      expect(await supervised.end()).toMatchObject({ code: 1 });
      expect(readFileSync(paths.lock, 'utf8')).toBe(other);
      expect([paths.plan, paths.state].map((file) => readFileSync(file, 'utf8'))).toEqual([
        'of the other',
        'of the other',
      ]);
    }));
});

describe('a supervisor that dies', () => {
  it.each(['setsid-child.sh', ...(LEAVES_NO_TRACE ? [] : ['daemonises.sh']), 'forks-a-child.sh'])(
    'by SIGKILL leaves nothing: its guard ends all of %s and takes socket and lock away',
    (name) =>
      running({ argv: [program(name)], ready: wroteIts('child|daemon') }, async ({ supervised, home, log }) => {
        const pid = Number(/(?:child|daemon) (\d+)/.exec(readFileSync(log, 'utf8'))?.[1]);
        process.kill(supervised.process.pid, 'SIGKILL');
        await expect.poll(() => leftovers(home, pid)).toEqual([]);
        const paths = pathsOf(home, 'torn');
        expect([paths.lock, paths.control].filter((path) => existsSync(path))).toEqual([]);
      }),
  );

  it('with its guard leaves processes that the next start of this name ends', () =>
    running({ argv: [program('setsid-child.sh')], ready: wroteIts('child') }, async ({ supervised, home, log }) => {
      const child = childIn(log);
      const guard = Number(
        leftovers(home)
          .find((line) => line.includes('guard'))
          ?.split(' ')[0],
      );
      process.kill(guard, 'SIGSTOP');
      process.kill(supervised.process.pid, 'SIGKILL');
      process.kill(guard, 'SIGKILL');
      await supervised.process.exited;
      expect(leftovers(home, child).length).toBeGreaterThan(1);
      await using next = new Supervised(home);
      await next.up(fixturePlan(home, 'torn', [{ port: await freePort() }])).phase('ready');
      expect(leftovers('nowhere', child)).toEqual([]);
      next.order({ kind: 'interrupt' });
      await next.end();
      expect(leftovers(home)).toEqual([]);
    }));

  it('by SIGKILL does not stop the next one of its name from starting at once', () =>
    running({ argv: [program('setsid-child.sh')], ready: wroteIts('child') }, async ({ supervised, home }) => {
      await using next = new Supervised(home);
      process.kill(supervised.process.pid, 'SIGKILL');
      await next.up(fixturePlan(home, 'torn', [{ port: await freePort() }], { other: {} })).phase('ready');
      // The guard of the first is gone, and has left the second alone.
      await expect.poll(() => leftovers(home).filter((line) => line.includes('guard')).length).toBe(1);
      const control = await connectControl(pathsOf(home, 'torn').control);
      expect(await control?.ask({ method: 'state' })).toMatchObject({ state: { phase: 'ready' } });
      control?.close();
    }));

  it('right after taking its lock leaves no lock', async () => {
    using folder = temporaryHome();
    const { lock } = pathsOf(folder.home, 'early');
    await using supervised = new Supervised(folder.home);
    supervised.up(fixturePlan(folder.home, 'early', []));
    while (!existsSync(lock)) await new Promise((resolve) => setImmediate(resolve));
    process.kill(supervised.process.pid, 'SIGKILL');
    await supervised.process.exited;
    await expect.poll(() => existsSync(lock), { interval: 10 }).toBe(false);
  });

  it('at any moment of its start leaves nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 400 }),
        fc.constantFrom('SIGKILL', 'interrupt', 'close'),
        async (after, how) => {
          using folder = temporaryHome();
          await using supervised = new Supervised(folder.home);
          supervised.up(
            fixturePlan(folder.home, 'moment', [{ port: await freePort(), flags: ['--delay=80'] }], {
              child: { argv: [program('setsid-child.sh')] },
            }),
          );
          const began = performance.now();
          await expect.poll(() => performance.now() - began, { interval: 5 }).toBeGreaterThanOrEqual(after);
          if (how === 'SIGKILL') process.kill(supervised.process.pid, 'SIGKILL');
          else if (how === 'interrupt') supervised.order({ kind: 'interrupt' });
          else supervised.process.endInput();
          await supervised.process.exited;
          await expect.poll(() => leftovers(folder.home)).toEqual([]);
          const paths = pathsOf(folder.home, 'moment');
          expect([paths.lock, paths.control].filter((path) => existsSync(path))).toEqual([]);
        },
      ),
      { numRuns: 12, seed: 7 },
    );
  });
});

it('a killed guard is replaced by one that knows the same processes', () =>
  running({ argv: [program('setsid-child.sh')], ready: wroteIts('child') }, async ({ supervised, home, log }) => {
    const child = childIn(log);
    // A guard has this name once it reads what the supervisor wrote to it at its start.
    const guards = () => leftovers(home).filter((line) => line.includes('devnet-guard'));
    await expect.poll(() => guards().length).toBe(1);
    const [first] = guards();
    process.kill(Number(first?.split(' ')[0]), 'SIGKILL');
    await expect.poll(() => guards().filter((line) => line !== first).length).toBe(1);
    process.kill(supervised.process.pid, 'SIGKILL');
    await expect.poll(() => leftovers(home, child)).toEqual([]);
  }));
