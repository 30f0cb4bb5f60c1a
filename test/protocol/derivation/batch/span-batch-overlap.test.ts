import { describe, expect, test } from 'vitest';
import { rawSpanBatchOf, type SpanBatch, spanBatchOf } from '../../../../src/protocol/codec/span/batch.ts';
import { blockRefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import type { BatchReason } from '../../../../src/protocol/derivation/batch/batch-reason.ts';
import type { BatchContext } from '../../../../src/protocol/derivation/batch/batch-validity.ts';
import {
  checkOrderedSpanBatch,
  checkSpanBatch,
} from '../../../../src/protocol/derivation/batch/span-batch-validity.ts';
import { blockToBatch } from '../../../../src/protocol/derivation/encode/block-to-batch.ts';
import { CHAIN } from '../scripted/batches.ts';
import { createNetwork } from '../scripted/network.ts';
import { GENESIS_TIME, testRollup } from '../scripted/rollup.ts';
import { userTransaction } from '../scripted/transactions.ts';

describe.each([
  ['granite', checkSpanBatch],
  ['holocene', checkOrderedSpanBatch],
] as const)('span batch that overlaps the safe chain (%s)', (fork, checkWith) => {
  /** A chain of 9 blocks in 3 epochs; the safe head is block 6. */
  async function chain() {
    const network = createNetwork(testRollup(fork));
    for (let slot = 0; slot < 3; slot++) await network.advance({}, (number) => [userTransaction(number)]);
    const { rollup, l1, sequencer } = network;
    const blocks = sequencer.chain();
    const l1Blocks = await Promise.all([102, 103].map(async (number) => (await l1.headerByNumber(number))!));
    const safeHead = blockRefOf(rollup, blocks[6]!);
    expect(safeHead.l1origin.number).toBe(102);
    const batchOf = (from: number, to: number) => {
      const batches = blocks.slice(from, to + 1).map((block) => blockToBatch(rollup, block));
      return spanBatchOf(
        rawSpanBatchOf(
          batches.map(({ batch }) => batch),
          batches[0]!.sequenceNumber === 0,
          CHAIN,
        ),
        CHAIN,
      );
    };
    const context: BatchContext = { l1Blocks, safeHead, inclusion: l1.head() };
    const check = (batch: SpanBatch) => checkWith(rollup, sequencer, context, batch);
    return { batchOf, check, sequencer };
  }
  const changed = (batch: SpanBatch, index: number, change: Partial<SpanBatch['blocks'][0]>): SpanBatch => ({
    ...batch,
    blocks: batch.blocks.map((block, at) => (at === index ? { ...block, ...change } : block)),
  });

  test('is accepted when it repeats the safe blocks', async () => {
    const { batchOf, check } = await chain();
    for (const from of [1, 3, 6]) expect((await check(batchOf(from, 9))).validity).toBe('accept');
  });

  test.each<[string, BatchReason['kind'], (batch: SpanBatch) => SpanBatch]>([
    ['another number of transactions', 'overlap transaction count', (batch) => changed(batch, 0, { transactions: [] })],
    [
      'other transactions',
      'overlap transaction',
      (batch) => changed(batch, 1, { transactions: [userTransaction(99)] }),
    ],
    ['another L1 origin', 'overlap L1 origin', (batch) => changed(batch, 1, { epochNum: 101 })],
    ['another parent', 'parent check', (batch) => ({ ...batch, parentCheck: `0x${'66'.repeat(20)}` })],
  ])('is dropped when it has %s, for %s', async (_, kind, change) => {
    const { batchOf, check } = await chain();
    expect(await check(change(batchOf(5, 9)))).toMatchObject({ validity: 'drop', reason: { kind } });
  });

  test('is dropped when it begins before genesis', async () => {
    const { batchOf, check } = await chain();
    const batch = batchOf(1, 9);
    const early = { timestamp: GENESIS_TIME, epochNum: 100, transactions: [] };
    const earlier = { ...early, timestamp: GENESIS_TIME - 2 };
    expect(await check({ ...batch, blocks: [earlier, early, ...batch.blocks] })).toEqual({
      validity: 'drop',
      reason: { kind: 'span before genesis' },
    });
  });

  test.each([
    ['parent', 4],
    ['safe block', 5],
  ])('waits when the engine does not have its %s', async (_, missing) => {
    const { batchOf, check, sequencer } = await chain();
    const { payloadByNumber } = sequencer;
    sequencer.payloadByNumber = async (number) => (number === missing ? null : payloadByNumber(number));
    await expect(check(batchOf(5, 9))).rejects.toMatchObject({ name: 'DerivationError', handling: 'retry' });
  });

  test('waits when the engine does not answer', async () => {
    const { batchOf, check, sequencer } = await chain();
    sequencer.failing = true;
    await expect(check(batchOf(3, 9))).rejects.toThrow('does not answer');
  });
});
