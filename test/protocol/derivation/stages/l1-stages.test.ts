import { describe, expect, test } from 'vitest';
import { createL1Retrieval } from '../../../../src/protocol/derivation/stages/l1-retrieval.ts';
import { createL1Traversal } from '../../../../src/protocol/derivation/stages/l1-traversal.ts';
import type { ForkName } from '../../../../src/protocol/forks/index.ts';
import type { Hex, L1Transaction } from '../../../../src/protocol/types.ts';
import { drain, settle } from '../scripted/below.ts';
import { calldataTransaction, type ScriptedL1, scriptedL1 } from '../scripted/l1.ts';
import { hashOf, SYSTEM_CONFIG, testRollup } from '../scripted/rollup.ts';
import { configUpdate, receiptsOf } from '../scripted/transactions.ts';

const STRANGER: Hex = `0x${'99'.repeat(20)}`;

function traversalOn(l1: ScriptedL1, fork: ForkName = 'granite') {
  const rollup = testRollup(fork);
  const traversal = createL1Traversal(rollup, l1);
  traversal.reset(l1.head(), SYSTEM_CONFIG);
  return { rollup, traversal };
}

describe('L1 traversal', () => {
  test('returns each block once', async () => {
    const l1 = scriptedL1();
    const { traversal } = traversalOn(l1);
    expect(traversal.nextL1Block()).toBe(traversal.origin());
    expect(traversal.nextL1Block()).toBe('eof');
    expect(await traversal.advance()).toBe('eof');
    const next = l1.mine();
    expect(await traversal.advance()).toEqual(next);
    expect(traversal.nextL1Block()).toEqual(next);
    expect(traversal.nextL1Block()).toBe('eof');
  });

  test('detects a reorg by the parent hash', async () => {
    const l1 = scriptedL1();
    const { traversal } = traversalOn(l1);
    l1.mine();
    await traversal.advance();
    l1.reorgTo(100);
    l1.mine();
    expect(await traversal.advance()).toBe('eof');
    l1.mine();
    await expect(traversal.advance()).rejects.toMatchObject({ handling: 'reset' });
  });

  test('keeps its position when L1 fails', async () => {
    const l1 = scriptedL1();
    const { traversal } = traversalOn(l1);
    l1.mine();
    l1.failing = true;
    await expect(traversal.advance()).rejects.toThrow('does not answer');
    const withoutReceipts = createL1Traversal(testRollup('granite'), {
      ...l1,
      headerByNumber: async () => l1.head(),
      receipts: async () => null,
    });
    withoutReceipts.reset({ ...l1.head(), hash: l1.head().parentHash }, SYSTEM_CONFIG);
    await expect(withoutReceipts.advance()).rejects.toMatchObject({ handling: 'retry' });
    l1.failing = false;
    expect(await traversal.advance()).toEqual(l1.head());
  });

  test('follows the system config', async () => {
    const l1 = scriptedL1();
    const { traversal } = traversalOn(l1);
    l1.mine({ receipts: receiptsOf(configUpdate(0, BigInt(STRANGER))) });
    expect(traversal.systemConfig().batcherAddr).toBe(SYSTEM_CONFIG.batcherAddr);
    await traversal.advance();
    expect(traversal.systemConfig().batcherAddr).toBe(STRANGER);
  });

  test('has no origin before its first reset', () => {
    const traversal = createL1Traversal(testRollup('granite'), scriptedL1());
    expect(() => traversal.origin()).toThrow('reset');
    expect(() => traversal.nextL1Block()).toThrow('reset');
  });
});

