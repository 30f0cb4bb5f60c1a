import { describe, expect, test } from 'vitest';
import { l1RefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import { createBaseBatchStage } from '../../../../src/protocol/derivation/stages/base-batch-stage.ts';
import { L1 } from '../scripted/batches.ts';
import { below } from '../scripted/below.ts';
import { scriptedLog } from '../scripted/log.ts';
import { hashOf, testRollup } from '../scripted/rollup.ts';

/** A safe head in the epoch of an L1 block, `after` seconds behind the block's time. */
const safeAt = (number: number, after = 4) => ({
  hash: hashOf('safe'),
  number: 3 * (number - 100) + 2,
  parentHash: hashOf('before safe'),
  timestamp: L1[number - 100]!.timestamp + after,
  l1origin: { hash: L1[number - 100]!.hash, number },
  sequenceNumber: 2,
});
const refs = (...numbers: number[]) => numbers.map((number) => l1RefOf(L1[number - 100]!));

/** The stage over a script that is at an L1 block; `to` moves it, block by block, as derivation does. */
function stageAt(number: number) {
  const script = below(L1[number - 100]!);
  const { log, lines } = scriptedLog();
  const stage = createBaseBatchStage(testRollup('granite'), script, log);
  return {
    script,
    stage,
    lines,
    to(end: number, parent = safeAt(number)) {
      for (let at = script.origin().number + 1; at <= end; at++) {
        script.at(L1[at - 100]!);
        stage.update(parent);
      }
    },
  };
}

describe('L1 blocks of the batch stages', () => {
  test('are none before the first update, with the origin of the stage below', () => {
    const { script, stage } = stageAt(100);
    expect(stage.blocks()).toEqual([]);
    expect(stage.origin()).toBe(script.origin());
    expect(() => stage.checkEpoch(safeAt(100))).toThrow(
      expect.objectContaining({ name: 'DerivationError', handling: 'reset' }),
    );
    expect(stage.nextEmptyBatch(safeAt(100), true)).toBeNull();
  });

  test('reach from the L1 origin of the safe head to the pipeline’s', () => {
    const { stage, to } = stageAt(100);
    stage.reset(L1[0]!);
    expect(stage.blocks()).toEqual(refs(100));
    to(103);
    expect(stage.blocks()).toEqual(refs(100, 101, 102, 103));
    stage.update(safeAt(102));
    expect(stage.blocks()).toEqual(refs(102, 103));
    stage.update(safeAt(103));
    stage.update(safeAt(103));
    expect(stage.blocks()).toEqual(refs(103));
  });

  test('begin without a reset at the first update', () => {
    const { stage } = stageAt(100);
    stage.update(safeAt(100));
    expect(stage.blocks()).toEqual(refs(100));
  });

  test('are none while the pipeline is before the L1 origin of the safe head', () => {
    const { stage, to } = stageAt(100);
    stage.reset(L1[0]!);
    to(101, safeAt(102));
    expect(stage.isBehind(safeAt(102))).toBe(true);
    expect(stage.blocks()).toEqual([]);
    to(102, safeAt(102));
    expect(stage.isBehind(safeAt(102))).toBe(false);
    expect(stage.blocks()).toEqual(refs(102));
  });

  test('have an origin that moves with the update alone', () => {
    const { script, stage } = stageAt(100);
    stage.reset(L1[0]!);
    script.at(L1[1]!);
    expect(stage.origin()).toEqual(refs(100)[0]);
    stage.update(safeAt(100));
    expect(stage.origin()).toEqual(refs(101)[0]);
  });

  test.each([
    ['the same block', safeAt(101), true],
    ['the block before', safeAt(100), true],
    ['two blocks before', { ...safeAt(100), l1origin: { hash: hashOf('L1 99'), number: 99 } }, false],
    ['a later block', safeAt(102), false],
    ['another block of that number', { ...safeAt(101), l1origin: { hash: hashOf('other'), number: 101 } }, false],
  ])('can begin for a safe head with %s as its L1 origin: %#', (_, safeHead, fits) => {
    const { stage } = stageAt(101);
    stage.reset(L1[1]!);
    const check = () => stage.checkEpoch(safeHead);
    if (fits) check();
    else expect(check).toThrow(expect.objectContaining({ handling: 'reset' }));
  });
});

describe('empty batch', () => {
  /** The sequencing window is 12 blocks: that of 100 ends with 112. */
  test.each([
    [111, false, false],
    [111, true, false],
    [112, false, false],
    [112, true, true],
    [113, false, true],
    [113, true, true],
  ])('at L1 block %i, with all batches read (%s), is derived: %s', (number, outOfData, derived) => {
    const { stage, lines, to } = stageAt(100);
    stage.reset(L1[0]!);
    to(number);
    const parent = safeAt(100, 2);
    const batch = {
      parentHash: parent.hash,
      epochNum: 100,
      epochHash: L1[0]!.hash,
      timestamp: parent.timestamp + 2,
      transactions: [],
    };
    expect(stage.nextEmptyBatch(parent, outOfData)).toEqual(derived ? batch : null);
    expect(stage.blocks()).toHaveLength(number - 99);
    expect(lines).toEqual(derived ? [['info', { epoch: 100, timestamp: batch.timestamp }]] : []);
  });

  test('moves to the next epoch when its own is full, and has at least one block of that', () => {
    const { stage, to } = stageAt(100);
    stage.reset(L1[0]!);
    to(113);
    // The next block has the time of L1 block 101.
    expect(stage.nextEmptyBatch(safeAt(100, 4), true)).toBeNull();
    expect(stage.blocks()[0]).toEqual(refs(101)[0]);
    expect(stage.nextEmptyBatch(safeAt(100, 40), true)).toMatchObject({
      epochNum: 101,
      timestamp: L1[0]!.timestamp + 42,
    });
  });

  test('is not derived while one L1 block alone is known', () => {
    const { script, stage } = stageAt(100);
    stage.reset(L1[0]!);
    script.at(L1[20]!);
    expect(stage.nextEmptyBatch(safeAt(100), true)).toBeNull();
  });
});
