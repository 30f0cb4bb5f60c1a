import { describe, expect, it } from 'vitest';
import { warpTarget } from '../../../src/orchestrator/change/warp.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';

const GENESIS = 1_000_000;
type Times = Record<string, number | null>;
const chain = (name: string, blockTime: number, forks: Times, ...overrides: Times[]) => ({
  ...{ name, blockTime, forks },
  nodes: [{}, ...overrides].map((each, at) => ({ name: `node-${at}`, overrides: each })),
});
const plan = (...chains: object[]) => ({ genesisTime: GENESIS, network: { chains } }) as unknown as Plan;

const one = plan(chain('main', 2, { canyon: GENESIS, delta: GENESIS + 61, ecotone: null }));
const NOW = (GENESIS + 10) * 1000;
const target = (to: string, past = false, of = one, name?: string) =>
  warpTarget({ to, past, chain: name }, of, NOW) / 1000 - GENESIS;

describe('the target of a warp', () => {
  it.each<[string, boolean, number]>([
    ['+1h', false, 3610],
    ['+1500ms', false, 11.5],
    ['block:40', false, 80],
    [`time:${GENESIS + 33}`, false, 33],
    // Block 31 is the first at or after the time of the fork.
    ['fork:delta', false, 60],
    ['fork:delta', true, 62],
  ])('is read from %s, past: %s', (to, past, seconds) => expect(target(to, past)).toBe(seconds));

  it.each<[string, Times, Times[], boolean, number]>([
    ['the earlier time of a node', { delta: GENESIS + 60 }, [{ delta: GENESIS + 30 }], true, 30],
    [
      'the time of the chain, where that of a node is past',
      { delta: GENESIS + 60 },
      [{ delta: GENESIS + 4 }],
      true,
      60,
    ],
    ['the time of the chain, where it never comes on a node', { delta: GENESIS + 60 }, [{ delta: null }], false, 58],
    ['the time of a node, where the chain has none', {}, [{ delta: GENESIS + 30 }], false, 28],
  ])('is the next activation on any node: %s', (_, forks, overrides, past, seconds) =>
    expect(target('fork:delta', past, plan(chain('main', 2, forks, ...overrides)))).toBe(seconds),
  );

  it.each([
    ['block:3', /lies behind: .* is 4 s past it/],
    [`time:${GENESIS}`, /lies behind/],
    [`time:${GENESIS + 10}`, /lies behind: .* is 0 s past it/],
    ['block:5', /lies behind/],
    ['fork:canyon', /active on chain main from genesis/],
    ['fork:ecotone', /not scheduled on chain main/],
    ['fork:nonsense', /not scheduled on chain main/],
    ['blok:3', /cannot warp to "blok:3": expected \+1h/],
    ['block:-3', /cannot warp/],
    ['+0s', /cannot warp/],
    ['-1h', /cannot warp/],
    ['', /cannot warp/],
  ])('is refused: %s', (to, message) => expect(() => target(to)).toThrow(message));

  it.each([
    ['15m', 'did you mean +15m?'],
    ['5000', 'did you mean block:5000?'],
    ['soon', undefined],
  ])('is suggested for %s: %s', (to, hint) => {
    expect(() => target(to)).toThrow(expect.objectContaining(hint === undefined ? { code: 'warp' } : { hint }));
  });

  it('needs a chain if there are several', () => {
    const two = plan(chain('a', 1, {}), chain('b', 2, {}));
    expect(() => target('block:40', false, two)).toThrow(/several chains exist: a, b/);
    expect(() => target('block:40', false, two, 'c')).toThrow(/there is no chain c: expected one of a, b/);
    expect(target('block:40', false, two, 'b')).toBe(80);
    expect(() => target('+1h', true)).toThrow(/--past/);
  });
});
