import { beforeAll, describe, expect, it } from 'vitest';
import { type ChannelConfig, openChannel } from '../../../src/nodes/batcher/channel-builder.ts';
import { concatAll } from '../../../src/protocol/bytes.ts';
import { channelBatches } from '../../../src/protocol/codec/channel.ts';
import { FRAME_OVERHEAD } from '../../../src/protocol/codec/frame.ts';
import { createChannelOut } from '../../../src/protocol/derivation/encode/channel-out.ts';
import type { Rollup } from '../../../src/protocol/derivation/ports.ts';
import type { ExecutionPayload } from '../../../src/protocol/types.ts';
import { createNetwork } from '../../protocol/derivation/scripted/network.ts';
import { testRollup } from '../../protocol/derivation/scripted/rollup.ts';
import { userTransaction } from '../../protocol/derivation/scripted/transactions.ts';

/** Sizes can be computed: nothing is compressed. */
const plain = { zlib: (bytes: Uint8Array) => bytes, brotli: () => expect.fail() };
const ID = new Uint8Array(16).fill(1);
const POLICY: ChannelConfig = {
  daType: 'calldata',
  batchType: 'singular',
  compression: 'zlib',
  compress: plain,
  gauge: plain,
  maxFrameSize: 10_000,
  targetNumFrames: 1,
  assumedRatio: undefined,
  maxBlocksPerSpanBatch: 0,
  maxChannelDuration: 0,
  subSafetyMargin: 2,
};
/** L1 blocks of the sequencing window. */
const WINDOW = 12;

let rollup: Rollup;
/** Three blocks of each of the epochs 100 (two), 101, 102 and 103. */
let blocks: readonly ExecutionPayload[];
beforeAll(async () => {
  const network = createNetwork(testRollup('granite'));
  for (let slot = 0; slot < 3; slot++) await network.advance({}, (number) => [userTransaction(number)]);
  rollup = network.rollup;
  blocks = network.sequencer.chain().slice(1);
});
const open = (changes: Partial<ChannelConfig> = {}, since = 100) =>
  openChannel(rollup, { ...POLICY, ...changes }, ID, since);
const idOf = ({ blockHash, blockNumber }: ExecutionPayload) => ({ hash: blockHash, number: blockNumber });

/** Bytes of the channel of the first blocks, and the bound of its input. */
function sizesOf(count: number) {
  const out = createChannelOut(rollup, { ...POLICY, id: ID, targetSize: 1_000_000 });
  for (const block of blocks.slice(0, count)) out.addBlock(block);
  out.close();
  return { output: concatAll(out.frames(10_000).map(({ data }) => data)).length, input: out.inputBytes() };
}

describe('an open channel', () => {
  it('becomes frames with the first and the last of its blocks and the reason of the close', () => {
    const channel = open({ daType: 'blobs', maxFrameSize: 200 });
    for (const block of blocks.slice(0, 1)) channel.add(block);
    const built = channel.close('due');
    expect(built).toMatchObject({ daType: 'blobs', first: idOf(blocks[0]!), last: idOf(blocks[0]!), blocks: 1 });
    const three = open({ targetNumFrames: 100, maxFrameSize: 200 });
    for (const block of blocks.slice(0, 3)) three.add(block);
    expect(three.blocks).toBe(3);
    const { frames, ...rest } = three.close('flushed');
    expect(rest).toEqual({
      daType: 'calldata',
      first: idOf(blocks[0]!),
      last: idOf(blocks[2]!),
      blocks: 3,
      reason: 'flushed',
    });
    expect(frames.length).toBeGreaterThan(1);
    expect(frames.every(({ channelId, data }) => channelId === `0x${'01'.repeat(16)}` && data.length <= 177)).toBe(
      true,
    );
  });

  it('is not posted without blocks', () => {
    expect(() => open().close('flushed')).toThrow('a channel without blocks is not posted');
    expect(open({ maxChannelDuration: 1 }).due(1_000_000)).toBeUndefined();
    expect(open().blocks).toBe(0);
  });

  it('has span batches of at most the blocks that its settings say', () => {
    const channel = open({ batchType: 'span', maxBlocksPerSpanBatch: 3 });
    for (const block of blocks.slice(0, 7)) expect(channel.add(block)).toBe(true);
    const data = concatAll(channel.close('full').frames.map((frame) => frame.data));
    expect([...channelBatches(data)]).toHaveLength(3);
  });
});

describe('size of an open channel', () => {
  it.each([
    [-1, 1],
    [0, 2],
    [1, 2],
  ])('in one frame of two blocks and %i bytes has %i blocks', (more, count) => {
    const channel = open({ maxFrameSize: sizesOf(2).output + FRAME_OVERHEAD + more });
    const added = blocks.slice(0, 3).map((block) => channel.add(block));
    expect(added).toEqual([true, count === 2, false]);
    expect(channel.due(0)).toBe('full');
    const built = channel.close('full');
    expect(built.frames).toHaveLength(1);
    expect(built).toMatchObject({ last: idOf(blocks[count - 1]!), blocks: count });
  });

  it('is that of the target number of frames', () => {
    const { output } = sizesOf(4);
    const channel = open({ maxFrameSize: Math.ceil(output / 4) + FRAME_OVERHEAD, targetNumFrames: 4 });
    expect(blocks.slice(0, 5).filter((block) => channel.add(block))).toHaveLength(4);
    expect(channel.close('full').frames).toHaveLength(4);
  });

  it.each([
    [-1, 3],
    [0, 3],
    [1, 4],
  ])('by an assumed ratio of a half ends at half of the input of three blocks and %i bytes', (more, count) => {
    // The measured size would reach the target with two blocks.
    const target = sizesOf(3).input / 2 + more;
    const channel = open({ assumedRatio: 0.5, maxFrameSize: target + FRAME_OVERHEAD });
    for (const [index, block] of blocks.slice(0, 5).entries()) {
      expect(channel.due(0)).toBe(index < count ? undefined : 'full');
      expect(channel.add(block)).toBe(index < count);
    }
    expect(channel.blocks).toBe(count);
  });
});

describe('an open channel is due', () => {
  /** The first block has L1 origin 100. */
  it.each([
    ['at the end of its duration', { maxChannelDuration: 3 }, 104, 107],
    ['at the end of its duration from the last submission', { maxChannelDuration: 1 }, 90, 91],
    ['before the sequencing window of its first block ends', { subSafetyMargin: 2 }, 100, 100 + WINDOW - 2],
    ['by a margin of its own', { subSafetyMargin: 5 }, 100, 100 + WINDOW - 5],
    ['by the earlier one: the window', { maxChannelDuration: 100, subSafetyMargin: 5 }, 100, 100 + WINDOW - 5],
    ['by the earlier one: the duration', { maxChannelDuration: 4, subSafetyMargin: 5 }, 100, 104],
  ])('%s', (_, changes, since, block) => {
    const channel = open(changes, since);
    channel.add(blocks[0]!);
    // Later blocks have later origins.
    channel.add(blocks[1]!);
    channel.add(blocks[2]!);
    expect(channel.due(block - 1)).toBeUndefined();
    expect(channel.due(block)).toBe('due');
    expect(channel.due(block + 1)).toBe('due');
  });
});