describe('L1 retrieval', () => {
  const bytes = (...values: number[]) => Uint8Array.from(values);
  async function retrieve(fork: ForkName, transactions: (l1: ScriptedL1) => L1Transaction[]) {
    const l1 = scriptedL1();
    l1.mine({ transactions: transactions(l1) });
    const { rollup, traversal } = traversalOn(l1, fork);
    const retrieval = createL1Retrieval(rollup, { l1 }, traversal);
    return {
      l1,
      traversal,
      retrieval,
      read: async () => (await drain(() => retrieval.nextData())).map((data) => [...data]),
    };
  }

  test.each(['bedrock', 'ecotone'] as const)('takes calldata of the batcher alone (%s)', async (fork) => {
    const { read } = await retrieve(fork, () => [
      calldataTransaction(bytes(1)),
      calldataTransaction(bytes(2), { from: STRANGER }),
      calldataTransaction(bytes(3), { to: STRANGER }),
      calldataTransaction(bytes(4), { to: null }),
      calldataTransaction(bytes(5), { type: 4 }),
      calldataTransaction(bytes(6), { type: 126 }),
      calldataTransaction(bytes(7), { type: 0 }),
      calldataTransaction(bytes(8), { type: 1 }),
      calldataTransaction(bytes()),
      calldataTransaction(bytes(9), { from: `0x${'BA'.repeat(20)}` }),
    ]);
    expect(await read()).toEqual([[1], [7], [8], [], [9]]);
  });

  test('takes blobs instead of the calldata of blob transactions, in order', async () => {
    const { read } = await retrieve('ecotone', (l1) => [
      l1.blobTransaction([bytes(1), bytes(2)]),
      { ...l1.blobTransaction([bytes(66)]), from: STRANGER },
      calldataTransaction(bytes(3)),
      l1.blobTransaction([bytes(4)]),
    ]);
    expect(await read()).toEqual([[1], [2], [3], [4]]);
  });

  test('takes nothing of a blob transaction without blobs, and answers eof in a block without data', async () => {
    const { l1, retrieval, read } = await retrieve('ecotone', () => [calldataTransaction(bytes(9), { type: 3 })]);
    expect(await retrieval.nextData()).toBe('eof');
    expect(await read()).toEqual([]);
    expect(l1.calls.get('blobs')).toBeUndefined();
  });

  test('drops its data and a block that it could not read at a reset', async () => {
    const block = () => [calldataTransaction(bytes(1)), calldataTransaction(bytes(2))];
    const { l1, retrieval } = await retrieve('ecotone', block);
    l1.failing = true;
    await expect(retrieval.nextData()).rejects.toThrow('does not answer');
    l1.failing = false;
    retrieval.reset();
    expect(await retrieval.nextData()).toBe('eof');
    const other = await retrieve('ecotone', block);
    expect(await other.retrieval.nextData()).toEqual(bytes(1));
    other.retrieval.reset();
    expect(await other.retrieval.nextData()).toBe('eof');
    other.traversal.reset(other.l1.head(), SYSTEM_CONFIG);
    expect(await other.retrieval.nextData()).toEqual(bytes(1));
    expect(other.retrieval.origin()).toBe(other.traversal.origin());
  });

  test('takes the calldata of blob transactions before ecotone', async () => {
    const { l1, read } = await retrieve('delta', (chain) => [chain.blobTransaction([bytes(1)])]);
    expect(await read()).toEqual([[9]]);
    expect(l1.calls.get('blobs')).toBeUndefined();
  });

  test('skips a blob that does not follow the encoding', async () => {
    const { retrieval, l1 } = await retrieve('ecotone', (chain) => [chain.blobTransaction([bytes(1), bytes(2)])]);
    const honest = l1.blobs;
    l1.blobs = async (header, hashes) => {
      const [first, ...rest] = (await honest(header, hashes))!;
      const broken = Uint8Array.from(first!);
      broken[1] = 7;
      return [broken, ...rest];
    };
    expect(await drain(() => retrieval.nextData())).toEqual([bytes(2)]);
  });

  test.each([
    ['no blobs', null],
    ['too few blobs', []],
  ])('asks for a reset when L1 has %s', async (_, answer) => {
    const { retrieval, l1 } = await retrieve('ecotone', (chain) => [chain.blobTransaction([bytes(1)])]);
    l1.blobs = async () => answer;
    await expect(retrieval.nextData()).rejects.toMatchObject({ handling: 'reset' });
  });

  test('asks for a reset when L1 does not have the block any more', async () => {
    const { retrieval, l1 } = await retrieve('ecotone', () => []);
    l1.transactions = async () => null;
    await expect(retrieval.nextData()).rejects.toMatchObject({
      handling: 'reset',
      message: expect.stringContaining('transactions of block 101'),
    });
  });

  test('reads a block again after L1 failed', async () => {
    const { retrieval, l1 } = await retrieve('ecotone', (chain) => [chain.blobTransaction([bytes(1)])]);
    l1.failing = true;
    await expect(retrieval.nextData()).rejects.toThrow('does not answer');
    l1.failing = false;
    expect(await settle(() => retrieval.nextData())).toEqual(bytes(1));
  });

  test('uses the batcher that is in force in the block', async () => {
    const l1 = scriptedL1();
    const { rollup, traversal } = traversalOn(l1);
    const retrieval = createL1Retrieval(rollup, { l1 }, traversal);
    await drain(() => retrieval.nextData());
    l1.mine({
      receipts: receiptsOf(configUpdate(0, BigInt(STRANGER))),
      transactions: [
        calldataTransaction(bytes(1)),
        calldataTransaction(bytes(2), { from: STRANGER, hash: hashOf('t') }),
      ],
    });
    await traversal.advance();
    expect(await drain(() => retrieval.nextData())).toEqual([bytes(2)]);
  });
});
