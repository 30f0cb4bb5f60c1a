import { describe, expect, test } from 'vitest';
import type { SingularBatch } from '../../../src/protocol/codec/singular-batch.ts';
import { rawSpanBatchOf, spanBatchOf } from '../../../src/protocol/codec/span/batch.ts';
import type { Rollup } from '../../../src/protocol/derivation/ports.ts';
import { createBatchProvider } from '../../../src/protocol/derivation/stages/batch-provider.ts';
import type { NextBatch } from '../../../src/protocol/derivation/stages/batch-queue.ts';
import type { ReadBatch } from '../../../src/protocol/derivation/stages/channel-reader.ts';
import type { Pulled } from '../../../src/protocol/derivation/stages/stage.ts';
import type { ForkName } from '../../../src/protocol/forks/index.ts';
import type { ExecutionPayloadEnvelope, L2BlockRef } from '../../../src/protocol/types.ts';
import { below, settle } from './scripted/below.ts';
import { l1Header } from './scripted/l1.ts';
import { scriptedLog } from './scripted/log.ts';
import { GENESIS_TIME, hashOf, testRollup } from './scripted/rollup.ts';
import { userTransaction } from './scripted/transactions.ts';

/** L1 blocks every 6 s from genesis (100) on; three L2 blocks to each. */
const L1 = Array.from({ length: 40 }, (_, index) => l1Header(100 + index, GENESIS_TIME + 6 * index));
const epochAt = (number: number) => L1[Math.floor(number / 3)]!;

/** Block `number` of the one chain that all batches here describe. */
const refOf = (number: number): L2BlockRef => ({
  hash: hashOf(`L2 ${number}`),
  number,
  parentHash: hashOf(`L2 ${number - 1}`),
  timestamp: GENESIS_TIME + 2 * number,
  l1origin: { hash: epochAt(number).hash, number: epochAt(number).number },
  sequenceNumber: number % 3,
});
const batchOf = (number: number, changes: Partial<SingularBatch> = {}): SingularBatch => ({
  parentHash: hashOf(`L2 ${number - 1}`),
  epochNum: epochAt(number).number,
  epochHash: epochAt(number).hash,
  timestamp: GENESIS_TIME + 2 * number,
  transactions: [userTransaction(number)],
  ...changes,
});
const one = (number: number, changes?: Partial<SingularBatch>): ReadBatch => ({
  kind: 'singular',
  batch: batchOf(number, changes),
});
const CHAIN = { genesisTime: GENESIS_TIME, blockTime: 2, chainId: 901 };
function span(from: number, to: number, bad?: number, changes?: Partial<SingularBatch>): ReadBatch {
  const batches = Array.from({ length: to - from + 1 }, (_, index) => batchOf(from + index, changes));
  const raw = rawSpanBatchOf(batches, from % 3 === 0, CHAIN);
  const batch = spanBatchOf(raw, CHAIN);
  const blocks = batch.blocks.map((block, index) =>
    from + index === bad ? { ...block, transactions: ['0x7e01' as const] } : block,
  );
  return { kind: 'span', batch: { ...batch, blocks } };
}

