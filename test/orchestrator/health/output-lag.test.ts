import { describe, expect, it } from 'vitest';
import { OutputLag } from '../../../src/orchestrator/health/output-lag.ts';

const HEAD = { id: 'p outputs', subject: 'p', follows: 'cl safe', allowed: 10, interval: 4000, causes: ['l1'] };
const WALL = 1_700_000_000_000;
const at = (second: number) => ({ watched: second * 1000, wall: WALL + second * 1000 });
/** A time at which each standstill has passed its limit. */
const LATE_MS = 1e9;

/** Shows outputs and heads, one pair a second, to a comparison. */
function shown(...pairs: readonly (readonly [output: number, head: number])[]): OutputLag {
  const outputs = new OutputLag(HEAD);
  for (const [second, [output, head]] of pairs.entries()) outputs.observe(output, head, at(second));
  return outputs;
}

/** The pairs of outputs that are so many blocks behind, each output a new one. */
const behind = (...lags: readonly number[]) => lags.map((lag, index) => [index, index + lag] as const);

/** The second of the last progress. */
const progressOf = (outputs: OutputLag) => ((outputs.symptoms(LATE_MS)[0]?.since ?? Number.NaN) - WALL) / 1000;

describe('the outputs of a proposer', () => {
  it.each<[name: string, second: number, pairs: readonly (readonly [number, number])[]]>([
    [
      'are as far behind as is allowed',
      2,
      [
        [5, 15],
        [5, 15],
        [5, 15],
      ],
    ],
    [
      'are a block further behind than is allowed',
      0,
      [
        [5, 16],
        [6, 17],
        [7, 18],
      ],
    ],
    ['come closer with each new output', 3, behind(50, 49, 48, 47)],
    ['come no closer than one of the last eight was', 1, behind(50, 40, 50, 45)],
    ['come closer than all but the ninth before', 9, behind(20, 30, 30, 30, 30, 30, 30, 30, 30, 29)],
    ['come closer than all but the eighth before', 0, behind(20, 30, 30, 30, 30, 30, 30, 30, 29)],
    ['come closer after a jump of the head', 2, behind(20, 31, 30)],
    ['come closer after a move of the head that is no jump', 0, behind(20, 30, 29)],
    ['do not come closer by jumps of the head alone', 0, behind(20, 40, 60, 80)],
    [
      'do not come closer when the head goes back',
      0,
      [
        [5, 55],
        [5, 50],
        [5, 45],
      ],
    ],
  ])('that %s make their last progress in second %i', (_, second, pairs) => {
    expect(progressOf(shown(...pairs))).toBe(second);
  });

  it('that stand are a problem with their block, and new ones that fall behind with the limit', () => {
    const [id, subject, causes, since] = ['p outputs', 'p', ['l1'], WALL];
    expect(shown([5, 15], [5, 40]).symptoms(LATE_MS)).toEqual([
      {
        id,
        subject,
        causes,
        since,
        what: 'its outputs stand at block 5, 35 blocks behind the newest block to propose',
      },
    ]);
    expect(shown([5, 15], [6, 40]).symptoms(LATE_MS)).toEqual([
      {
        ...{ id, subject, causes, since },
        what:
          'its outputs fall behind: they are 34 blocks older than the newest block to propose, ' +
          'at most 10 are expected',
      },
    ]);
    expect(shown([5, 15], [6, 16], [6, 40]).symptoms(LATE_MS)).toMatchObject([
      { what: expect.stringContaining('stand at block 6') },
    ]);
  });

  it('are a problem three intervals after the expected progress, later by the time without an answer', () => {
    const outputs = shown([5, 15], [5, 15], [5, 40]);
    // Progress in second 1, the next is expected in second 5, and polling takes 1.5 s.
    expect(outputs.symptoms(15_499)).toEqual([]);
    expect(outputs.symptoms(15_500)).toHaveLength(1);
    outputs.hold(2000);
    expect(outputs.symptoms(17_499)).toEqual([]);
    expect(outputs.symptoms(17_500)).toHaveLength(1);
  });

  it('begin anew at a restart', () => {
    const outputs = shown(...behind(20, 30));
    outputs.restart();
    expect(outputs.symptoms(LATE_MS)).toEqual([]);
    outputs.observe(50, 79, at(7));
    expect(outputs.symptoms(LATE_MS)).toMatchObject([{ what: expect.stringContaining('stand at block 50') }]);
    outputs.observe(51, 79, at(8));
    expect(progressOf(outputs)).toBe(8);
  });
});
