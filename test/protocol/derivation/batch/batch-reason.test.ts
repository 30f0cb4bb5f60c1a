import { describe, expect, test } from 'vitest';
import { type BatchReason, batchReasonMessage } from '../../../../src/protocol/derivation/batch/batch-reason.ts';

describe('the reason of a batch verdict', () => {
  test.each<[BatchReason, string]>([
    [{ kind: 'timestamp', timestamp: 12, expected: 14 }, 'time 12, expected 14'],
    [{ kind: 'parent hash', hash: '0x01', expected: '0x02' }, 'parent 0x01, the safe head is 0x02'],
    [{ kind: 'inclusion too late', epoch: 3, inclusion: 20 }, 'epoch 3, included in 20: the sequencing window is over'],
    [
      { kind: 'sequencer drift', timestamp: 30, latest: 20 },
      'time 30 exceeds the sequencer drift (20), only empty blocks may',
    ],
    [
      { kind: 'transaction type', index: 1, type: 4, timestamp: 9 },
      'transaction 1 has type 4, which the rules at 9 do not allow',
    ],
    [{ kind: 'L1 origin check', epoch: 3, check: '0x01', expected: '0x02' }, 'epoch 3 is 0x01…, on this L1 0x02'],
    [
      { kind: 'overlap transaction count', number: 5, safe: 2, batch: 0 },
      'safe block 5 has 2 transactions, the batch 0',
    ],
    [{ kind: 'L1 origin too old' }, 'one of its L1 origins is too old'],
  ])('has a text for the log: %j', (reason, message) => {
    expect(batchReasonMessage(reason)).toBe(message);
  });
});
