import { brotliCompressSync, brotliDecompressSync, deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { concat } from '../../../src/protocol/bytes.ts';
import { channelBatches, channelCompression, encodeChannel } from '../../../src/protocol/codec/channel.ts';
import { rlpEncode } from '../../../src/protocol/codec/rlp.ts';

const compress = {
  zlib: (bytes: Uint8Array) => deflateSync(bytes),
  brotli: (bytes: Uint8Array) => brotliCompressSync(bytes),
};
const decompress = {
  zlib: (channel: Uint8Array) => inflateSync(channel),
  brotli: (channel: Uint8Array) => brotliDecompressSync(channel.subarray(1)),
};
const batches = [Uint8Array.of(0), new Uint8Array(300).fill(7), Uint8Array.of(1, 2, 3)];

describe('channel', () => {
  test.each(['zlib', 'brotli'] as const)('holds batches compressed by %s', (compression) => {
    const channel = encodeChannel(batches, compression, compress);
    expect(channelCompression(channel)).toBe(compression);
    const read = [...channelBatches(decompress[compression](channel))];
    expect(read.map((batch) => Uint8Array.from(batch))).toEqual(batches);
  });

  test.each([
    [0x78, 'zlib'],
    [0x08, 'zlib'],
    [0x0f, 'zlib'],
    [0x01, 'brotli'],
  ])('that begins with the byte %i is compressed by %s', (first, compression) => {
    expect(channelCompression(Uint8Array.of(first, 2))).toBe(compression);
  });

  test.each([
    ['no bytes', []],
    ['the version of brotli in its upper half', [0x10]],
    ['a first byte of neither', [2]],
    ['a zlib header of another method', [0x77]],
  ])('names no compression with %s', (_, bytes) => {
    expect(channelCompression(Uint8Array.from(bytes))).toBeNull();
  });

  test('that was truncated yields the batches before the cut, then an error', () => {
    const reading = channelBatches(concat(...batches.map(rlpEncode)).subarray(0, 100));
    expect(reading.next().value).toEqual(batches[0]);
    expect(() => reading.next()).toThrow(
      expect.objectContaining({
        code: 'channel-malformed',
        handling: 'drop',
        data: { compression: 'none' },
        message: expect.stringContaining('past the end'),
      }),
    );
  });

  test('yields no batch after an item that is a list', () => {
    const reading = channelBatches(concat(rlpEncode(Uint8Array.of(9)), rlpEncode([])));
    expect(reading.next().value).toEqual(Uint8Array.of(9));
    expect(() => reading.next()).toThrow(
      expect.objectContaining({
        data: { compression: 'none' },
        message: expect.stringContaining('at byte 1, found a list'),
      }),
    );
  });
});
