import { beforeAll, describe, expect, test } from 'vitest';
import { concat, concatAll } from '../../../../src/protocol/bytes.ts';
import { type Compress, channelBatches } from '../../../../src/protocol/codec/channel.ts';
import { encodeSingularBatch } from '../../../../src/protocol/codec/singular-batch.ts';
import { spanBatchOf } from '../../../../src/protocol/codec/span/batch.ts';
import { decodeBatch } from '../../../../src/protocol/derivation/batch/batch-data.ts';
import { blockToBatch } from '../../../../src/protocol/derivation/encode/block-to-batch.ts';
import { type ChannelOutOptions, createChannelOut } from '../../../../src/protocol/derivation/encode/channel-out.ts';
import type { Rollup } from '../../../../src/protocol/derivation/ports.ts';
import type { ExecutionPayload } from '../../../../src/protocol/types.ts';
import { CHAIN } from '../scripted/batches.ts';
import { createNetwork } from '../scripted/network.ts';
import { testRollup } from '../scripted/rollup.ts';
import { userTransaction } from '../scripted/transactions.ts';

/** Bytes that RLP's length prefix of a batch takes at most. */
const PREFIX = 9;

let rollup: Rollup;
/** Eight blocks; the first of an epoch are numbers 3 and 6. */
let blocks: readonly ExecutionPayload[];
beforeAll(async () => {
  const network = createNetwork(testRollup('granite'));
  for (let slot = 0; slot < 3; slot++) await network.advance({}, (number) => [userTransaction(number)]);
  rollup = network.rollup;
  blocks = network.sequencer.chain().slice(1, 9);
});

/** A "compression" that adds bytes of one value, and counts its calls. */
function padded(bytes: number, value = 0xcc): Compress & { readonly calls: number } {
  const compression = {
    calls: 0,
    zlib(content: Uint8Array) {
      compression.calls++;
      return concat(content, new Uint8Array(bytes).fill(value));
    },
    brotli: () => expect.fail(),
  };
  return compression;
}
const open = (options: Partial<ChannelOutOptions> = {}, on = rollup) =>
  createChannelOut(on, {
    id: new Uint8Array(16),
    batchType: 'singular',
    compression: 'zlib',
    compress: padded(0),
    targetSize: 1_000_000,
    ...options,
  });
const dataOf = (channel: ReturnType<typeof open>) => concatAll(channel.frames(1_000_000).map(({ data }) => data));
const batchesOf = (channel: ReturnType<typeof open>) => [...channelBatches(dataOf(channel))].map(decodeBatch);
const boundOf = (block: ExecutionPayload) => encodeSingularBatch(blockToBatch(rollup, block).batch).length + PREFIX;

/** Bytes of the uncompressed channel of the first blocks. */
function plainSize(count: number): number {
  const channel = open();
  for (const block of blocks.slice(0, count)) channel.addBlock(block);
  channel.close();
  return dataOf(channel).length;
}

describe('target size of a channel', () => {
  test.each([
    [-1, [true, false, false], 1],
    [0, [true, true, false], 2],
    [1, [true, true, false], 2],
  ])('of two blocks and %i bytes takes blocks: %j', (more, answers, count) => {
    const channel = open({ targetSize: plainSize(2) + more });
    const added = blocks.slice(0, 2).map((block) => channel.addBlock(block));
    expect(channel.isFull()).toBe(more <= 0);
    expect([...added, channel.addBlock(blocks[2]!)]).toEqual(answers);
    expect(channel.isFull()).toBe(true);
    expect(channel.blocks()).toBe(count);
  });

  test('is measured by the gauge as soon as the bound of the input reaches it, and not before', () => {
    const bound = boundOf(blocks[0]!);
    for (const [targetSize, calls] of [
      [bound + 1, 0],
      [bound, 1],
    ] as const) {
      const gauge = padded(0);
      open({ targetSize, gauge }).addBlock(blocks[0]!);
      expect(gauge.calls).toBe(calls);
    }
  });

  test.each([
    ['a channel within it', 3, 1, 0, 'compress'],
    ['a channel of its size', 3, 0, 0, 'compress'],
    ['a channel over it', 3, -1, 0, 'gauge'],
    ['one block over it', 1, -1, 1000, 'compress'],
  ] as const)('sends %s as it is compressed, or as the gauge was', (_, count, more, grown, expected) => {
    const [gauge, compress] = [padded(0, 0), padded(5 + grown)];
    const channel = open({ gauge, compress, targetSize: plainSize(count) + 5 + more });
    for (const block of blocks.slice(0, count)) expect(channel.addBlock(block)).toBe(true);
    channel.close();
    channel.close();
    expect(dataOf(channel).at(-1) === 0xcc).toBe(expected === 'compress');
    expect(compress.calls).toBe(1);
  });
});

describe('protocol limit on a channel', () => {
  const limited = (maxRlpBytes: number): Rollup => {
    const rules = rollup.rulesAt(blocks[0]!.timestamp);
    return { ...rollup, rulesAt: () => ({ ...rules, channels: { ...rules.channels, maxRlpBytes } }) };
  };

  test.each([
    [-1, 1],
    [0, 2],
    [1, 2],
  ])('of the bounds of two blocks and %i bytes is kept with %i blocks', (more, count) => {
    const bound = boundOf(blocks[0]!) + boundOf(blocks[1]!);
    const channel = open({}, limited(bound + more));
    expect(blocks.slice(0, 3).filter((block) => channel.addBlock(block))).toHaveLength(count);
    expect(channel.isFull()).toBe(true);
    expect(channel.inputBytes()).toBe(count === 2 ? bound : boundOf(blocks[0]!));
  });

  test('does not apply to a single block', () => {
    const channel = open({}, limited(10));
    expect(blocks.slice(0, 2).map((block) => channel.addBlock(block))).toEqual([true, false]);
  });
});

describe('span batches of a channel', () => {
  test.each([
    [undefined, 0, [8]],
    [0, 0, [8]],
    [3, 0, [3, 3, 2]],
    [4, 0, [4, 4]],
    [9, 0, [8]],
    [3, 2, [3, 3]],
  ])('of at most %s blocks from block %i on have %j blocks, with their own epochs', (most, from, counts) => {
    const channel = open({ batchType: 'span', ...(most === undefined ? {} : { maxBlocksPerSpanBatch: most }) });
    const added = blocks.slice(from);
    for (const block of added) channel.addBlock(block);
    channel.close();
    const spans = batchesOf(channel).map((batch) =>
      batch.kind === 'span' ? spanBatchOf(batch.batch, CHAIN).blocks : expect.fail(),
    );
    expect(spans.map(({ length }) => length)).toEqual(counts);
    const expected = added.map((block) => blockToBatch(rollup, block).batch);
    expect(spans.flat()).toEqual(
      expected.map(({ timestamp, epochNum, transactions }) => ({ timestamp, epochNum, transactions })),
    );
  });

  test.each([
    ['advances', 2, true],
    ['stays in', 3, false],
  ])('tell whether the first block %s its epoch', (_, from, advances) => {
    const channel = open({ batchType: 'span' });
    for (const block of blocks.slice(from)) channel.addBlock(block);
    channel.close();
    const [batch] = batchesOf(channel);
    expect(batch).toMatchObject({ kind: 'span', batch: { originBits: { 0: advances } } });
  });

  test('are none in a channel without blocks', () => {
    const channel = open({ batchType: 'span' });
    channel.close();
    expect(dataOf(channel)).toHaveLength(0);
  });
});
