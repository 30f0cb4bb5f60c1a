import { describe, expect, test } from 'vitest';
import type { SpanBatch } from '../../../../src/protocol/codec/span/batch.ts';
import { checkSpanBatch, checkSpanBatchPrefix } from '../../../../src/protocol/derivation/batch/span-batch-validity.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import {
  A,
  atDrift,
  B,
  C,
  type Case,
  contextOf,
  D,
  DEPOSIT,
  inC,
  inD,
  L1,
  L1_SOON_AFTER,
  LATE,
  NEXT,
  noBlocks,
  rollupOf,
  SAFE,
  span,
  verdictOf,
} from '../scripted/batches.ts';
import { hashOf } from '../scripted/rollup.ts';
import { userTransaction } from '../scripted/transactions.ts';

const upper = (hex: Hex): Hex => `0x${hex.slice(2).toUpperCase()}`;

const long = span([{}, {}, {}]);

describe('span batch without overlap', () => {
  test.each<Case & { batch: SpanBatch }>([
    { name: 'one block', batch: span([{}]), expected: 'accept' },
    { name: 'three epochs', batch: span([{}, inC, inC, inC, inD]), expected: 'accept' },
    { name: 'begins with the next epoch', batch: span([inC, inC], true), expected: 'accept' },
    { name: 'missing L1 info', batch: span([{}]), l1Blocks: [], expected: 'undecided', reason: 'no L1 block' },
    {
      name: 'insufficient L1 info for an eager batch',
      batch: span([inC], true),
      l1Blocks: [B],
      expected: 'undecided',
      reason: 'epoch unknown',
    },
    {
      name: 'insufficient L1 info for its last block',
      batch: span([{}, inC]),
      l1Blocks: [B],
      expected: 'undecided',
      reason: 'last epoch unknown',
    },
    {
      name: 'L1 origin before delta',
      fork: 'canyon',
      at: { delta: 12 },
      batch: span([{}]),
      expected: 'drop',
      reason: 'span batch not active',
    },
    {
      name: 'L1 origin from delta on',
      fork: 'canyon',
      at: { delta: 12 },
      batch: span([inC], true),
      expected: 'accept',
    },
    { name: 'future timestamp', batch: span([{ timestamp: NEXT + 2 }]), expected: 'future', reason: 'span start' },
    {
      name: 'future timestamp (holocene)',
      fork: 'holocene',
      batch: span([{ timestamp: NEXT + 2 }]),
      expected: 'drop',
      reason: 'span start',
    },
    {
      name: 'no new blocks',
      batch: span([{ timestamp: NEXT - 2 }]),
      expected: 'drop',
      reason: 'span without new block',
    },
    {
      name: 'no new blocks (holocene)',
      fork: 'holocene',
      batch: span([{ timestamp: NEXT - 2 }]),
      expected: 'past',
      reason: 'span without new block',
    },
    {
      name: 'misaligned timestamp',
      batch: span([{ timestamp: NEXT - 1 }, { timestamp: NEXT + 1 }]),
      expected: 'drop',
      reason: 'span misaligned',
    },
    {
      name: 'invalid parent check',
      batch: span([{ parentHash: hashOf('other') }]),
      expected: 'drop',
      reason: 'parent check',
    },
    { name: 'sequencing window ends with its inclusion', batch: span([{}]), inclusion: L1[13]!, expected: 'accept' },
    {
      name: 'sequencing window is over',
      batch: span([{}]),
      inclusion: L1[14]!,
      expected: 'drop',
      reason: 'inclusion too late',
    },
    { name: 'epoch too far ahead', batch: span([inD], true), expected: 'drop', reason: 'epoch too far ahead' },
    {
      name: 'epoch too old',
      batch: span([{ epochNum: A.number, epochHash: A.hash }]),
      l1Blocks: [A, B, C],
      expected: 'drop',
      reason: 'epoch too old',
    },
    {
      name: 'ends before the first known epoch',
      batch: span([{ epochNum: A.number, epochHash: A.hash }]),
      expected: 'drop',
      reason: 'last epoch too old',
    },
    {
      name: 'ends before the first known epoch (holocene)',
      fork: 'holocene',
      batch: span([{ epochNum: A.number, epochHash: A.hash }]),
      expected: 'undecided',
      reason: 'last epoch unknown',
    },
    {
      name: 'returns to an epoch that is not known any more',
      batch: { ...long, blocks: long.blocks.map((block, at) => (at === 1 ? { ...block, epochNum: A.number } : block)) },
      expected: 'drop',
      reason: 'block epoch too old',
    },
    {
      name: 'checks in upper case',
      batch: {
        ...span([{}]),
        parentCheck: upper(span([{}]).parentCheck),
        l1OriginCheck: upper(span([{}]).l1OriginCheck),
      },
      expected: 'accept',
    },
    {
      name: 'origin check of another L1 chain',
      batch: span([{ epochHash: `0x${'77'.repeat(32)}` }]),
      expected: 'drop',
      reason: 'L1 origin check',
    },
    {
      name: 'earlier than its L1 origin',
      batch: span([{}, inC]),
      l1Blocks: [B, { ...C, timestamp: NEXT + 3 }],
      expected: 'drop',
      reason: 'before L1 origin',
    },
    {
      name: 'past the sequencer drift with transactions',
      fork: 'ecotone',
      safeHead: atDrift(20, 0),
      batch: span([{ timestamp: B.timestamp + 20 }, { timestamp: B.timestamp + 22 }]),
      l1Blocks: [B, LATE],
      expected: 'drop',
      reason: 'sequencer drift',
    },
    {
      name: 'past the sequencer drift, empty, next origin too late',
      fork: 'ecotone',
      safeHead: atDrift(20, 0),
      batch: span([{ timestamp: B.timestamp + 20 }, { timestamp: B.timestamp + 22, transactions: [] }]),
      l1Blocks: [B, LATE],
      expected: 'accept',
    },
    {
      name: 'past the sequencer drift, empty, next origin could have been taken',
      fork: 'ecotone',
      safeHead: atDrift(20, 0),
      batch: span([{ timestamp: B.timestamp + 20 }, { timestamp: B.timestamp + 22, transactions: [] }]),
      l1Blocks: [B, L1_SOON_AFTER],
      expected: 'drop',
      reason: 'next L1 origin not taken',
    },
    {
      name: 'past the sequencer drift of an origin taken blocks ago, empty, next origin could have been taken',
      fork: 'ecotone',
      safeHead: { ...SAFE, timestamp: C.timestamp + 18 },
      batch: span(
        [
          { timestamp: C.timestamp + 20, ...inC },
          { timestamp: C.timestamp + 22, ...inC, transactions: [] },
        ],
        true,
      ),
      l1Blocks: [B, C, { ...D, timestamp: C.timestamp + 22 }],
      expected: 'drop',
      reason: 'next L1 origin not taken',
    },
    {
      name: 'past the sequencer drift of an origin that its first or a later block takes, empty',
      fork: 'ecotone',
      safeHead: { ...SAFE, timestamp: C.timestamp + 24 },
      batch: span(
        [
          { timestamp: C.timestamp + 26, ...inC, transactions: [] },
          { timestamp: C.timestamp + 28, ...inD, transactions: [] },
        ],
        true,
      ),
      l1Blocks: [B, C, { ...D, timestamp: C.timestamp + 7 }, { ...L1[4]!, timestamp: C.timestamp + 10 }],
      expected: 'accept',
    },
    {
      name: 'past the sequencer drift, empty, next origin unknown',
      fork: 'ecotone',
      safeHead: atDrift(20, 0),
      batch: span([{ timestamp: B.timestamp + 20 }, { timestamp: B.timestamp + 22, transactions: [] }]),
      l1Blocks: [B],
      expected: 'undecided',
      reason: 'next L1 origin unknown',
    },
    {
      name: 'transactions in the activation block of jovian',
      fork: 'isthmus',
      at: { jovian: 14 },
      batch: span([{}, {}]),
      expected: 'drop',
      reason: 'transactions in activation block',
    },
  ])('$name: $expected', async (example) => {
    const verdict = await checkSpanBatch(rollupOf(example), noBlocks, contextOf(example), example.batch);
    expect(verdict).toMatchObject(verdictOf(example));
  });

  test('has a valid prefix with a bad block (holocene)', async () => {
    const example: Case = { name: '', fork: 'holocene', expected: 'accept' };
    const batch = span([{}, { transactions: [userTransaction(1)] }]);
    const bad = { ...batch, blocks: batch.blocks.map((block) => ({ ...block, transactions: [DEPOSIT] })) };
    expect((await checkSpanBatchPrefix(rollupOf(example), noBlocks, contextOf(example), bad)).validity).toBe('accept');
    expect((await checkSpanBatch(rollupOf(example), noBlocks, contextOf(example), bad)).validity).toBe('drop');
  });
});
