import { describe, expect, test } from 'vitest';
import type { SpanBatch } from '../../../../src/protocol/codec/span/batch.ts';
import { checkSpanBatch, checkSpanBatchPrefix } from '../../../../src/protocol/derivation/batch/span-batch-validity.ts';
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
  LATE,
  NEXT,
  noBlocks,
  rollupOf,
  SAFE,
  SOON,
  span,
} from '../scripted/batches.ts';
import { hashOf } from '../scripted/rollup.ts';
import { userTransaction } from '../scripted/transactions.ts';

describe('span batch without overlap', () => {
  test.each<Case & { batch: SpanBatch }>([
    { name: 'one block', batch: span([{}]), expected: 'accept' },
    { name: 'three epochs', batch: span([{}, inC, inC, inC, inD]), expected: 'accept' },
    { name: 'begins with the next epoch', batch: span([inC, inC], true), expected: 'accept' },
    { name: 'missing L1 info', batch: span([{}]), l1Blocks: [], expected: 'undecided' },
    { name: 'insufficient L1 info for an eager batch', batch: span([inC], true), l1Blocks: [B], expected: 'undecided' },
    { name: 'insufficient L1 info for its last block', batch: span([{}, inC]), l1Blocks: [B], expected: 'undecided' },
    { name: 'L1 origin before delta', fork: 'canyon', at: { delta: 12 }, batch: span([{}]), expected: 'drop' },
    {
      name: 'L1 origin from delta on',
      fork: 'canyon',
      at: { delta: 12 },
      batch: span([inC], true),
      expected: 'accept',
    },
    { name: 'future timestamp', batch: span([{ timestamp: NEXT + 2 }]), expected: 'future' },
    { name: 'future timestamp (holocene)', fork: 'holocene', batch: span([{ timestamp: NEXT + 2 }]), expected: 'drop' },
    { name: 'no new blocks', batch: span([{ timestamp: NEXT - 2 }]), expected: 'drop' },
    { name: 'no new blocks (holocene)', fork: 'holocene', batch: span([{ timestamp: NEXT - 2 }]), expected: 'past' },
    {
      name: 'misaligned timestamp',
      batch: span([{ timestamp: NEXT - 1 }, { timestamp: NEXT + 1 }]),
      expected: 'drop',
    },
    { name: 'invalid parent check', batch: span([{ parentHash: hashOf('other') }]), expected: 'drop' },
    { name: 'sequencing window ends with its inclusion', batch: span([{}]), inclusion: L1[13]!, expected: 'accept' },
    { name: 'sequencing window is over', batch: span([{}]), inclusion: L1[14]!, expected: 'drop' },
    { name: 'epoch too far ahead', batch: span([inD], true), expected: 'drop' },
    {
      name: 'epoch too old',
      batch: span([{ epochNum: A.number, epochHash: A.hash }]),
      l1Blocks: [A, B, C],
      expected: 'drop',
    },
    {
      name: 'ends before the first known epoch',
      batch: span([{ epochNum: A.number, epochHash: A.hash }]),
      expected: 'drop',
    },
    {
      name: 'ends before the first known epoch (holocene)',
      fork: 'holocene',
      batch: span([{ epochNum: A.number, epochHash: A.hash }]),
      expected: 'undecided',
    },
    {
      name: 'origin check of another L1 chain',
      batch: span([{ epochHash: `0x${'77'.repeat(32)}` }]),
      expected: 'drop',
    },
    {
      name: 'earlier than its L1 origin',
      batch: span([{}, inC]),
      l1Blocks: [B, { ...C, timestamp: NEXT + 3 }],
      expected: 'drop',
    },
    {
      name: 'past the sequencer drift with transactions',
      fork: 'ecotone',
      safeHead: atDrift(20, 0),
      batch: span([{ timestamp: B.timestamp + 20 }, { timestamp: B.timestamp + 22 }]),
      l1Blocks: [B, LATE],
      expected: 'drop',
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
      l1Blocks: [B, SOON],
      expected: 'drop',
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
    },
    {
      name: 'past the sequencer drift, empty, next origin unknown',
      fork: 'ecotone',
      safeHead: atDrift(20, 0),
      batch: span([{ timestamp: B.timestamp + 20 }, { timestamp: B.timestamp + 22, transactions: [] }]),
      l1Blocks: [B],
      expected: 'undecided',
    },
    {
      name: 'transactions in the activation block of jovian',
      fork: 'isthmus',
      at: { jovian: 14 },
      batch: span([{}, {}]),
      expected: 'drop',
    },
  ])('$name: $expected', async (given) => {
    const verdict = await checkSpanBatch(rollupOf(given), noBlocks, contextOf(given), given.batch);
    expect(verdict.validity).toBe(given.expected);
  });

  test('a bad block is no business of the prefix (holocene)', async () => {
    const given: Case = { name: '', fork: 'holocene', expected: 'accept' };
    const batch = span([{}, { transactions: [userTransaction(1)] }]);
    const bad = { ...batch, blocks: batch.blocks.map((block) => ({ ...block, transactions: [DEPOSIT] })) };
    expect((await checkSpanBatchPrefix(rollupOf(given), noBlocks, contextOf(given), bad)).validity).toBe('accept');
    expect((await checkSpanBatch(rollupOf(given), noBlocks, contextOf(given), bad)).validity).toBe('drop');
  });
});
