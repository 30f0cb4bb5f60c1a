import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clockFollowers,
  type Follower,
  GOSSIP,
  listUnsettled,
  reportedHeads,
} from '../../../src/orchestrator/clock/settle.ts';
import { nextInstant, type Rhythm } from '../../../src/orchestrator/clock/warp.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import type { LiveTask } from '../../../src/orchestrator/processes/live-task.ts';

type Progress = NonNullable<Follower['report']>['progress'];

const follower = (
  task: string,
  kind: Follower['kind'],
  step: number | undefined,
  progress: Progress = { kind: 'poster' },
): Follower => ({
  task,
  kind,
  chain: kind === 'beacon' ? undefined : 'main',
  isSequencer: task === 'sequencer',
  report: step === undefined ? undefined : { step, progress },
});

const head = (l1: string, unsafe: string, derived = true): Progress => ({
  kind: 'rollup',
  l1,
  unsafe,
  derived,
  number: 1,
});
const ALL = ['beacon', 'cl', 'batcher', 'proposer'] as const;

/** A network in which every process is done with step 7. */
const done = (): Follower[] => [
  follower('l1-beacon', 'beacon', 7, { kind: 'beacon', l1: 'a', number: 1 }),
  follower('sequencer', 'cl', 7, head('a', 'x')),
  follower('verifier', 'cl', 7, head('a', 'x')),
  follower('batcher', 'batcher', 7),
];

describe('a step of the clock is done', () => {
  it('takes the highest head of a set of sequencers for the newest block, whichever has it', () => {
    const member = (unsafe: string, number: number): Follower => ({
      ...follower('sequencer', 'cl', 7, { kind: 'rollup', l1: 'a', unsafe, derived: true, number }),
    });
    const both = [member('x', 2), member('w', 1)];
    for (const set of [both, both.toReversed()]) {
      expect(reportedHeads(set).unsafe.get('main')).toBe('x');
      expect(listUnsettled(set, ALL, 7).map(({ what }) => what)).toEqual([GOSSIP]);
    }
  });

  it('when every process has reported it', () => expect(listUnsettled(done(), ALL, 7)).toEqual([]));

  it.each<[string, number, Partial<Follower>, string]>([
    [
      'l1-beacon makes the block',
      0,
      { report: { step: 6, progress: { kind: 'beacon', l1: 'a', number: 1 } } },
      'is busy',
    ],
    [
      'the sequencer does not know it',
      1,
      { report: { step: 7, progress: head('old', 'x') } },
      "does not know L1's newest block",
    ],
    ['a verifier derives', 2, { report: { step: 7, progress: head('a', 'x', false) } }, 'derives'],
    ['gossip has not arrived', 2, { report: { step: 7, progress: head('a', 'w') } }, GOSSIP],
    ['the batcher posts', 3, { report: { step: 6, progress: { kind: 'poster' } } }, 'is busy'],
    ['a process does not report', 3, { report: undefined }, 'has not reported'],
  ])('not while %s', (_, at, change, what) => {
    const all = done().map((each, index) => (index === at ? { ...each, ...change } : each));
    expect(listUnsettled(all, ALL, 7)).toEqual([{ task: all[at]!.task, what }]);
  });

  it('without the processes that are down, and without a verifier that gossip does not reach', () => {
    const [beacon, , verifier] = done();
    expect(listUnsettled([beacon!, verifier!], ALL, 7)).toEqual([]);
    const apart = done().map((each) =>
      each.task === 'verifier' ? follower('verifier', 'cl', 7, head('a', 'w')) : each,
    );
    expect(listUnsettled(apart, ALL, 7, { apart: new Set(['verifier']) })).toEqual([]);
  });

  it('in quick steps, while verifiers and proposers are at most one step behind', () => {
    const before = reportedHeads(done());
    const [at, ahead] = [7, 8];
    const quick = (verifier: number, progress: Progress, batcher: number, proposer: number): Follower[] => [
      follower('l1-beacon', 'beacon', ahead, { kind: 'beacon', l1: 'b', number: 1 }),
      follower('sequencer', 'cl', ahead, head('b', 'y')),
      follower('verifier', 'cl', verifier, progress),
      follower('batcher', 'batcher', batcher),
      follower('proposer', 'proposer', proposer),
    ];
    const late = (...all: Parameters<typeof quick>) =>
      listUnsettled(quick(...all), ALL, ahead, { before }).map(({ task }) => task);
    expect(late(at, head('a', 'x'), ahead, at)).toEqual([]);
    expect(late(at, head('a', 'y'), ahead, ahead)).toEqual([]);
    expect(late(at, head('old', 'x'), ahead, at)).toEqual(['verifier']);
    expect(late(at, head('a', 'w'), ahead, at)).toEqual(['verifier']);
    expect(late(at - 1, head('a', 'x'), at, at - 1)).toEqual(['verifier', 'batcher', 'proposer']);
    expect(listUnsettled(quick(at, head('a', 'x'), ahead, at), ALL, ahead).map(({ task }) => task)).toEqual([
      'verifier',
      'proposer',
    ]);
  });

  it('only when all reports are of this step; late processes are named', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 5, max: 9 }), { minLength: 4, maxLength: 4 }), (steps) => {
        const all = done().map((each, at) => ({ ...each, report: { ...each.report!, step: steps[at]! } }));
        const late = all.filter(({ report }) => report.step < 7).map(({ task }) => task);
        expect(listUnsettled(all, ALL, 7).map(({ task }) => task)).toEqual(late);
      }),
    );
  });
});

