import { describe, expect, it } from 'vitest';
import { currentOrigin, findL1Origin } from '../../../../src/nodes/rollup/sequencer/origin-selector.ts';
import type { L1Chain } from '../../../../src/protocol/derivation/ports.ts';
import type { L1Header, L2BlockRef } from '../../../../src/protocol/types.ts';
import { l1Header } from '../../../protocol/derivation/scripted/l1.ts';
import { GENESIS_TIME, hashOf, testRollup } from '../../../protocol/derivation/scripted/rollup.ts';

/** The drift is 600 s, as max_sequencer_drift says until fjord. */
const rollup = testRollup('ecotone', { config: { max_sequencer_drift: 600 } });
const current = l1Header(100, GENESIS_TIME);

/** The block upon `parent` has the time of `current` and so many seconds. */
function parentOf(seconds: number): L2BlockRef {
  return {
    number: 7,
    hash: hashOf('L2 7'),
    parentHash: hashOf('L2 6'),
    timestamp: GENESIS_TIME + seconds - rollup.config.block_time,
    l1origin: { number: current.number, hash: current.hash },
    sequenceNumber: 3,
  };
}

const nextAfter = (seconds: number, fields: Partial<L1Header> = {}) => l1Header(101, GENESIS_TIME + seconds, fields);

/** L1 with the origin of the parent and its successor. An error stands for an L1 that does not answer. */
function l1(origin: L1Header | null, next: L1Header | null | Error): L1Chain {
  return {
    headerByHash: async () => origin,
    async headerByNumber() {
      if (next instanceof Error) throw next;
      return next;
    },
  } as Partial<L1Chain> as L1Chain;
}

const AWAY = new Error('L1 does not answer');

describe('the L1 origin of the next block', () => {
  it.each<[string, number, L1Header | null | Error, number | null, number | null]>([
    ['is one second older than the next origin', 11, nextAfter(12), 100, 100],
    ['is as old as the next origin', 12, nextAfter(12), 101, 101],
    ['is newer than the next origin', 13, nextAfter(12), 101, 101],
    ['is past the drift of an origin with a newer successor', 601, nextAfter(700), 100, 100],
    ['has an origin without a successor', 12, null, 100, null],
    ['is at the drift of an origin without a successor', 600, null, 100, null],
    ['is past the drift of an origin without a successor', 601, null, null, null],
    ['has an origin for whose successor L1 does not answer', 12, AWAY, 100, null],
    ['is past the drift while L1 does not answer', 601, AWAY, null, null],
  ])('of a block that %s (%i s)', async (_, seconds, next, usual, recovering) => {
    const chain = l1(current, next);
    expect((await findL1Origin(rollup, chain, parentOf(seconds), false))?.number ?? null).toBe(usual);
    expect((await findL1Origin(rollup, chain, parentOf(seconds), true))?.number ?? null).toBe(recovering);
  });

  it.each([false, true])('is never found on an L1 that was reorganised (in recovery: %s)', async (isRecovering) => {
    const replaced = nextAfter(12, { parentHash: hashOf('another') });
    for (const chain of [l1(null, nextAfter(12)), l1(current, replaced)])
      await expect(findL1Origin(rollup, chain, parentOf(12), isRecovering)).rejects.toThrow(
        expect.objectContaining({ handling: 'reset' }),
      );
  });

  it.each<[string, L1Header | null, number, number | null]>([
    ['at the drift', current, 600, 100],
    ['past the drift', current, 601, null],
    ['of an L1 that lost it', null, 12, null],
  ])('stays as far as the drift allows: %s', async (_, origin, seconds, expected) => {
    expect((await currentOrigin(rollup, l1(origin, null), parentOf(seconds)))?.number ?? null).toBe(expected);
  });
});
