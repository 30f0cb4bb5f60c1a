import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { concatAll } from '../../../../src/protocol/bytes.ts';
import { encodeFrame } from '../../../../src/protocol/codec/frame.ts';
import { blockToBatch } from '../../../../src/protocol/derivation/encode/block-to-batch.ts';
import { type ChannelOutOptions, createChannelOut } from '../../../../src/protocol/derivation/encode/channel-out.ts';
import { compress } from '../scripted/compression.ts';
import { createNetwork } from '../scripted/network.ts';
import { testRollup } from '../scripted/rollup.ts';
import { depositLog, receiptsOf, userTransaction } from '../scripted/transactions.ts';

const noise = (seed: number) => Uint8Array.from({ length: 300 }, (_, index) => (index * index * 31 + seed * 97) % 256);
async function chain() {
  const network = createNetwork(testRollup('granite'));
  const deposit = receiptsOf(depositLog(`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`, 1n));
  for (let slot = 0; slot < 5; slot++) {
    await network.advance({ receipts: deposit }, (number) => [userTransaction(number, noise(number))]);
  }
  return { rollup: network.rollup, blocks: network.sequencer.chain().slice(1) };
}
const options = (changes: Partial<ChannelOutOptions> = {}): ChannelOutOptions => ({
  id: new Uint8Array(16).fill(1),
  batchType: 'singular',
  compression: 'zlib',
  compress,
  targetSize: 100_000,
  ...changes,
});
const sizeOf = (frames: ReturnType<ReturnType<typeof createChannelOut>['frames']>) =>
  concatAll(frames.map(({ data }) => data)).length;

describe.each(['singular', 'span'] as const)('channel of %s batches', (batchType) => {
  test('accepts blocks up to its target size', async () => {
    const { rollup, blocks } = await chain();
    for (const targetSize of [800, 1300]) {
      const channel = createChannelOut(rollup, options({ batchType, targetSize }));
      const count = blocks.filter((block) => channel.addBlock(block)).length;
      expect(count).toBeGreaterThan(1);
      expect(count).toBeLessThan(blocks.length);
      expect(channel.blocks()).toBe(count);
      expect(channel.isFull()).toBe(true);
      channel.close();
      const size = sizeOf(channel.frames(500));
      expect(size).toBeLessThanOrEqual(targetSize);
      expect(size).toBeGreaterThan(targetSize - 500);
    }
  });

  test.each([
    ['worse than it is compressed in the end', 0, 9],
    ['better than it is compressed in the end', 9, 0],
  ])('stays within its target when its size is measured %s', async (_, gauge, best) => {
    const { rollup, blocks } = await chain();
    const at = (level: number) => ({ ...compress, zlib: (bytes: Uint8Array) => deflateSync(bytes, { level }) });
    const channel = createChannelOut(
      rollup,
      options({ batchType, targetSize: 1300, gauge: at(gauge), compress: at(best) }),
    );
    const count = blocks.filter((block) => channel.addBlock(block)).length;
    expect(count).toBeGreaterThan(1);
    expect(count).toBeLessThan(blocks.length);
    channel.close();
    expect(sizeOf(channel.frames(500))).toBeLessThanOrEqual(1300);
  });

  test('accepts a single block that is larger than the target', async () => {
    const { rollup, blocks } = await chain();
    const channel = createChannelOut(rollup, options({ batchType, targetSize: 10 }));
    expect(channel.addBlock(blocks[0]!)).toBe(true);
    expect(channel.isFull()).toBe(true);
    expect(channel.addBlock(blocks[1]!)).toBe(false);
    expect(channel.blocks()).toBe(1);
  });

  test('refuses blocks over the protocol’s limit on a channel', async () => {
    const { rollup, blocks } = await chain();
    const rules = rollup.rulesAt(blocks[0]!.timestamp);
    const small = { ...rollup, rulesAt: () => ({ ...rules, channels: { ...rules.channels, maxRlpBytes: 1200 } }) };
    const channel = createChannelOut(small, options({ batchType }));
    const count = blocks.filter((block) => channel.addBlock(block)).length;
    expect(count).toBe(2);
    expect(channel.inputBytes()).toBeLessThanOrEqual(1200);
  });

  test('is split into frames of the requested size, the last of which closes it', async () => {
    const { rollup, blocks } = await chain();
    const channel = createChannelOut(rollup, options({ batchType }));
    for (const block of blocks) channel.addBlock(block);
    channel.close();
    channel.close();
    const frames = channel.frames(200);
    expect(frames.map(({ number }) => number)).toEqual(frames.map((_, index) => index));
    expect(frames.map(({ isLast }) => isLast)).toEqual(frames.map((_, index) => index === frames.length - 1));
    for (const frame of frames) expect(encodeFrame(frame).length).toBeLessThanOrEqual(200);
    expect(frames[0]!.channelId).toBe(`0x${'01'.repeat(16)}`);
  });
});

describe('channel out', () => {
  test('refuses blocks out of order, and after it was closed', async () => {
    const { rollup, blocks } = await chain();
    const channel = createChannelOut(rollup, options());
    channel.addBlock(blocks[0]!);
    expect(() => channel.addBlock(blocks[2]!)).toThrow('builds on');
    expect(() => channel.frames(100)).toThrow('closed');
    channel.close();
    expect(() => channel.addBlock(blocks[1]!)).toThrow('closed');
  });

  test('writes batches with the user transactions and the epoch of their blocks', async () => {
    const { rollup, blocks } = await chain();
    const block = blocks[2]!;
    expect(block.transactions).toHaveLength(3);
    expect(blockToBatch(rollup, block)).toMatchObject({
      batch: {
        parentHash: block.parentHash,
        epochNum: 101,
        timestamp: Number(block.timestamp),
        transactions: block.transactions.slice(2),
      },
      sequenceNumber: 0,
    });
  });
});