/** Blocks that are due between two times (ms), the first excluded. */
function blocksBetween({ genesisTime }: Rhythm, blockTime: number, from: number, to: number): number {
  const due = (time: number) => Math.max(0, Math.floor((time / 1000 - genesisTime) / blockTime));
  return due(to) - due(from);
}

describe('the times of a warp', () => {
  const rhythms = fc.record({
    genesisTime: fc.integer({ min: 1, max: 2e9 }),
    l1BlockTime: fc.integer({ min: 1, max: 12 }),
    l2BlockTimes: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 }),
  });

  it('contain each block of L1 and of a chain once', () => {
    fc.assert(
      fc.property(rhythms, fc.integer({ min: 0, max: 60_000 }), (rhythm, offset) => {
        const from = rhythm.genesisTime * 1000 + offset;
        let at = from;
        let steps = 0;
        for (let next = nextInstant(rhythm, at); next <= from + 60_000; next = nextInstant(rhythm, at)) {
          const units = [rhythm.l1BlockTime, ...rhythm.l2BlockTimes];
          const due = units.map((unit) => blocksBetween(rhythm, unit, at, next));
          expect(Math.max(...due)).toBe(1);
          at = next;
          steps += due[0]!;
        }
        expect(steps).toBe(blocksBetween(rhythm, rhythm.l1BlockTime, from, from + 60_000));
      }),
    );
  });
});

it('the blocks of a network stand in the order of the plan, whatever order its processes have', () => {
  const chain = (name: string) => ({ name, nodes: [{ role: 'sequencer', cl: { task: `${name}/s/cl` } }] });
  const plan = { network: { chains: [chain('zulu'), chain('alpha')] } } as unknown as Plan;
  const live = (id: string, kind: string, of?: string) => [
    id,
    { task: { id, kind, chain: of, clock: 'network', needs: [] }, phase: 'ready' },
  ];
  const tasks = new Map([
    live('alpha/s/cl', 'cl', 'alpha'),
    live('l1-beacon', 'beacon'),
    live('zulu/s/cl', 'cl', 'zulu'),
  ] as unknown as [string, LiveTask][]);
  const reports = new Map(
    [...tasks.keys()].map((task) => [
      task,
      { step: 7, progress: task === 'l1-beacon' ? ({ kind: 'beacon', l1: 'a', number: 3 } as const) : head('a', 'x') },
    ]),
  );
  const blocks = clockFollowers(() => plan, tasks, { reports: () => reports }).blocks();
  expect(Object.entries(blocks)).toEqual([
    ['l1', 3],
    ['zulu', 1],
    ['alpha', 1],
  ]);
});
