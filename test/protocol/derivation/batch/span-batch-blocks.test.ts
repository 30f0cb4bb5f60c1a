import { describe, expect, test } from 'vitest';
import { createSpanQueue, singularBatchesOf } from '../../../../src/protocol/derivation/batch/span-batch-blocks.ts';
import { B, C, inC, inD, NEXT, SAFE, singular, span } from '../scripted/batches.ts';
import { hashOf } from '../scripted/rollup.ts';

const NO_HASH = `0x${'00'.repeat(32)}`;
const atTime = (timestamp: number) => ({ ...SAFE, hash: hashOf(`L2 at ${timestamp}`), timestamp });

describe('singular batches of a span batch', () => {
  test('begin behind the safe head, and have the hashes of the known L1 blocks and no parent yet', () => {
    const times = [{ timestamp: NEXT - 4 }, { timestamp: NEXT - 2 }, { timestamp: NEXT }];
    const batch = span([...times, { ...inC, timestamp: NEXT + 2 }]);
    const rest = { parentHash: NO_HASH, transactions: singular().transactions };
    expect(singularBatchesOf(batch, [B, C], SAFE)).toEqual([
      { ...rest, epochNum: 101, epochHash: B.hash, timestamp: NEXT },
      { ...rest, epochNum: 102, epochHash: C.hash, timestamp: NEXT + 2 },
    ]);
    expect(singularBatchesOf(batch, [B, C], atTime(NEXT - 4))).toHaveLength(3);
    expect(singularBatchesOf(batch, [B, C], atTime(NEXT + 2))).toEqual([]);
  });

  test('are null when the L1 origin of a new block is unknown, whatever those of safe blocks are', () => {
    expect(singularBatchesOf(span([{}, inC]), [B], SAFE)).toBeNull();
    expect(singularBatchesOf(span([{}, inC]), [C], SAFE)).toBeNull();
    const overlapping = span([{ timestamp: NEXT - 2 }, { ...inD, timestamp: NEXT }]);
    expect(singularBatchesOf(overlapping, [B, C], SAFE)).toBeNull();
    expect(singularBatchesOf(span([{ timestamp: NEXT - 2 }]), [C], SAFE)).toEqual([]);
  });
});

describe('span queue', () => {
  const first = singular({ timestamp: 12 });
  const second = singular({ timestamp: 14 });
  const filled = () => {
    const queue = createSpanQueue(2);
    queue.fill([first, second]);
    return queue;
  };

  test('is empty at first', () => {
    const queue = createSpanQueue(2);
    expect(queue.isEmpty()).toBe(true);
    expect(queue.next(atTime(10))).toBeNull();
  });

  test('returns its batches with the hash of the block that they build on', () => {
    const queue = filled();
    expect(queue.isEmpty()).toBe(false);
    expect(queue.next(atTime(10))).toEqual({ ...first, parentHash: hashOf('L2 at 10') });
    expect(queue.isEmpty()).toBe(false);
    expect(queue.next(atTime(12))).toEqual({ ...second, parentHash: hashOf('L2 at 12') });
    expect(queue.isEmpty()).toBe(true);
    expect(queue.next(atTime(14))).toBeNull();
  });

  test.each([8, 9, 11, 12])('drops all batches when the next one is not for the child of a block at %i', (time) => {
    const queue = filled();
    expect(queue.next(atTime(time))).toBeNull();
    expect(queue.isEmpty()).toBe(true);
    expect(queue.next(atTime(10))).toBeNull();
  });

  test('has none left after it is cleared, and takes others', () => {
    const queue = filled();
    queue.clear();
    expect(queue.isEmpty()).toBe(true);
    expect(queue.next(atTime(10))).toBeNull();
    queue.fill([second]);
    expect(queue.next(atTime(12))).toMatchObject({ timestamp: 14 });
  });
});
