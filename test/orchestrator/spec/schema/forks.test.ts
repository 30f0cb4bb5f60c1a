import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { BASES, FORK_NAMES } from '../../../../src/orchestrator/spec/schema/fork-names.ts';
import {
  basedOn,
  forksWithBundle,
  scheduleOfNode,
  scheduleOfSpec,
} from '../../../../src/orchestrator/spec/schema/forks.ts';
import {
  DEFAULT_L1_FORK,
  l1BasedOn,
  l1BlobSchedule,
  l1ForkTimes,
  l1TimesOf,
} from '../../../../src/orchestrator/spec/schema/l1-forks.ts';
import type { NodeSpec } from '../../../../src/orchestrator/spec/schema/types.ts';
import { type ForkTime, parseForkTime } from '../../../../src/orchestrator/spec/schema/values.ts';

const CLOCK = { genesisTime: 1000, blockTime: 2, now: 1500 };

/** Times of forks as a spec writes them. */
const times = (written: Readonly<Record<string, unknown>>): Readonly<Record<string, ForkTime>> =>
  Object.fromEntries(Object.entries(written).map(([fork, time]) => [fork, parseForkTime(time)!]));

const LINKS = [
  'bedrock',
  'regolith',
  'canyon',
  'delta',
  'ecotone',
  'fjord',
  'granite',
  'holocene',
  'isthmus',
  'jovian',
  'karst',
] as const;

it('a chain can start from each fork that another one follows, and an optional fork is no base', () => {
  expect(BASES).toEqual(LINKS);
  expect(FORK_NAMES.toSorted()).toEqual([...LINKS, 'pectrablobschedule'].toSorted());
});

describe('the schedule of a chain', () => {
  it.each([
    ['bedrock', ['bedrock']],
    ['canyon', ['bedrock', 'regolith', 'canyon']],
    ['karst', LINKS],
  ] as const)('with the base %s has it and the forks before it at genesis', (base, forks) => {
    expect(basedOn(base)).toEqual(forks);
    expect(scheduleOfSpec({ base, times: {} }, CLOCK)).toEqual(Object.fromEntries(forks.map((fork) => [fork, 0])));
  });

  it('has the times that the spec says, and no fork that never activates', () => {
    const said = times({
      canyon: '+20s',
      delta: { block: 4 },
      ecotone: 1234,
      fjord: 'never',
      pectrablobschedule: 'now+1s',
    });
    expect(scheduleOfSpec({ base: 'regolith', times: said }, CLOCK)).toEqual({
      bedrock: 0,
      regolith: 0,
      canyon: 1020,
      delta: 1008,
      ecotone: 1234,
      pectrablobschedule: 1501,
    });
  });
});

describe('the schedule of a node', () => {
  const chain = { bedrock: 0, regolith: 0, canyon: 1020, delta: 1030 };

  it.each<[Readonly<Record<string, unknown>>, object]>([
    [{}, {}],
    [{ canyon: '+25s' }, { canyon: 1025 }],
    [{ ecotone: { block: 50 } }, { ecotone: 1100 }],
    [{ delta: 'never' }, { delta: undefined }],
  ])('is that of the chain with its overrides: %j', (written, changed) => {
    expect(scheduleOfNode(chain, times(written), CLOCK)).toEqual({ ...chain, ...changed });
    expect(chain).toEqual({ bedrock: 0, regolith: 0, canyon: 1020, delta: 1030 });
  });

  it('lacks a fork that never activates there', () => {
    expect(scheduleOfNode(chain, times({ delta: 'never' }), CLOCK)).not.toHaveProperty('delta');
  });
});

describe('the forks that need an upgrade bundle', () => {
  const node = (written: Readonly<Record<string, unknown>>) => ({ override: times(written) }) as unknown as NodeSpec;

  it.each<[string, Readonly<Record<string, number>>, Readonly<Record<string, NodeSpec>>, readonly string[]]>([
    ['none at genesis', { ecotone: 0, fjord: 1000 }, {}, []],
    ['those after genesis, in their order', { isthmus: 1030, ecotone: 1001, canyon: 1001 }, {}, ['ecotone', 'isthmus']],
    ['those of one node alone', { ecotone: 0 }, { a: node({}), b: node({ fjord: '+9s' }) }, ['fjord']],
    ['each once', { fjord: 1030 }, { a: node({ fjord: '+9s' }), b: node({}) }, ['fjord']],
  ])('are %s', (_, schedule, nodes, forks) => {
    expect(forksWithBundle(schedule, nodes, CLOCK).map(({ name }) => name)).toEqual(forks);
  });
});

describe('the forks of L1', () => {
  it('begin with prague when the spec names none', () => {
    expect(DEFAULT_L1_FORK).toBe('prague');
  });

  it.each([
    ['cancun', ['cancun']],
    ['prague', ['cancun', 'prague']],
    ['osaka', ['cancun', 'prague', 'osaka']],
  ] as const)('with the base %s are active at genesis up to it', (base, forks) => {
    expect(l1BasedOn(base)).toEqual(forks);
  });

  it.each([
    [
      { prague: '+20s', osaka: { block: 30 }, bpo1: 1234 },
      { osaka: 1060, bpo1: 1234 },
    ],
    [{ osaka: 'never', bpo2: 'now+1s' }, { bpo2: 1501 }],
    [{}, {}],
  ])('%j after the base prague have the times %j', (written, seconds) => {
    expect(l1TimesOf({ hardfork: 'prague', forks: times(written) }, CLOCK)).toStrictEqual(seconds);
  });

  it('have a key of the spec each: of times after genesis, and of blob counts', () => {
    expect(Object.keys(l1ForkTimes)).toEqual(['prague', 'osaka', 'bpo1', 'bpo2']);
    const accepts = (value: unknown) => z.safeParse(l1BlobSchedule, value).success;
    const counts = { target: 0, max: 1 };
    for (const fork of ['cancun', 'prague', 'osaka', 'bpo1', 'bpo2']) expect(accepts({ [fork]: counts })).toBe(true);
    expect(accepts({})).toBe(true);
    expect(accepts({ london: counts })).toBe(false);
    expect(accepts({ osaka: 5 })).toBe(false);
  });

  it.each([
    ['target', 0, 1000],
    ['max', 1, 1000],
    ['baseFeeUpdateFraction', 1, Number.MAX_SAFE_INTEGER],
  ])('have a %s of blobs from %i to %i', (key, least, most) => {
    const accepts = (value: number) =>
      z.safeParse(l1BlobSchedule, { osaka: { target: 1, max: 1, [key]: value } }).success;
    expect([least - 1, least, most, most + 1].map(accepts)).toEqual([false, true, true, false]);
  });

  it('have blob counts with a target and a max, and no other key', () => {
    const accepts = (counts: object) => z.safeParse(l1BlobSchedule, { osaka: counts }).success;
    expect([{ target: 1, max: 2 }, { target: 1 }, { max: 1 }, { target: 1, max: 1, x: 1 }].map(accepts)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
