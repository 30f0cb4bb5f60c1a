import { expect, it } from 'vitest';
import { Turn } from '../../../../src/orchestrator/health/gauge/turn.ts';

it.each<[name: string, answers: readonly [own: number, other: number | undefined, isDue: boolean][]]>([
  [
    'once that one has moved since',
    [
      [1, 5, false],
      [1, 5, false],
      [1, 6, true],
      [1, 6, true],
    ],
  ],
  [
    'only once that one has moved since its own last movement',
    [
      [1, 5, false],
      [1, 6, false],
      [1, 7, true],
      [2, 8, false],
      [2, 8, false],
      [2, 9, true],
    ],
  ],
  [
    'not while that one has no value',
    [
      [1, undefined, false],
      [1, undefined, false],
      [1, 3, false],
      [1, undefined, false],
      [1, 4, true],
    ],
  ],
])('a gauge that follows another one is due %s', (_, answers) => {
  const turn = new Turn();
  expect(answers.map(([own, other]) => turn.isDue(own, other))).toEqual(answers.map(([, , isDue]) => isDue));
});
