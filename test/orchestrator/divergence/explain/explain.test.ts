import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeBoundary, nearestBoundary } from '../../../../src/orchestrator/divergence/explain/boundary.ts';
import { firstDifference, valueText } from '../../../../src/orchestrator/divergence/explain/differences.ts';
import { candidates, scheduleFrom, stateAt } from '../../../../src/orchestrator/divergence/explain/schedules.ts';
import type { ChainView, NodeView } from '../../../../src/orchestrator/plan/plan.ts';
import { FORKS, orderProblems } from '../../../../src/protocol/forks/index.ts';
import { planOf } from '../../plan/planned.ts';

const TIMES = { parent: 108, block: 110 };
const names = FORKS.slice(1).map(({ name }) => name);

describe('the schedules that are tried', () => {
  it('cover every fork in both directions', () => {
    for (const fork of names) {
      const chain = names.filter((name) => !FORKS.find((each) => each.name === name)!.optional);
      const before = chain.slice(0, Math.max(0, chain.indexOf(fork)));
      const base = Object.fromEntries(before.map((name) => [name, 0]));
      const directions = [
        [base, 'inactive', ['active', 'activates']],
        [{ ...base, [fork]: 110 }, 'activates', ['active', 'inactive']],
        [{ ...base, [fork]: 100 }, 'active', ['activates', 'inactive']],
      ] as const;
      for (const [schedule, now, others] of directions) {
        const state = stateAt(schedule, fork, TIMES);
        expect(state === 'unscheduled' ? 'inactive' : state).toBe(now);
        const single = candidates(schedule, TIMES).filter(
          ({ changes }) => changes.length === 1 && changes[0]!.fork === fork,
        );
        expect(single.map(({ changes }) => changes[0]!.state)).toEqual(expect.arrayContaining([...others]));
        for (const { changes, schedule: other } of single) expect(stateAt(other, fork, TIMES)).toBe(changes[0]!.state);
      }
    }
  });

  it('keep the order of forks if moving one would break it', () => {
    const all = Object.fromEntries(names.map((name) => [name, 0]));
    const several = candidates(all, TIMES).filter(({ changes }) => changes.length > 1);
    expect(several.length).toBeGreaterThan(0);
    for (const { schedule } of several) expect(orderProblems(schedule)).toEqual([]);
  });

  it('read the times of a plan, with those of a node over them', () => {
    expect(scheduleFrom({ canyon: 5, delta: null }, { canyon: 9, nothing: 4 })).toEqual({ canyon: 9 });
  });
});

describe('the nearest fork boundary', () => {
  const plan = planOf(
    '{ chains: { main: { blockTime: 2, forks: { base: granite, holocene: +20s, isthmus: +60s } } } }',
  );
  const [chain] = plan.network.chains as [ChainView];
  const [one, other] = chain.nodes as [NodeView, NodeView];
  const genesis = plan.genesisTime;

  it('is the activation with the fewest blocks between, by the schedule or by an override', () => {
    const at = (block: number, overrides = {}) =>
      nearestBoundary(chain, [{ ...one, overrides }, other], genesis, block) ?? null;
    expect(at(10)).toMatchObject({ fork: 'holocene', block: 10, distance: 0, nodes: {} });
    expect(at(27)).toMatchObject({ fork: 'isthmus', block: 30, distance: -3 });
    const early = at(4, { isthmus: genesis + 8 });
    expect(early).toMatchObject({ fork: 'isthmus', distance: 0, nodes: { [one.name]: genesis + 8 } });
    expect(describeBoundary(early!, 'main')).toContain(`on main/${one.name}`);
    expect(describeBoundary(at(10, { holocene: null })!, 'main')).toContain(`never on main/${one.name}`);
  });

  it('is absent if all forks are active from genesis', () => {
    const [settled] = planOf('{}').network.chains as [ChainView];
    expect(nearestBoundary(settled, settled.nodes, genesis, 5)).toBeUndefined();
  });
});

describe('the first difference', () => {
  it.each([
    [{ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] }, 'b[1]'],
    [{ a: '0xAB' }, { a: '0xab' }, undefined],
    [{ a: 1 }, { a: 1, b: null }, undefined],
    [[1], [1, 2], '[1]'],
    [{ a: { b: 1 } }, { a: 5 }, 'a'],
  ])('of %j and %j is at %s', (a, b, path) => {
    expect(firstDifference(a, b)?.path).toBe(path);
  });

  it('is absent between equal values, and its text is bounded', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(firstDifference(value, structuredClone(value))).toBeUndefined();
        expect(valueText(value).length).toBeLessThan(110);
      }),
    );
  });
});
