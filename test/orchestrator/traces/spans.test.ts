import { expect, it } from 'vitest';
import { TraceBook } from '../../../src/orchestrator/traces/book.ts';
import { spansOf, traceOf } from '../../../src/orchestrator/traces/spans.ts';
import type { TraceMark } from '../../../src/system/channel/trace-marks.ts';

const hash = (number: number) => `0x${number.toString(16).padStart(64, '0').split('').reverse().join('')}`;
const CHANNEL = `0x${'c'.repeat(32)}`;
const L1 = `0x${'d'.repeat(64)}`;
const [SEQUENCER, VERIFIER] = ['main/sequencer/cl', 'main/verifier/cl'];

type Step = readonly [task: string, mark: TraceMark];

const step = (task: string, mark: TraceMark['mark'], number: number, [from, to]: readonly [number, number]): Step => [
  task,
  { mark, of: hash(number), from, to, number, parent: hash(number - 1) },
];

/** What a block of a network of two nodes goes through, from ms 1000 × its number on. */
const lifeOf = (number: number): readonly Step[] => [
  step(SEQUENCER, 'build', number, [number * 1000, number * 1000 + 900]),
  step(SEQUENCER, 'seal', number, [number * 1000 + 900, number * 1000 + 910]),
  step(SEQUENCER, 'publish', number, [number * 1000 + 911, number * 1000 + 911]),
  step(SEQUENCER, 'import', number, [number * 1000 + 912, number * 1000 + 920]),
  step(VERIFIER, 'receive', number, [number * 1000 + 915, number * 1000 + 915]),
  step(VERIFIER, 'import', number, [number * 1000 + 916, number * 1000 + 930]),
];

const batch = (first: number, last: number): Step => [
  'main/batcher',
  { mark: 'batch', of: CHANNEL, from: 1500, to: 9000, first: hash(first), last: hash(last), number: 7 },
];
const l1: Step = ['l1-beacon', { mark: 'l1', of: L1, from: 8900, to: 8910, number: 7 }];

function bookOf(...steps: readonly Step[]): TraceBook {
  const book = new TraceBook(100);
  for (const [task, mark] of steps) book.add(task, mark);
  return book;
}

const spansIn = (book: TraceBook, of: string, isSettled = false) => spansOf(book, book.get(of)!, isSettled);
const short = (book: TraceBook, of: string) =>
  spansIn(book, of).map(({ name, task, from, to }) => [name, task, from, to]);

it('a block is one trace: its parts stand below the span from its build to its import at the builder', () => {
  const book = bookOf(...lifeOf(3));
  expect(short(book, hash(3))).toEqual([
    ['block 3', SEQUENCER, 3000, 3920],
    ['build', SEQUENCER, 3000, 3900],
    ['seal', SEQUENCER, 3900, 3910],
    ['gossip', VERIFIER, 3911, 3915],
    ['import', SEQUENCER, 3912, 3920],
    ['import', VERIFIER, 3916, 3930],
  ]);
  const spans = spansIn(book, hash(3));
  expect(new Set(spans.map(({ trace }) => trace))).toEqual(new Set([hash(3).slice(2, 34)]));
  expect(new Set(spans.map(({ id }) => id)).size).toBe(spans.length);
  expect(spans.slice(1).every(({ parent }) => parent === spans[0]!.id)).toBe(true);
});

it('a head that becomes safe or final counts for its ancestors, in whatever order marks come', () => {
  const heads: readonly Step[] = [
    [VERIFIER, { mark: 'safe', of: hash(4), from: 6000, to: 6000 }],
    [VERIFIER, { mark: 'finalized', of: hash(3), from: 8000, to: 8000 }],
    [VERIFIER, { mark: 'safe', of: hash(5), from: 9000, to: 9000 }],
  ];
  for (const book of [bookOf(...lifeOf(3), ...lifeOf(4), ...heads), bookOf(...heads, ...lifeOf(4), ...lifeOf(3))]) {
    expect(short(book, hash(3)).slice(-2)).toEqual([
      ['safe', VERIFIER, 3920, 6000],
      ['finalized', VERIFIER, 6000, 8000],
    ]);
    expect(short(book, hash(4)).at(-1)).toEqual(['safe', VERIFIER, 4920, 6000]);
  }
});

it('a batch and its block of L1 are traces of their own, with links to and from the blocks', () => {
  const blocks = [2, 3, 4, 5].flatMap(lifeOf);
  for (const book of [bookOf(...blocks, l1, batch(3, 4)), bookOf(batch(3, 4), l1, ...blocks)]) {
    expect(short(book, hash(4))).toContainEqual(['batch', 'main/batcher', 1500, 9000]);
    expect(short(book, hash(4))).toContainEqual(['L1 block 7', 'l1-beacon', 8900, 8910]);
    const has = (number: number) => spansIn(book, hash(number)).some(({ name }) => name === 'batch');
    expect([2, 3, 4, 5].map(has)).toEqual([false, true, true, false]);
    const [root] = spansIn(book, CHANNEL);
    expect(root).toMatchObject({ trace: 'c'.repeat(32), parent: undefined, name: 'batch' });
    expect(root!.links.map(({ trace }) => trace)).toEqual([hash(3), hash(4), L1].map(traceOf));
    const links = spansIn(book, hash(4)).flatMap((span) => span.links);
    expect(links).toEqual([
      { trace: 'c'.repeat(32), span: root!.id },
      { trace: 'd'.repeat(32), span: spansIn(book, L1)[0]!.id },
    ]);
  }
});

it('a batch of one block has one link to it', () => {
  const [root] = spansIn(bookOf(...lifeOf(3), batch(3, 3)), CHANNEL);
  expect(root!.links.map(({ trace }) => trace)).toEqual([traceOf(hash(3))]);
});

it('a block without marks of its builder has spans only once it is settled', () => {
  const book = bookOf(...lifeOf(3).filter(([task]) => task === VERIFIER));
  expect(spansIn(book, hash(3))).toEqual([]);
  expect(spansIn(book, hash(3), true).map(({ name, from, to }) => [name, from, to])).toEqual([
    ['block 3', 3916, 3930],
    ['gossip', 3915, 3915],
    ['import', 3916, 3930],
  ]);
});

it('the first mark of a task counts, and the book keeps the newest blocks', () => {
  const book = new TraceBook(2);
  for (const [task, mark] of [...lifeOf(3), ...lifeOf(4)]) book.add(task, mark);
  book.add(VERIFIER, { mark: 'import', of: hash(4), from: 9000, to: 9001, number: 4 });
  expect(short(book, hash(4)).at(-1)).toEqual(['import', VERIFIER, 4916, 4930]);
  book.add(...lifeOf(5)[0]!);
  expect(book.get(hash(3))).toBeUndefined();
  expect([...book.takeTouched()].includes(hash(5))).toBe(true);
  expect([...book.takeTouched()]).toEqual([]);
});
