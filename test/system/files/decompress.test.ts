import { brotliCompressSync, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decompressors } from '../../../src/system/files/decompress.ts';

const data = fc
  .tuple(fc.uint8Array({ maxLength: 200 }), fc.nat(5000))
  .map(([head, zeros]) => Uint8Array.from([...head, ...new Uint8Array(zeros)]));

describe.each([
  ['zlib', decompressors.zlib, (bytes: Uint8Array) => deflateSync(bytes)],
  ['brotli', decompressors.brotli, (bytes: Uint8Array) => brotliCompressSync(bytes)],
] as const)('decompression of %s', (_, decompress, compress) => {
  it('returns the original data, truncated at the limit', async () => {
    await fc.assert(
      fc.asyncProperty(data, fc.nat(6000), async (bytes, limit) => {
        expect(Buffer.from(await decompress(compress(bytes), limit))).toEqual(Buffer.from(bytes.subarray(0, limit)));
      }),
      { numRuns: 60 },
    );
  });

  it('returns a prefix of the original data when the stream is damaged', async () => {
    await fc.assert(
      fc.asyncProperty(data, fc.nat(), async (bytes, at) => {
        const compressed = compress(bytes);
        const cut = compressed.subarray(0, at % compressed.length);
        const got = Buffer.from(await decompress(cut, 10_000));
        expect(Buffer.from(bytes.subarray(0, got.length))).toEqual(got);
      }),
      { numRuns: 60 },
    );
  });

  it('ignores what follows the stream', async () => {
    const bytes = Uint8Array.from([1, 2, 3, 4, 5]);
    const padded = Buffer.concat([compress(bytes), Buffer.from('rest')]);
    expect(Buffer.from(await decompress(padded, 100))).toEqual(Buffer.from(bytes));
  });

  it('returns nothing for random bytes', async () => {
    expect(await decompress(Uint8Array.from([0xff, 0xff, 0xff, 0xff]), 100)).toHaveLength(0);
    expect(await decompress(new Uint8Array(0), 100)).toHaveLength(0);
  });

  it('does not grow past the limit for a bomb', async () => {
    const bomb = compress(new Uint8Array(50_000_000));
    expect(await decompress(bomb, 1000)).toHaveLength(1000);
  });
});
