import { describe, expect, it } from 'vitest';
import type { BatcherValues } from '../../../../src/nodes/batcher/service.ts';
import { SINGULAR_BATCH_TYPE } from '../../../../src/protocol/codec/singular-batch.ts';
import { SPAN_BATCH_TYPE } from '../../../../src/protocol/codec/span/batch.ts';
import { BatcherHarness, noise } from '../harness.ts';

/** Returns the submissions of two batchers that differ in one option. */
async function posted<Seen>(
  grow: (harness: BatcherHarness) => Promise<void>,
  variants: readonly Partial<BatcherValues>[],
  see: (harness: BatcherHarness) => Promise<Seen>,
): Promise<Seen[]> {
  return Promise.all(
    variants.map(async (values) => {
      const harness = await BatcherHarness.start();
      try {
        await grow(harness);
        await harness.batcher(values);
        await harness.posted();
        expect(await harness.derived()).toEqual(harness.hashes);
        return await see(harness);
      } finally {
        await harness.close();
      }
    }),
  );
}

const zeros = () => new Uint8Array(400);

describe('two batchers that differ in one option', () => {
  it('--batch-type: singular or span batches', async () => {
    const types = await posted(
      (harness) => harness.grow(2),
      [{ batchType: '0' }, { batchType: '1' }],
      async (harness) => (await harness.channels()).flatMap(({ batches }) => batches.map(([type]) => type)),
    );
    expect(types).toEqual([Array(6).fill(SINGULAR_BATCH_TYPE), [SPAN_BATCH_TYPE]]);
  });

  it('--max-blocks-per-span-batch: one span batch or several in a channel', async () => {
    const counts = await posted(
      (harness) => harness.grow(3),
      [0, 4, 1].map((maxBlocksPerSpanBatch) => ({ batchType: '1', maxBlocksPerSpanBatch })),
      async (harness) => (await harness.channels()).map(({ batches }) => batches.length),
    );
    expect(counts).toEqual([[1], [3], [9]]);
  });

  it('--compression-algo: the format of channels, and its effort', async () => {
    const channels = await posted(
      (harness) => harness.grow(2, 0, noise),
      (['zlib', 'brotli', 'brotli-9', 'brotli-10', 'brotli-11'] as const).map((compression) => ({ compression })),
      async (harness) => (await harness.channels()).map(({ compressed }) => compressed),
    );
    const [zlib, brotli, ...levels] = channels.map((compressed) => Buffer.concat(compressed));
    expect(zlib![0]! & 0x0f).toBe(8);
    expect([brotli, ...levels].map((channel) => channel![0])).toEqual([1, 1, 1, 1]);
    expect(brotli).toEqual(levels[1]);
    expect(new Set(levels.map((channel) => channel.toString('hex'))).size).toBeGreaterThan(1);
  });

  it('--compressor: a channel is full by its compressed size, by an estimate of it, or by its raw size', async () => {
    const counts = await posted(
      (harness) => harness.grow(3, 0, zeros),
      (['shadow', 'ratio', 'none'] as const).map((compressor) => ({ compressor, maxTxSize: 1000 })),
      async (harness) => (await harness.channels()).map(({ batches }) => batches.length),
    );
    const [shadow, ratio, none] = counts.map(([first]) => first!);
    expect(shadow).toBeGreaterThan(ratio!);
    expect(ratio).toBeGreaterThan(none!);
  });

  it('--approx-compr-ratio: how much goes into a channel', async () => {
    const counts = await posted(
      (harness) => harness.grow(3, 0, zeros),
      [0.1, 1].map((approxRatio) => ({ compressor: 'ratio', approxRatio, maxTxSize: 1000 })),
      async (harness) => (await harness.channels()).length,
    );
    expect(counts[1]).toBeGreaterThan(counts[0]!);
  });

  it('--target-num-frames: frames of a channel', async () => {
    const [one, many] = await posted(
      (harness) => harness.grow(3, 0, noise),
      [1, 4].map((targetNumFrames) => ({ targetNumFrames, maxTxSize: 400 })),
      async (harness) => (await harness.frames()).map(({ number }) => number),
    );
    expect(new Set(one)).toEqual(new Set([0]));
    expect(Math.max(...many!)).toBe(3);
  });

  it('--max-l1-tx-size-bytes: bytes of a transaction', async () => {
    const sizes = await posted(
      (harness) => harness.grow(3, 0, noise),
      [300, 600].map((maxTxSize) => ({ targetNumFrames: 100, maxTxSize })),
      async (harness) => Math.max(...(await harness.inbox()).map(({ length }) => length)),
    );
    expect(sizes).toEqual([300, 600]);
  });
});

describe('forks', () => {
  it.each([
    ['canyon', 'delta', { batchType: '1' }],
    ['ecotone', 'fjord', { compression: 'brotli' }],
    ['granite', 'holocene', { batchType: '1', maxTxSize: 300, targetNumFrames: 10 }],
  ] as const)('blocks of %s that are posted after %s are derived', async (base, later, values) => {
    const harness = await BatcherHarness.start(base, { [later]: 24 });
    try {
      await harness.grow(6);
      await harness.batcher(values);
      await harness.posted();
      expect(await harness.derived()).toEqual(harness.hashes);
    } finally {
      await harness.close();
    }
  });
});
