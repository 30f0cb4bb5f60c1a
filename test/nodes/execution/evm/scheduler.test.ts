import { expect, test } from 'vitest';
import { Scheduler } from '../../../../src/nodes/execution/evm/scheduler.ts';

const TASKS = 40;
/** Milliseconds of one task. A turn holds at most two. */
const WORK = 0.5;

function burn(): void {
  for (const end = performance.now() + WORK; performance.now() < end; );
}

/** Counts the turns of the event loop until `end`. */
function countTurns(): { readonly turns: number; end(): void } {
  let isOver = false;
  const counter = {
    turns: 0,
    end() {
      isOver = true;
    },
  };
  const turn = () => {
    counter.turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return counter;
}

test('tasks of a burst run in their order, and the event loop runs between them', async () => {
  const scheduler = new Scheduler();
  const done: number[] = [];
  const counter = countTurns();
  const task = (at: number) =>
    scheduler.run(() => {
      burn();
      done.push(at);
    });
  await Promise.all(Array.from({ length: TASKS }, (_, at) => task(at)));
  counter.end();
  expect(done).toEqual(Array.from({ length: TASKS }, (_, at) => at));
  expect(counter.turns).toBeGreaterThanOrEqual(TASKS / 2 - 2);
});

test('a task starts in this turn when none runs and the turn has time left, else in the next', async () => {
  const scheduler = new Scheduler();
  const counter = countTurns();
  const started: number[] = [];
  const task = (work: () => void) =>
    scheduler.run(() => {
      started.push(counter.turns);
      work();
    });
  await task(() => {});
  await task(() => {
    burn();
    burn();
  });
  await task(() => {});
  counter.end();
  expect(started).toEqual([0, 0, 1]);
});

test('a task that is added while others wait runs after them', async () => {
  const scheduler = new Scheduler();
  const order: string[] = [];
  const task = (name: string) =>
    scheduler.run(() => {
      burn();
      order.push(name);
    });
  const first = ['a', 'b', 'c', 'd', 'e'].map(task);
  const later = new Promise<void>((resolve) => setImmediate(() => resolve(task('f'))));
  await Promise.all([...first, later]);
  expect(order.join('')).toBe('abcdef');
});

test('one task runs at a time, and one that yields continues after those that wait', async () => {
  const scheduler = new Scheduler();
  const order: string[] = [];
  let running = 0;
  const long = (name: string) =>
    scheduler.run(async (rest) => {
      for (const part of [1, 2, 3]) {
        expect(++running).toBe(1);
        await Promise.resolve();
        order.push(`${name}${part}`);
        running--;
        await rest();
      }
    });
  const both = [long('a'), long('b')];
  const short = scheduler.run(() => void order.push('c'));
  await Promise.all([...both, short]);
  expect(order).toEqual(['a1', 'b1', 'c', 'a2', 'b2', 'a3', 'b3']);
});

test('a failed task does not block the next one', async () => {
  const scheduler = new Scheduler();
  const failed = scheduler.run(() => {
    throw new Error('revert');
  });
  const next = scheduler.run(async (rest) => {
    await rest();
    return 1;
  });
  await expect(failed).rejects.toThrow('revert');
  expect(await next).toBe(1);
});

test('tasks that yield leave at least three turns to priority work, and none without it', async () => {
  let isBusy = true;
  const scheduler = new Scheduler(() => isBusy);
  const counter = countTurns();
  const turns: number[] = [];
  await scheduler.run(async (rest) => {
    for (let part = 0; part < 20; part++) {
      burn();
      burn();
      const before = counter.turns;
      await rest();
      turns.push(counter.turns - before);
      if (part === 9) isBusy = false;
    }
  });
  counter.end();
  expect(Math.min(...turns.slice(1, 10))).toBeGreaterThanOrEqual(4);
  expect(Math.max(...turns.slice(1, 10))).toBeLessThanOrEqual(31);
  expect(turns.slice(11)).toEqual(Array.from({ length: 9 }, () => 1));
});

test('tasks that wait or yield end with an error when the scheduler closes', async () => {
  const scheduler = new Scheduler();
  const endless = scheduler.run(async (rest) => {
    for (;;) await rest();
  });
  const waiting = scheduler.run(() => {});
  scheduler.close();
  await expect(endless).rejects.toThrow('the node is closing');
  await expect(waiting).rejects.toThrow('the node is closing');
});
