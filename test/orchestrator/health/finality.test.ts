import { expect, it } from 'vitest';
import { Finality } from '../../../src/orchestrator/health/finality.ts';

type Answer = readonly [derived: number, finalL1: number, safe: number, finalized: number, isDue: boolean];

it.each<[name: string, ...answers: Answer[]]>([
  [
    'when the L1 block is final that the safe block was derived from',
    [10, 8, 5, 3, false],
    [12, 9, 6, 3, false],
    [13, 10, 7, 3, true],
  ],
  ['again for the next safe block', [10, 10, 5, 3, true], [12, 10, 6, 5, false], [13, 12, 6, 5, true]],
  ['not once it has reached the safe head', [10, 10, 5, 3, true], [12, 12, 5, 5, false]],
  ['by the derivation after a reorg of the safe head', [20, 0, 9, 6, false], [15, 15, 8, 6, true]],
  ['by the first derivation while the safe head stands', [20, 0, 9, 6, false], [25, 20, 9, 6, true]],
])('the finalized head of a node is due to move %s', (_, ...answers) => {
  const finality = new Finality();
  const due = answers.map(([derived, finalL1, safe, finalized]) =>
    finality.isDue({ gauge: 'cl finalized', derived, finalL1, safe, finalized }),
  );
  expect(due).toEqual(answers.map(([, , , , isDue]) => isDue));
});