/** A batch stage above a script, at L1 block 100 and ready for L2 block 1. */
function stageOf(rollup: Rollup, failing = () => false, isLogged = true) {
  const script = below<ReadBatch>(L1[0]!);
  let flushed = 0;
  const reader = {
    origin: script.origin,
    nextBatch: script.next,
    flush() {
      script.left.length = 0;
      flushed++;
    },
  };
  const answer = async (): Promise<ExecutionPayloadEnvelope | null> => {
    if (failing()) throw new Error('the engine does not answer');
    return null;
  };
  const { log, lines } = scriptedLog();
  const l2 = { payloadByHash: answer, payloadByNumber: answer };
  const stage = createBatchProvider(rollup, { l2, ...(isLogged && { log }) }, reader);
  stage.reset(L1[0]!);

  const pull = (parent: L2BlockRef): Promise<Pulled<NextBatch> | 'eof'> => settle(() => stage.nextBatch(parent));
  return {
    stage,
    script,
    lines,
    flushed: () => flushed,
    pull,
    /** Puts batches into an L1 block, moving the origin there through all blocks before. */
    async include(number: number, ...batches: ReadBatch[]) {
      for (let at = script.origin().number + 1; at <= number; at++) {
        script.at(L1[at - 100]!);
        if (at < number) await stage.nextBatch(refOf(0));
      }
      script.add(...batches);
    },
    /** Numbers of the blocks derived one upon the other until eof; a negative number has no transactions. */
    async derive(safe = 0): Promise<{ numbers: number[]; concluding: boolean[] }> {
      const numbers: number[] = [];
      const concluding: boolean[] = [];
      for (let next = await pull(refOf(safe)); typeof next !== 'string'; next = await pull(refOf(safe))) {
        safe++;
        expect(next.batch.timestamp).toBe(refOf(safe).timestamp);
        expect(next.batch.parentHash).toBe(refOf(safe - 1).hash);
        numbers.push(next.batch.transactions.length > 0 ? safe : -safe);
        concluding.push(next.concluding);
      }
      return { numbers, concluding };
    },
  };
}
const forks: readonly ForkName[] = ['granite', 'holocene'];

describe.each(forks)('both batch stages (%s)', (fork) => {
  const rollup = testRollup(fork);

  test('pass on singular batches in order', async () => {
    const { include, derive } = stageOf(rollup);
    await include(102, one(1), one(2), one(3), one(4));
    expect(await derive()).toEqual({ numbers: [1, 2, 3, 4], concluding: [true, true, true, true] });
  });

  test('split span batches into blocks, of which the last one concludes', async () => {
    const { include, derive } = stageOf(rollup);
    await include(103, span(1, 3), one(4), span(5, 7));
    expect(await derive()).toEqual({
      numbers: [1, 2, 3, 4, 5, 6, 7],
      concluding: [false, false, true, true, false, false, true],
    });
  });

  test('skip blocks that are safe already', async () => {
    const { include, derive, flushed } = stageOf(rollup);
    await include(102, one(1), one(2), one(1), span(1, 2), one(3));
    expect((await derive()).numbers).toEqual([1, 2, 3]);
    expect(flushed()).toBe(0);
  });

  test('read nothing of L1 blocks before the safe head', async () => {
    const { include, derive, pull } = stageOf(rollup);
    await include(101, one(1), one(2));
    expect(await pull(refOf(6))).toBe('eof');
    await include(102, one(3));
    expect(await pull(refOf(6))).toBe('eof');
    await include(103, one(7));
    expect((await derive(6)).numbers).toEqual([7]);
  });

  test('need no log', async () => {
    const { include, derive, stage, script } = stageOf(rollup, undefined, false);
    await include(112, one(1), one(1, { parentHash: hashOf('other') }));
    expect((await derive()).numbers).toEqual([1, -2]);
    expect(stage.origin()).toBe(script.origin());
  });

  test('derive empty batches once the sequencing window is over', async () => {
    const { include, derive, stage } = stageOf(rollup);
    await include(111);
    expect((await derive()).numbers).toEqual([]);
    expect(await stage.nextBatch(refOf(0))).toBe('eof');
    await include(112);
    expect(await derive()).toEqual({ numbers: [-1, -2], concluding: [true, true] });
    await include(113);
    expect((await derive(2)).numbers).toEqual([-3, -4, -5]);
  });

  test('prefer a batch to an empty one at the end of the sequencing window', async () => {
    const { include, derive } = stageOf(rollup);
    await include(112, one(1));
    expect((await derive()).numbers).toEqual([1, -2]);
    const { numbers } = await derive(2);
    expect(numbers).toEqual([]);
  });

  test('ask for a reset when the safe head is of another L1 chain', async () => {
    const { include, stage } = stageOf(rollup);
    await include(102, one(1));
    const foreign = { ...refOf(0), l1origin: { number: 101, hash: hashOf('other') } };
    const pulling = settle(() => stage.nextBatch(foreign));
    await expect(pulling).rejects.toMatchObject({ handling: 'reset' });
  });

  test('lose no batch to an engine that fails to answer', async () => {
    let failing = false;
    const { include, stage } = stageOf(rollup, () => failing);
    await include(102, one(1), one(2), span(2, 4));
    expect((await settle(() => stage.nextBatch(refOf(0)))) as NextBatch).toMatchObject({ batch: { epochNum: 100 } });
    await settle(() => stage.nextBatch(refOf(1)));
    failing = true;
    await expect(settle(() => stage.nextBatch(refOf(2)))).rejects.toThrow('does not answer');
    await expect(settle(() => stage.nextBatch(refOf(2)))).rejects.toThrow('does not answer');
    failing = false;
    await expect(settle(() => stage.nextBatch(refOf(2)))).rejects.toMatchObject({ handling: 'retry' });
  });
});

