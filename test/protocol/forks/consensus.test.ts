import { expect, it } from 'vitest';
import { consensusFork, consensusForks } from '../../../src/protocol/forks/consensus.ts';
import { forksOf } from '../../../src/protocol/forks/l1-forks.ts';

const TIMES = { shanghaiTime: 0, cancunTime: 0, pragueTime: 108, osakaTime: 116, bpo1Time: 124 };
const epochOf = (time: number) => Math.max(0, time - 100) / 8;

it('consensusForks has an epoch for each fork, and the blobs that a fork changes', () => {
  expect(consensusForks(forksOf(TIMES), epochOf)).toEqual({
    DENEB_FORK_EPOCH: '0',
    ELECTRA_FORK_EPOCH: '1',
    FULU_FORK_EPOCH: '2',
    MAX_BLOBS_PER_BLOCK: '6',
    MAX_BLOBS_PER_BLOCK_ELECTRA: '9',
    BLOB_SCHEDULE: [{ EPOCH: '3', MAX_BLOBS_PER_BLOCK: '15' }],
  });
});

it('consensusForks has the blobs that the chain states, those of osaka by the schedule', () => {
  const counts = (max: number) => ({ target: 0, max, baseFeeUpdateFraction: 100_000 });
  const blobSchedule = { cancun: counts(1), prague: counts(2), osaka: counts(3), bpo1: counts(4) };
  expect(consensusForks(forksOf({ ...TIMES, blobSchedule }), epochOf)).toMatchObject({
    MAX_BLOBS_PER_BLOCK: '1',
    MAX_BLOBS_PER_BLOCK_ELECTRA: '2',
    BLOB_SCHEDULE: [
      { EPOCH: '2', MAX_BLOBS_PER_BLOCK: '3' },
      { EPOCH: '3', MAX_BLOBS_PER_BLOCK: '4' },
    ],
  });
});

it('consensusForks has no schedule of blobs, and a far future, when L1 stays at cancun', () => {
  const { BLOB_SCHEDULE, ...others } = consensusForks(forksOf({ shanghaiTime: 0, cancunTime: 0 }), epochOf);
  expect(BLOB_SCHEDULE).toBeUndefined();
  expect(others).toMatchObject({
    DENEB_FORK_EPOCH: '0',
    ELECTRA_FORK_EPOCH: '18446744073709551615',
    MAX_BLOBS_PER_BLOCK_ELECTRA: '9',
  });
});

it.each([
  [107, 'deneb'],
  [108, 'electra'],
  [116, 'fulu'],
  [124, 'fulu'],
])('consensusFork at %i is %s', (time, name) => {
  expect(consensusFork(forksOf(TIMES), time)).toBe(name);
});
