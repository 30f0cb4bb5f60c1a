import { expect, test } from 'vitest';
import { Scheduler } from '../../../src/nodes/execution/scheduler.ts';

const WORKS = 40;
/** Milliseconds of one task. A turn holds at most two. */
const WORK = 0.5;

function burn(): void {
  for (const end = performance.now() + WORK; performance.now() < end; );
}

test('works that come together are done in their order, and others get their turns between them', async () => {
  const turns = new Scheduler();
  const done: number[] = [];
  let others = 0;
  let isOver = false;
  const other = () => {
    others++;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  const work = async (at: number) => {
    await turns.next();
    burn();
    done.push(at);
  };
  await Promise.all(Array.from({ length: WORKS }, (_, at) => work(at)));
  isOver = true;
  expect(done).toEqual(Array.from({ length: WORKS }, (_, at) => at));
  expect(others).toBeGreaterThanOrEqual(WORKS / 2 - 2);
});

test('a work that comes alone, or while there is time left in a turn, need not wait', async () => {
  const turns = new Scheduler();
  expect(turns.next()).toBeUndefined();
  burn();
  burn();
  expect(turns.next()).toBeInstanceOf(Promise);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(turns.next()).toBeUndefined();
});

test('what comes while others wait comes after them', async () => {
  const turns = new Scheduler();
  const order: string[] = [];
  const work = async (name: string) => {
    await turns.next();
    burn();
    order.push(name);
  };
  const first = ['a', 'b', 'c', 'd', 'e'].map(work);
  const later = new Promise<void>((resolve) => setImmediate(() => resolve(work('f'))));
  await Promise.all([...first, later]);
  expect(order.join('')).toBe('abcdef');
});