describe('batch queue (before holocene)', () => {
  const rollup = testRollup('granite');

  test('buffers batches of the future', async () => {
    const { include, derive } = stageOf(rollup);
    await include(102, one(3), one(2), one(4), one(1));
    expect((await derive()).numbers).toEqual([1, 2, 3, 4]);
  });

  test('prefers a batch behind one of the future to an empty one at the end of the sequencing window', async () => {
    const { include, derive } = stageOf(rollup);
    await include(112, one(2), one(1));
    expect((await derive()).numbers).toEqual([1, 2]);
  });

  test('has nothing left of a span batch after a flush, which flushes the stage below', async () => {
    const { include, derive, pull, stage, flushed } = stageOf(rollup);
    await include(103, span(1, 5));
    await pull(refOf(0));
    stage.flush();
    expect(flushed()).toBe(1);
    expect((await derive(1)).numbers).toEqual([]);
  });

  test('checks buffered batches only when the stage below has told whether there are others', async () => {
    const { include, pull, stage, script } = stageOf(rollup);
    await include(102, one(2), one(1));
    expect(await pull(refOf(0))).toMatchObject({ batch: { timestamp: GENESIS_TIME + 2 } });
    script.add('more');
    expect(await stage.nextBatch(refOf(1))).toBe('more');
    expect(await stage.nextBatch(refOf(1))).toMatchObject({ batch: { timestamp: GENESIS_TIME + 4 } });
  });

  test('drops a buffered batch once, and keeps each other one once', async () => {
    const { include, derive, pull, lines, script } = stageOf(rollup);
    script.add(one(5), one(3));
    expect(await pull(refOf(2))).toBe('eof');
    await include(101, one(4), one(4, { transactions: [] }));
    expect((await derive(2)).numbers).toEqual([3, 4, 5]);
    for (const safe of [5, 5]) expect((await derive(safe)).numbers).toEqual([]);
    const reason = `time ${GENESIS_TIME + 8}, expected ${GENESIS_TIME + 12}`;
    expect(lines).toEqual([['warn', { kind: 'singular', reason }]]);
  });

  test('takes the first valid of several', async () => {
    const { include, pull } = stageOf(rollup);
    const other = [userTransaction(77)];
    await include(102, one(1, { parentHash: hashOf('other') }), one(1), one(1, { transactions: other }));
    expect(await pull(refOf(0))).toMatchObject({ batch: { transactions: [userTransaction(1)] } });
  });

  test('holds a batch back until its next L1 block is known', async () => {
    const { include, derive } = stageOf(rollup);
    await include(101, one(1), one(2));
    expect((await derive()).numbers).toEqual([1, 2]);
    const late = stageOf(rollup);
    await late.include(100, one(1), one(2), one(3));
    expect((await late.derive()).numbers).toEqual([1, 2]);
    await late.include(101);
    expect((await late.derive(2)).numbers).toEqual([3]);
  });

  test('drops a whole span batch when one block is invalid', async () => {
    const { include, derive } = stageOf(rollup);
    await include(103, one(1), span(2, 5, 4), one(2));
    expect((await derive()).numbers).toEqual([1, 2]);
  });

  test('continues after a span batch that ends in an epoch before the safe head', async () => {
    const { include, derive } = stageOf(rollup);
    const stale = span(4, 5, undefined, { epochNum: 100, epochHash: L1[0]!.hash });
    await include(103, one(1), one(2), one(3), stale, one(4));
    expect((await derive()).numbers).toEqual([1, 2, 3, 4]);
    await include(113);
    expect((await derive(4)).numbers).toEqual([-5]);
  });

  test('drops the rest of a span batch whose block the engine refused', async () => {
    const { include, pull } = stageOf(rollup);
    await include(103, span(1, 3), one(1, { transactions: [userTransaction(50)] }));
    expect(await pull(refOf(0))).toMatchObject({ concluding: false });
    expect(await pull(refOf(0))).toMatchObject({ batch: { transactions: [userTransaction(50)] }, concluding: true });
  });
});

