import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { channelConfigAt, channelId } from '../../../src/nodes/batcher/channel-config.ts';
import { compressionOf } from '../../../src/nodes/batcher/compress.ts';
import { MAX_BLOB_DATA_SIZE } from '../../../src/protocol/codec/blob.ts';
import type { ExecutionPayload } from '../../../src/protocol/types.ts';
import { createNetwork } from '../../protocol/derivation/scripted/network.ts';
import { GENESIS_TIME, hashOf, testRollup } from '../../protocol/derivation/scripted/rollup.ts';

const SETTINGS = {
  daType: 'blobs',
  batchType: 'span',
  ...compressionOf('brotli'),
  targetNumFrames: 3,
  assumedRatio: 0.4,
  maxBlocksPerSpanBatch: 2,
  maxChannelDuration: 1,
  subSafetyMargin: 10,
} as const;
const headAt = (after: number) => ({ hash: hashOf('L1 head'), timestamp: GENESIS_TIME + after });

describe('settings of a channel', () => {
  /** Delta activates with the first L1 block behind genesis, fjord with the second. */
  const rollup = testRollup('canyon', { at: { delta: 6, ecotone: 12, fjord: 12 } });
  let blocks: readonly ExecutionPayload[];
  beforeAll(async () => {
    const network = createNetwork(rollup);
    for (let slot = 0; slot < 3; slot++) await network.advance();
    blocks = network.sequencer.chain();
  });

  it.each([
    ['singular batches while the origin of the first block is before delta', 1, 100, { batchType: 'singular' }],
    ['span batches from the first origin of delta on', 3, 100, { batchType: 'span' }],
    ['zlib while the head of L1 is before fjord', 3, 11, { compression: 'zlib', batchType: 'span' }],
    ['brotli from fjord on', 3, 12, { compression: 'brotli' }],
  ])('are %s', (_, first, head, expected) => {
    const config = channelConfigAt(rollup, headAt(head), blocks[first]!, SETTINGS, 500);
    const { batchType, compression, ...rest } = config;
    const { batchType: _type, compression: _compression, ...settings } = SETTINGS;
    expect({ batchType, compression }).toMatchObject(expected);
    expect(rest).toEqual({ ...settings, maxFrameSize: MAX_BLOB_DATA_SIZE - 1 });
  });

  it('are as they were chosen when the rules allow all', () => {
    const chosen = { ...SETTINGS, batchType: 'singular', compression: 'zlib' } as const;
    expect(channelConfigAt(rollup, headAt(100), blocks[3]!, chosen, 500)).toMatchObject(chosen);
  });

  it.each([
    ['blobs', 5, 5, MAX_BLOB_DATA_SIZE - 1],
    ['blobs', 6, 6, MAX_BLOB_DATA_SIZE - 1],
    ['blobs', 7, 6, MAX_BLOB_DATA_SIZE - 1],
    ['calldata', 7, 7, 499],
  ] as const)('in %s with %i frames have %i frames of %i bytes', (daType, frames, targetNumFrames, maxFrameSize) => {
    const settings = { ...SETTINGS, daType, targetNumFrames: frames };
    expect(channelConfigAt(rollup, headAt(0), blocks[1]!, settings, 500)).toMatchObject({
      targetNumFrames,
      maxFrameSize,
    });
  });
});

describe('id of a channel', () => {
  const first = { blockHash: hashOf('first block') } as unknown as ExecutionPayload;

  it('is 16 bytes of a hash over the head of L1, the first block and the place', () => {
    const text = `${hashOf('L1 head')} ${hashOf('first block')} 3`;
    const expected = createHash('sha256').update(text).digest().subarray(0, 16);
    expect(channelId(headAt(0), first, 3)).toEqual(expected);
    expect(channelId(headAt(50), first, 3)).toEqual(expected);
  });

  it('is another for each head, first block and place', () => {
    const other = { blockHash: hashOf('other block') } as unknown as ExecutionPayload;
    const ids = [
      channelId(headAt(0), first, 3),
      channelId(headAt(0), first, 4),
      channelId(headAt(0), other, 3),
      channelId({ ...headAt(0), hash: hashOf('other head') }, first, 3),
    ];
    expect(new Set(ids.map((id) => Buffer.from(id).toString('hex'))).size).toBe(4);
  });
});
