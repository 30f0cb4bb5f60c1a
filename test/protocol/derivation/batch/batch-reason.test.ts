import { describe, expect, test } from 'vitest';
import { type BatchReason, batchReasonMessage } from '../../../../src/protocol/derivation/batch/batch-reason.ts';

const HASH = '0x01';
const OTHER = '0x02';
/** Each kind of reason, the values of which are all different. */
const CASES: readonly (readonly [BatchReason, string])[] = [
  [{ kind: 'no L1 block' }, 'no L1 block is known'],
  [{ kind: 'timestamp', timestamp: 12, expected: 14 }, 'time 12, expected 14'],
  [{ kind: 'parent hash', hash: HASH, expected: OTHER }, 'parent 0x01, the safe head is 0x02'],
  [{ kind: 'inclusion too late', epoch: 3, inclusion: 20 }, 'epoch 3, included in 20: the sequencing window is over'],
  [{ kind: 'epoch after safe head', epoch: 5, safeEpoch: 3 }, 'epoch 5, but the safe head has epoch 3'],
  [{ kind: 'epoch mismatch', epoch: 2, expected: 3 }, 'epoch 2, expected 3 or the one after'],
  [{ kind: 'epoch unknown', epoch: 4 }, 'epoch 4 is not known yet'],
  [{ kind: 'epoch hash', epoch: 3, hash: HASH, expected: OTHER }, 'epoch 3 is 0x01, on this L1 0x02'],
  [{ kind: 'before L1 origin', timestamp: 12, originTime: 13 }, "time 12 is before its L1 origin's 13"],
  [
    { kind: 'sequencer drift', timestamp: 30, latest: 20 },
    'time 30 exceeds the sequencer drift (20), only empty blocks may',
  ],
  [{ kind: 'next L1 origin unknown' }, 'past the sequencer drift, the next L1 block is not known yet'],
  [{ kind: 'next L1 origin not taken' }, 'past the sequencer drift without taking the next L1 origin'],
  [{ kind: 'transactions in activation block' }, 'transactions in a block in which a fork activates'],
  [{ kind: 'empty transaction', index: 6 }, 'transaction 6 is empty'],
  [{ kind: 'deposit', index: 7 }, 'transaction 7 is a deposit'],
  [
    { kind: 'transaction type', index: 1, type: 4, timestamp: 9 },
    'transaction 1 has type 4, which the rules at 9 do not allow',
  ],
  [{ kind: 'span batch not active' }, 'span batch with an L1 origin before span batches'],
  [{ kind: 'span start', timestamp: 16, expected: 14 }, 'begins at time 16, the next block is 14'],
  [{ kind: 'span without new block', timestamp: 10 }, 'ends at time 10, no new block'],
  [{ kind: 'span misaligned' }, 'its times do not fall on those of the safe chain'],
  [{ kind: 'span before genesis' }, 'begins before genesis'],
  [{ kind: 'parent check', check: HASH, expected: OTHER }, 'parent 0x01…, expected 0x02'],
  [{ kind: 'epoch too far ahead', epoch: 8 }, 'epoch 8 is too far ahead'],
  [{ kind: 'last epoch too old', epoch: 2, first: 3 }, 'ends in epoch 2, before 3'],
  [{ kind: 'last epoch unknown', epoch: 9 }, 'epoch 9 is not among the known L1 blocks'],
  [{ kind: 'L1 origin check', epoch: 3, check: HASH, expected: OTHER }, 'epoch 3 is 0x01…, on this L1 0x02'],
  [{ kind: 'epoch too old', epoch: 1 }, 'epoch 1 is too old'],
  [{ kind: 'block epoch too old', epoch: 2 }, "epoch 2 is older than the safe head's"],
  [{ kind: 'L1 origin too old' }, 'one of its L1 origins is too old'],
  [{ kind: 'overlap transaction count', number: 5, safe: 2, batch: 0 }, 'safe block 5 has 2 transactions, the batch 0'],
  [{ kind: 'overlap transaction', number: 5, index: 1 }, 'transaction 1 of safe block 5 is another in the batch'],
  [{ kind: 'overlap L1 origin', number: 5, safe: 3, batch: 4 }, 'safe block 5 has L1 origin 3, the batch 4'],
];

describe('the reason of a batch verdict', () => {
  test.each(CASES)('has a text for the log: %j', (reason, message) => {
    expect(batchReasonMessage(reason)).toBe(message);
  });
});
