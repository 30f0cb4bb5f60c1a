import { describe, expect, it } from 'vitest';
import {
  candidates,
  describeChanges,
  type ForkState,
  scheduleFrom,
  stateAt,
} from '../../../../src/orchestrator/divergence/explain/schedules.ts';
import type { ForkName } from '../../../../src/protocol/forks/index.ts';

const TIMES = { parent: 108, block: 110 };
/** The changes of one fork alone: its state, and its time. */
const movesOf = (fork: ForkName, schedule: Parameters<typeof candidates>[0]) =>
  candidates(schedule, TIMES).flatMap(({ changes: [first, ...others], schedule: next }) =>
    first?.fork === fork && others.length === 0 ? [[first.state, next[fork]]] : [],
  );

it.each<[number | undefined, ForkState]>([
  [undefined, 'unscheduled'],
  [0, 'active'],
  [107, 'active'],
  [108, 'active'],
  [109, 'activates'],
  [110, 'activates'],
  [111, 'inactive'],
])('a fork at %s is %s at a block of 110 with a parent of 108', (time, state) => {
  expect(stateAt(time === undefined ? {} : { isthmus: time }, 'isthmus', TIMES)).toBe(state);
});

it('the schedule of a plan has the forks that are known and activate, the last layer first', () => {
  expect(scheduleFrom({ canyon: 0, delta: 5, ecotone: null, other: 3 }, { delta: null, fjord: 8 })).toEqual({
    canyon: 0,
    fjord: 8,
  });
  expect(scheduleFrom()).toEqual({});
});

describe('the schedules that are tried for a block', () => {
  const until = (last: number) =>
    Object.fromEntries(
      ['regolith', 'canyon', 'delta', 'ecotone', 'fjord', 'granite', 'holocene', 'isthmus', 'jovian', 'karst']
        .slice(0, last)
        .map((fork) => [fork, 0]),
    );

  it('give the last fork that is active every other state', () => {
    expect(movesOf('isthmus', until(8))).toEqual([
      ['activates', 110],
      ['inactive', 111],
    ]);
    expect(movesOf('isthmus', { ...until(7), isthmus: 110 })).toEqual([
      ['active', 0],
      ['inactive', 111],
    ]);
    expect(movesOf('isthmus', until(7))).toEqual([
      ['active', 0],
      ['activates', 110],
    ]);
  });

  it('leave a fork out of the schedule when it has rules until it activates', () => {
    expect(movesOf('pectrablobschedule', until(8))).toEqual([
      ['active', 0],
      ['activates', 110],
      ['inactive', 111],
    ]);
    expect(movesOf('pectrablobschedule', { ...until(8), pectrablobschedule: 111 })).toEqual([
      ['active', 0],
      ['activates', 110],
      ['unscheduled', undefined],
    ]);
  });

  it('move with a fork those that must not be before or after it', () => {
    const later = candidates(until(8), TIMES).filter(({ changes }) => changes[0]?.fork === 'granite');
    expect(later.map(({ changes }) => changes)).toEqual(
      (['activates', 'inactive'] as const).flatMap((state) => [
        [{ fork: 'granite', state }],
        ['granite', 'holocene', 'isthmus'].map((fork) => ({ fork, state })),
      ]),
    );
    expect(later.at(-1)?.schedule).toEqual({ ...until(5), granite: 111, holocene: 111, isthmus: 111 });
    const earlier = candidates(until(6), TIMES).filter(({ changes }) => changes.at(-1)?.fork === 'isthmus');
    expect(earlier.map(({ changes }) => changes.map(({ fork, state }) => `${fork} ${state}`).join())).toEqual([
      'isthmus active',
      'holocene active,isthmus active',
      'isthmus activates',
      'holocene activates,isthmus activates',
    ]);
  });
});

it.each<[ForkState, string]>([
  ['active', 'a, b active before block 26'],
  ['activates', 'a, b activated by block 26'],
  ['inactive', 'a, b not active at block 26 (later or never)'],
  ['unscheduled', 'a, b not in the schedule (never)'],
])('a change to %s is described', (state, text) => {
  expect(describeChanges({ changes: ['a', 'b'].map((fork) => ({ fork, state })) }, 26)).toBe(text);
  expect(describeChanges({ changes: [] }, 26)).toBe('');
});
