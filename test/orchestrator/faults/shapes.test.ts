import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mustTouch, shapesOf, tasksTouched } from '../../../src/orchestrator/faults/shapes.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { NO_FAULTS, type Partition, type Shaping } from '../../../src/orchestrator/state/faults.ts';
import { CLEAN, type LinkShape } from '../../../src/system/net/link/line.ts';
import { three, twoChains } from './network.ts';

const partition = (...groups: string[][]): Partition => ({ id: '1', since: 0, groups });
const shaping = (target: string, shape: Partial<Shaping>): Shaping => ({ id: '2', since: 0, target, ...shape });

const shapes = (faults: { partitions?: Partition[]; shaping?: Shaping[] }, plan: Plan = three) =>
  shapesOf(plan, { ...NO_FAULTS, ...faults });
const cuts = (groups: string[][], plan: Plan = three) =>
  [...shapes({ partitions: [partition(...groups)] }, plan)].flatMap(([id, { isCut }]) => (isCut ? [id.slice(5)] : []));
const shapeOf = (all: ReadonlyMap<string, LinkShape>, id: string) => all.get(`link:${id}`);

it('a partition cuts all links between its groups, and none within them or to those that none names', () => {
  const links = cuts([
    ['a', 'batcher'],
    ['b', 'late-one'],
  ]);
  expect(links).toEqual(
    expect.arrayContaining(['main/a/cl>main/b/cl:p2p', 'main/b/cl>main/a/cl:p2p', '*>main/b/cl:p2p']),
  );
  expect(links.filter((id) => /l1|engine|batcher/.test(id))).toEqual([]);
  expect(links.filter((id) => id.includes('/b/') && id.includes('late-one'))).toEqual([]);
  expect(cuts([['a', 'b', 'late-one', 'batcher'], ['l1']])).toContain('main/batcher>l1:rpc');
  expect(
    cuts([
      ['a', 'b', 'late-one'],
      ['l1', 'batcher'],
    ]),
  ).not.toContain('main/batcher>l1:rpc');
});

it('a partition cuts the place that any peer dials, so that nothing goes around it', () => {
  const nodes = ['a', 'b', 'late-one'];
  fc.assert(
    fc.property(fc.array(fc.nat(2), { minLength: 3, maxLength: 3 }), (choice) => {
      const groups = [0, 1, 2]
        .map((group) => nodes.filter((_, at) => choice[at] === group))
        .filter((each) => each.length > 0);
      fc.pre(groups.length > 1);
      const links = new Set(cuts(groups));
      for (const { id, from, to } of three.links ?? []) {
        const nodeOf = (task: string) => nodes.find((node) => task.startsWith(`main/${node}/`));
        const groupOf = (task: string) => groups.findIndex((group) => group.includes(nodeOf(task) ?? ''));
        const isBetween = from === '*' ? true : groupOf(from) >= 0 && groupOf(to) >= 0 && groupOf(from) !== groupOf(to);
        expect([id, links.has(id.slice(5))]).toEqual([id, isBetween]);
      }
    }),
  );
});

it('the beacon node of L1 goes with L1, unless it is named', () => {
  expect(cuts([['a', 'b', 'late-one'], ['l1']])).toContain('main/a/cl>l1-beacon:http');
  const apart = cuts([['a', 'b', 'late-one', 'l1'], ['beacon']]);
  expect(apart).toContain('main/a/cl>l1-beacon:http');
  expect(apart).not.toContain('main/a/cl>l1:rpc');
});

it('a partition of one chain leaves the others alone', () => {
  const links = cuts([['x/s'], ['x/v']], twoChains);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((id) => id.includes('y/'))).toEqual([]);
});

it.each([
  [
    [
      ['a', 'b'],
      ['b', 'late-one'],
    ],
    'main/b is named twice: expected each node in one group',
  ],
  [
    [
      ['a', 'main/a'],
      ['b', 'late-one'],
    ],
    'main/a is named twice: expected each node in one group',
  ],
  [[['a'], ['b']], 'main/late-one is in no group: expected each node of chain main in one group'],
  [[['a', 'b', 'late-one']], 'a partition needs at least two groups'],
  [[['a', 'b', 'late-one'], ['c']], 'there is no node "c"'],
  [[['l1'], ['beacon']], 'no link is between these groups'],
])('a partition of %j is refused', (groups, message) => {
  expect(() => mustTouch(three, { partition: { groups } })).toThrow(
    expect.objectContaining({ code: 'fault', exit: 2, message }),
  );
});

it('a standing fault goes on when nodes come and go: those that no group names are connected with all', () => {
  const links = cuts([['a'], ['b']]);
  expect(links).toContain('main/a/cl>main/b/cl:p2p');
  expect(links.filter((id) => id.includes('late-one') && !id.startsWith('*'))).toEqual([]);
  expect(cuts([['a', 'gone'], ['b']])).toEqual(links);
  expect([...shapes({ shaping: [shaping('gone', { cut: true }), shaping('a-gone', { cut: true })] })]).toEqual([]);
});

it('a shaping holds for both directions, or for that from or to its target', () => {
  const slow = { ...CLEAN, delayMs: 50, jitterMs: 5, loss: 0.1, rate: 125_000 };
  const given = { delay: 50, jitter: 5, loss: 10, bandwidth: 1000 };
  const ends = (direction: Shaping['direction'] | undefined) => {
    const all = shapes({ shaping: [shaping('a-b:rpc', { ...given, ...(direction && { direction }) })] });
    return ['main/a/el>main/b/el:http', 'main/b/el>main/a/el:http'].map((id) => shapeOf(all, id));
  };
  expect(ends(undefined)).toEqual([
    { there: slow, back: slow, isCut: false },
    { there: slow, back: slow, isCut: false },
  ]);
  expect(ends('egress')).toEqual([
    { there: slow, back: CLEAN, isCut: false },
    { there: CLEAN, back: slow, isCut: false },
  ]);
  expect(ends('ingress')).toEqual([
    { there: CLEAN, back: slow, isCut: false },
    { there: slow, back: CLEAN, isCut: false },
  ]);
});

it('the strictest of each kind is in force where faults meet', () => {
  const all = shapes({
    shaping: [
      shaping('b:engine', { delay: 50, bandwidth: 100, loss: 1 }),
      shaping('b:engine', { delay: 20, bandwidth: 10, jitter: 7 }),
      shaping('b:engine', { drop: true, direction: 'egress' }),
    ],
  });
  const common = { delayMs: 50, jitterMs: 7, loss: 0.01, rate: 1250 };
  expect(shapeOf(all, 'main/b/cl>main/b/el:engine')).toEqual({
    there: { ...common, isDropped: true },
    back: { ...common, isDropped: false },
    isCut: false,
  });
  const cut = shapes({
    partitions: [partition(['a'], ['b', 'late-one'])],
    shaping: [shaping('a-b:p2p', { delay: 5 })],
  });
  expect(shapeOf(cut, 'main/a/cl>main/b/cl:p2p')).toMatchObject({ isCut: true, there: { delayMs: 5 } });
});

it('a fault touches the tasks at both ends of its links', () => {
  expect(tasksTouched(three, { shaping: shaping('batcher-l1', { cut: true }) })).toEqual(
    new Set(['main/batcher', 'l1']),
  );
});
