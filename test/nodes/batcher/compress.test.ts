import { brotliDecompressSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type CompressionOption, compressionOf } from '../../../src/nodes/batcher/compress.ts';

/** Text of few words: its compressed sizes differ by the effort. */
const WORDS = ['channel', 'frame', 'batch', 'span', 'epoch', 'origin', 'safe', 'head'];
let seed = 1;
const next = () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed;
};
const DATA = Buffer.from(Array.from({ length: 4000 }, () => WORDS[next() % 8]).join(' '));

describe('the compression of channels', () => {
  it.each<[CompressionOption, 'zlib' | 'brotli']>([
    ['zlib', 'zlib'],
    ['brotli', 'brotli'],
    ['brotli-9', 'brotli'],
    ['brotli-10', 'brotli'],
    ['brotli-11', 'brotli'],
  ])('%s is of the format %s, and its estimate is, too', (choice, format) => {
    const { compression, compress, gauge } = compressionOf(choice);
    expect(compression).toBe(format);
    for (const { zlib, brotli } of [compress, gauge]) {
      expect(inflateSync(zlib(DATA)).equals(DATA)).toBe(true);
      expect(brotliDecompressSync(brotli(DATA)).equals(DATA)).toBe(true);
    }
  });

  it('brotli without a level has level 10, and level 9 compresses less', () => {
    const sizes = (['brotli-9', 'brotli-10', 'brotli-11'] as const).map(
      (choice) => compressionOf(choice).compress.brotli(DATA).length,
    );
    expect(compressionOf('brotli').compress.brotli(DATA).length).toBe(sizes[1]);
    expect(sizes[0]).toBeGreaterThan(sizes[1]!);
    expect(sizes[1]).not.toBe(sizes[2]);
  });

  it('the estimate of brotli is quicker, and not smaller', () => {
    const { compress, gauge } = compressionOf('brotli-11');
    expect(gauge.brotli(DATA).length).toBeGreaterThan(compress.brotli(DATA).length);
    expect(gauge.brotli(DATA)).toEqual(compressionOf('brotli-9').gauge.brotli(DATA));
  });

  it('a channel that is stored is of the format zlib and larger than its data', () => {
    const { compress, gauge } = compressionOf('zlib', true);
    for (const { zlib } of [compress, gauge]) {
      expect(zlib(DATA).length).toBeGreaterThan(DATA.length);
      expect(inflateSync(zlib(DATA)).equals(DATA)).toBe(true);
    }
    expect(compressionOf('zlib').compress.zlib(DATA).length).toBeLessThan(DATA.length / 2);
    expect(compressionOf('zlib').compress.zlib(DATA)[1]).toBe(0xda);
  });
});
