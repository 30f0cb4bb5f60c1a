import { expect, it } from 'vitest';
import { overridesAt } from '../../../../src/nodes/execution/query/pending-block.ts';
import { addressOf, hashOf, PARIS_HEADER } from '../views/sample-block.ts';

const HEAD = { hash: hashOf(0xaa), header: PARIS_HEADER };
type Definition = Parameters<typeof overridesAt>[0]['definition'];
const chain = (optimism?: object) => ({ definition: { optimism } as Definition });
const L1 = chain();
const ROLLUP = chain({});
const overrides = { coinbase: addressOf(3), timestamp: 999n, hashes: new Map([[5, hashOf(5)]]) };

it('the pending block of L1 is the one after the head, and knows the hash of the head', () => {
  for (const none of [undefined, null])
    expect(overridesAt(L1, 'pending', HEAD, none)).toEqual({
      number: 8,
      timestamp: PARIS_HEADER.timestamp + 1n,
      hashes: new Map([[7, HEAD.hash]]),
    });
});

it('the overrides of a call stand above those of the pending block', () => {
  expect(overridesAt(L1, 'pending', HEAD, overrides)).toEqual({
    number: 8,
    timestamp: 999n,
    coinbase: addressOf(3),
    hashes: new Map([
      [7, HEAD.hash],
      [5, hashOf(5)],
    ]),
  });
});

it.each([
  ['the pending block of a rollup', ROLLUP, 'pending'],
  ['the newest block of L1', L1, 'latest'],
  ['a number of L1', L1, 7],
  ['no block', L1, undefined],
] as const)('a call at %s has its own overrides alone', (_, on, tag) => {
  for (const own of [overrides, undefined, null]) expect(overridesAt(on, tag, HEAD, own)).toBe(own);
});