describe('batch stage (holocene)', () => {
  const rollup = testRollup('holocene');

  test('skips everything in the L1 block that is the origin of the safe head', async () => {
    const { include, derive, flushed, stage } = stageOf(rollup);
    await include(101, one(5), one(4), span(4, 5));
    for (const expected of ['more', 'more', 'more', 'eof']) expect(await stage.nextBatch(refOf(3))).toBe(expected);
    expect((await derive(3)).numbers).toEqual([]);
    expect(flushed()).toBe(0);
  });

  test('flushes the channel at a batch of the future', async () => {
    const { include, derive, flushed } = stageOf(rollup);
    await include(103, one(1), one(3), one(2));
    expect((await derive()).numbers).toEqual([1]);
    expect(flushed()).toBe(1);
  });

  test('keeps the valid beginning of a span batch, drops its rest and the channel', async () => {
    const { include, derive, flushed } = stageOf(rollup);
    await include(103, span(1, 5, 4), one(4));
    expect(await derive()).toEqual({ numbers: [1, 2, 3], concluding: [false, false, false] });
    expect(flushed()).toBe(1);
    await include(103, one(4));
    expect((await derive(3)).numbers).toEqual([4]);
  });

  test.each([
    ['first', 0, 'epoch 100 is too old'],
    ['second', 1, 'one of its L1 origins is too old'],
  ])('drops a span batch the %s L1 origin of which is older than the safe head’s', async (_, at, reason) => {
    const { include, derive, flushed, lines } = stageOf(rollup);
    await include(103, one(1), one(2), one(3));
    await derive();
    const stale = span(4, 6);
    if (stale.kind !== 'span') throw new Error('a span batch');
    const blocks = stale.batch.blocks.map((block, index) => (index === at ? { ...block, epochNum: 100 } : block));
    await include(103, { kind: 'span', batch: { ...stale.batch, blocks } });
    expect((await derive(3)).numbers).toEqual([]);
    expect(flushed()).toBe(1);
    expect(lines).toEqual([['warn', { kind: 'span', reason }]]);
  });

  test('skips a span batch that ends in an epoch before the safe head, and keeps its channel', async () => {
    const { include, derive, flushed } = stageOf(rollup);
    const stale = span(4, 5, undefined, { epochNum: 100, epochHash: L1[0]!.hash });
    await include(103, one(1), one(2), one(3), stale, one(4));
    expect((await derive()).numbers).toEqual([1, 2, 3, 4]);
    expect(flushed()).toBe(0);
  });

  test('has nothing left of a span batch after a flush', async () => {
    const { include, derive, pull, stage } = stageOf(rollup);
    await include(103, span(1, 5));
    await pull(refOf(0));
    stage.flush();
    expect((await derive(1)).numbers).toEqual([]);
  });
});

describe('batch provider', () => {
  test('swaps the stage at the activation and discards buffered batches', async () => {
    const { include, derive } = stageOf(testRollup('granite', { at: { holocene: 18 } }));
    await include(102, one(1), one(3));
    expect((await derive()).numbers).toEqual([1]);
    await include(103, one(2), one(4), one(3));
    expect((await derive(1)).numbers).toEqual([2]);
    await include(103, one(3), one(4));
    expect((await derive(2)).numbers).toEqual([3, 4]);
  });
});
