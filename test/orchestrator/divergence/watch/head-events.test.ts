import { expect, it } from 'vitest';
import { headEvents } from '../../../../src/orchestrator/divergence/watch/head-events.ts';
import type { ChainView, NodeView, Plan } from '../../../../src/orchestrator/plan/plan.ts';

const GENESIS = 1000;
const forks = { canyon: GENESIS, delta: GENESIS + 9, ecotone: null, fjord: GENESIS + 20 };
const chain = { name: 'main', blockTime: 2, forks } as unknown as ChainView;
const node = { name: 'late', overrides: { fjord: GENESIS + 11, isthmus: GENESIS + 12 } } as unknown as NodeView;
const head = (number: number, tag = 'a') => ({ number, hash: `0x${tag}${number}`, time: GENESIS + 2 * number });
const eventsOf = (now: number, before: number | undefined) =>
  headEvents(
    { genesisTime: GENESIS } as Plan,
    chain,
    node,
    head(now),
    before === undefined ? undefined : head(before),
    { watched: 5, wall: 7000 },
  );

const place = { at: 7000, chain: 'main', node: 'late' };
const headOf = (number: number) => ({ kind: 'head', ...place, ...head(number) });
const forkOf = (fork: string, block: number, after: number) => ({
  kind: 'fork',
  ...place,
  fork,
  block,
  time: GENESIS + after,
});

it.each<[string, number, number | undefined, object[]]>([
  ['the head alone, where no fork activates', 4, 3, [headOf(4)]],
  [
    'each fork that its time has reached',
    6,
    4,
    [headOf(6), forkOf('delta', 5, 9), forkOf('fjord', 6, 11), forkOf('isthmus', 6, 12)],
  ],
  ['a fork with the first block at or after its time', 5, 4, [headOf(5), forkOf('delta', 5, 9)]],
  ['no fork that an earlier head had reached', 7, 6, [headOf(7)]],
  ['no fork with the first head', 7, undefined, [headOf(7)]],
  ['no fork when the head goes back', 1, 7, [headOf(1)]],
  ['nothing when the head is the same', 6, 6, []],
])('a new head has as events %s', (_, now, before, events) => {
  expect(eventsOf(now, before)).toEqual(events);
});
