import { describe, expect, it } from 'vitest';
import { ethereumRulesOf, readBlobSchedule } from '../../../src/protocol/forks/blob-schedule.ts';
import { ethereumRulesAt } from '../../../src/protocol/forks/ethereum.ts';

const schedule = { shanghai: 0, cancun: 10, prague: 20, osaka: 30, bpo1: 40, bpo2: 50, bpo3: 60 };

const countsAt = (stated: object, time: number) => {
  const blobs = ethereumRulesOf(schedule, readBlobSchedule({ blobSchedule: stated }).schedule)(time).ethereum?.blobs;
  return blobs && [blobs.target, blobs.max, Number(blobs.updateFraction), blobs.maxPerTransaction];
};
const entry = (target: number, max: number, baseFeeUpdateFraction = 1000) => ({ target, max, baseFeeUpdateFraction });

describe('a chain that states no blob schedule', () => {
  it.each([
    [10, 3, 6, 3_338_477, 6],
    [20, 6, 9, 5_007_716, 9],
    [30, 6, 9, 5_007_716, 6],
    [40, 10, 15, 8_346_193, 6],
    [50, 14, 21, 11_684_671, 6],
  ])('has at %i the counts of mainnet', (time, ...counts) => {
    expect(countsAt({}, time)).toEqual(counts);
    expect(ethereumRulesOf(schedule, {})(time)).toBe(ethereumRulesAt(schedule, time));
  });

  it('has no blobs before cancun', () => expect(countsAt({}, 9)).toBeNull());

  it('has to state those of bpo3 and later', () => {
    const { problems } = readBlobSchedule({ bpo3Time: 0 });
    expect(problems).toEqual([expect.stringContaining('config.blobSchedule.bpo3 is missing')]);
    expect(readBlobSchedule({ bpo2Time: 0 }).problems).toEqual([]);
  });
});

describe('a chain that states a blob schedule', () => {
  it('has its counts from each fork on', () => {
    const stated = { cancun: entry(1, 2), prague: entry(2, 4), bpo1: entry(5, 8), bpo3: entry(20, 30) };
    expect(countsAt(stated, 10)).toEqual([1, 2, 1000, 2]);
    expect(countsAt(stated, 20)).toEqual([2, 4, 1000, 4]);
    // osaka changes no counts, but bounds the blobs of one transaction.
    expect(countsAt(stated, 30)).toEqual([2, 4, 1000, 6]);
    expect(countsAt(stated, 40)).toEqual([5, 8, 1000, 6]);
    expect(countsAt(stated, 50)).toEqual([14, 21, 11_684_671, 6]);
    expect(countsAt(stated, 60)).toEqual([20, 30, 1000, 6]);
  });

  it('keeps the other rules, and one object for all times of a fork', () => {
    const rulesAt = ethereumRulesOf(schedule, readBlobSchedule({ blobSchedule: { osaka: entry(1, 2) } }).schedule);
    expect(rulesAt(30)).toBe(rulesAt(39));
    const { ethereum, ...rest } = rulesAt(30);
    const { ethereum: usual, ...others } = ethereumRulesAt(schedule, 30);
    expect(rest).toEqual(others);
    expect(ethereum).toMatchObject({ maxBlockBytes: usual?.maxBlockBytes, blobs: { reservePrice: true, max: 2 } });
  });

  it("takes the fork's own fraction for one that is left out", () => {
    expect(countsAt({ prague: { target: 6, max: 9 } }, 20)).toEqual([6, 9, 5_007_716, 9]);
  });

  it.each([
    ['cancun', entry(4, 3), 'its max of 3 blobs is below its target of 4'],
    ['prague', entry(-1, 3), 'prague.target: expected a whole number from 0'],
    ['osaka', entry(0, 0), 'osaka.max: expected a whole number from 1'],
    ['bpo2', entry(1, 2, 0), 'bpo2.baseFeeUpdateFraction: expected a whole number from 1'],
    ['bpo1', 'six', 'bpo1.target: expected a whole number from 0'],
  ])('is refused for %s: %j', (fork, counts, message) => {
    const { problems } = readBlobSchedule({ blobSchedule: { [fork]: counts } });
    expect(problems.join('; ')).toContain(message);
  });

  it('may name forks that this program does not know', () => {
    expect(readBlobSchedule({ blobSchedule: { amsterdam: entry(9, 1) } })).toEqual({ schedule: {}, problems: [] });
  });
});
