import { describe, expect, test } from 'vitest';
import { rawSpanBatchOf, spanBatchOf } from '../../../../src/protocol/codec/span/batch.ts';
import { blockRefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import { blockToBatch } from '../../../../src/protocol/derivation/encode/block-to-batch.ts';
import { createBatchProvider } from '../../../../src/protocol/derivation/stages/batch-provider.ts';
import type { ReadBatch } from '../../../../src/protocol/derivation/stages/channel-reader.ts';
import { CHAIN } from '../scripted/batches.ts';
import { below, settle } from '../scripted/below.ts';
import { scriptedLog } from '../scripted/log.ts';
import { createNetwork } from '../scripted/network.ts';
import { BOTH } from '../scripted/network-with-channels.ts';
import { hashOf, testRollup } from '../scripted/rollup.ts';
import { userTransaction } from '../scripted/transactions.ts';

/** A chain of 9 blocks, and a batch stage at its end on L1. Block 2 is the safe head. */
async function stageOf(fork: (typeof BOTH)[number]) {
  const { rollup, l1, sequencer, advance } = createNetwork(testRollup(fork));
  for (let slot = 0; slot < 3; slot++) await advance({}, (number) => [userTransaction(number)]);
  const blocks = sequencer.chain();
  const script = below<ReadBatch>((await l1.headerByNumber(100))!);
  const { log, lines } = scriptedLog();
  let flushed = 0;
  const stage = createBatchProvider(
    rollup,
    { l2: sequencer, log },
    { origin: script.origin, nextBatch: script.next, flush: () => flushed++ },
  );
  stage.reset(script.origin());
  const safe = blockRefOf(rollup, blocks[2]!);
  for (let number = 101; number <= 103; number++) {
    script.at((await l1.headerByNumber(number))!);
    await stage.nextBatch(safe);
  }
  const spanOf = (from: number, to: number): ReadBatch => {
    const batches = blocks.slice(from, to + 1).map((block) => blockToBatch(rollup, block).batch);
    return { kind: 'span', batch: spanBatchOf(rawSpanBatchOf(batches, false, CHAIN), CHAIN) };
  };
  return {
    blocks,
    lines,
    safe,
    script,
    sequencer,
    spanOf,
    flushed: () => flushed,
    pull: () => settle(() => stage.nextBatch(safe)),
  };
}

describe.each(BOTH)('a span batch that cannot be checked because the engine does not answer (%s)', (fork) => {
  test('is checked again before another batch is read', async () => {
    const { blocks, script, sequencer, spanOf, pull, lines } = await stageOf(fork);
    script.add(spanOf(2, 3), spanOf(2, 4));
    sequencer.failing = true;
    for (const _attempt of [1, 2]) await expect(pull()).rejects.toThrow('does not answer');
    expect(script.left).toHaveLength(1);
    sequencer.failing = false;
    const { timestamp, transactions } = blocks[3]!;
    expect(await pull()).toMatchObject({
      batch: { timestamp: Number(timestamp), transactions: transactions.slice(1) },
      concluding: true,
    });
    expect(lines).toEqual([]);
  });

  test('is dropped afterwards when it does not fit, and the next one is read', async () => {
    const { script, sequencer, spanOf, pull, lines, flushed } = await stageOf(fork);
    const foreign = spanOf(2, 3);
    if (foreign.kind !== 'span') throw new Error('a span batch');
    script.add({ kind: 'span', batch: { ...foreign.batch, parentCheck: `0x${'66'.repeat(20)}` } }, spanOf(2, 4));
    sequencer.failing = true;
    await expect(pull()).rejects.toThrow('does not answer');
    sequencer.failing = false;
    expect(await pull()).toMatchObject({ concluding: false });
    expect(lines).toEqual([['warn', { kind: 'span', reason: expect.stringContaining('parent 0x66') }]]);
    expect(flushed()).toBe(fork === 'holocene' ? 1 : 0);
  });
});

describe.each(BOTH)('a batch of either kind that does not fit (%s)', (fork) => {
  test('is logged once, with the reason', async () => {
    const { blocks, script, spanOf, pull, lines, safe } = await stageOf(fork);
    const valid = {
      parentHash: safe.hash,
      epochNum: safe.l1origin.number,
      epochHash: safe.l1origin.hash,
      timestamp: safe.timestamp + 2,
      transactions: blocks[3]!.transactions.slice(1),
    };
    const old = { ...valid, timestamp: safe.timestamp };
    const foreign = { ...valid, parentHash: hashOf('other') };
    script.add({ kind: 'singular', batch: old }, { kind: 'singular', batch: foreign }, spanOf(1, 2), spanOf(3, 4));
    expect(await pull()).toMatchObject({ concluding: false });
    const past = fork === 'holocene' ? 'debug' : 'warn';
    expect(lines).toEqual([
      [past, { kind: 'singular', reason: `time ${safe.timestamp}, expected ${safe.timestamp + 2}` }],
      ['warn', { kind: 'singular', reason: `parent ${foreign.parentHash}, the safe head is ${safe.hash}` }],
      [past, { kind: 'span', reason: expect.stringContaining(`ends at time ${safe.timestamp}`) }],
    ]);
  });
});
