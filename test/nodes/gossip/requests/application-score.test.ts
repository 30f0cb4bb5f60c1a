import { describe, expect, it } from 'vitest';
import {
  createApplicationScorer,
  NO_REQ_RESP_SCORES,
  type ReqRespScores,
} from '../../../../src/nodes/gossip/requests/application-score.ts';

const counted = (kinds: Partial<ReqRespScores>) => {
  const scorer = createApplicationScorer();
  for (const [kind, times] of Object.entries(kinds))
    for (let time = 0; time < times; time++) scorer.count('a', kind as keyof ReqRespScores);
  return scorer;
};

describe('the application score', () => {
  it.each<[Partial<ReqRespScores>, number]>([
    [{}, 0],
    [{ validResponses: 1 }, 0.5],
    [{ validResponses: 10 }, 5],
    [{ validResponses: 11 }, 5],
    [{ errorResponses: 1 }, -1],
    [{ errorResponses: 10 }, -9],
    [{ rejectedPayloads: 1 }, -20],
    [{ rejectedPayloads: 21 }, -400],
    [{ validResponses: 2, errorResponses: 3, rejectedPayloads: 1 }, -22],
  ])('of the answers %j is %d', (kinds, score) => {
    expect(counted(kinds).score('a')).toBe(score);
    expect(counted(kinds).score('b')).toBe(0);
  });

  it('decays each count to zero in sixty block times, and forgets a peer of zeros', () => {
    const scorer = counted({ validResponses: 1, rejectedPayloads: 2 });
    scorer.decay();
    const factor = 0.01 ** (1 / 60);
    expect(scorer.of('a')).toEqual({ validResponses: factor, errorResponses: 0, rejectedPayloads: 2 * factor });
    for (let blocks = 1; blocks < 59; blocks++) scorer.decay();
    expect(scorer.of('a').validResponses).toBeGreaterThan(0.01);
    for (let blocks = 59; blocks < 61; blocks++) scorer.decay();
    expect(scorer.of('a')).toMatchObject({ validResponses: 0, rejectedPayloads: expect.closeTo(2 * factor ** 61) });
    expect(scorer.entries()).toHaveLength(1);
    for (let blocks = 61; blocks < 80; blocks++) scorer.decay();
    expect(scorer.entries()).toEqual([]);
    expect(scorer.of('a')).toBe(NO_REQ_RESP_SCORES);
  });

  it('begins with the counts of an earlier run, and ends for a peer that is forgotten', () => {
    const counts = { validResponses: 2, errorResponses: 1, rejectedPayloads: 0 };
    const scorer = createApplicationScorer([
      ['a', counts],
      ['b', NO_REQ_RESP_SCORES],
    ]);
    expect(scorer.score('a')).toBe(0);
    scorer.count('a', 'validResponses');
    expect(scorer.entries()).toEqual([
      ['a', { ...counts, validResponses: 3 }],
      ['b', NO_REQ_RESP_SCORES],
    ]);
    expect(scorer.forget('a')).toBe(undefined);
    expect(scorer.of('a')).toEqual({ validResponses: 0, errorResponses: 0, rejectedPayloads: 0 });
  });
});
