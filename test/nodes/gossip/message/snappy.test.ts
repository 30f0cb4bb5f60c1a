import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32c } from '../../../../src/nodes/gossip/message/crc32c.ts';
import { compressBlock, compressFrames, decompressFrames } from '../../../../src/nodes/gossip/message/snappy.ts';
import { decodeBlock } from '../../../../src/nodes/gossip/message/snappy-block.ts';

const anything = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .tuple(fc.nat(255), fc.integer({ min: 60_000, max: 200_000 }))
    .map(([byte, length]) => new Uint8Array(length).fill(byte)),
);

/** Whether bytes are the same. The matcher takes long for many of them. */
const isSame = (one: Uint8Array | undefined, other: Uint8Array) =>
  one !== undefined && Buffer.compare(one, other) === 0;

/** Identifier at the start of a framed stream (framing format, section 4.1). */
const START = [0xff, 6, 0, 0, ...Buffer.from('sNaPpY')];

describe('snappy', () => {
  it('round-trips data, as block and as frames', () => {
    fc.assert(
      fc.property(anything, (data) => {
        expect(isSame(decodeBlock(compressBlock(data), 1 << 20), data)).toBe(true);
        expect(isSame(decompressFrames(compressFrames(data), 1 << 20), data)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('has the checksum of the test vectors of CRC-32C', () => {
    expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283);
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  });

  it('refuses a block that announces more than allowed', () => {
    expect(decodeBlock(compressBlock(new Uint8Array(1000)), 999)).toBeUndefined();
    expect(decompressFrames(compressFrames(new Uint8Array(100_000)), 99_999)).toBeUndefined();
  });

  it.each([
    ['a literal', [3, 0x08, 1, 2, 3], [1, 2, 3]],
    ['a literal whose length takes two bytes', [2, 0xf4, 1, 0, 7, 8], [7, 8]],
    ['a copy that overlaps itself', [6, 0x00, 9, 0x05, 1], [9, 9, 9, 9, 9, 9]],
    ['a copy of two bytes of distance', [4, 0x04, 1, 2, 0x06, 2, 0], [1, 2, 1, 2]],
    ['a copy of four bytes of distance', [4, 0x04, 1, 2, 0x07, 2, 0, 0, 0], [1, 2, 1, 2]],
    ['nothing', [0], []],
  ])('reads %s', (_, block, data) => {
    expect([...(decodeBlock(Uint8Array.from(block), 100) ?? ['broken'])]).toEqual(data);
  });

  it.each([
    ['no length', []],
    ['a length without end', [0xff, 0xff]],
    ['a length of more than 32 bits', [0xff, 0xff, 0xff, 0xff, 0x1f]],
    ['less than it claims', [4, 0x08, 1, 2, 3]],
    ['more than it claims', [2, 0x08, 1, 2, 3]],
    ['a literal beyond its end', [9, 0x20, 1, 2]],
    ['a literal of almost 4 GiB, which other decoders take for a negative one', [9, 0xfc, 0xf0, 0xff, 0xff, 0xff, 1]],
    ['a copy from before its start', [5, 0x00, 9, 0x05, 2]],
    ['a copy of distance 0', [5, 0x00, 9, 0x05, 0]],
    ['a cut copy', [5, 0x00, 9, 0x06, 1]],
  ])('refuses %s', (_, block) => {
    expect(decodeBlock(Uint8Array.from(block), 1000)).toBeUndefined();
  });

  it('terminates on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 700 }), (bytes) => {
        const data = decodeBlock(bytes, 1 << 20);
        if (data) expect(data.length).toBeLessThanOrEqual(1 << 20);
      }),
      { numRuns: 3000 },
    );
  });

  it('refuses frames with one changed byte, or a part of them', () => {
    const data = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7) % 251);
    const frames = compressFrames(data);
    fc.assert(
      fc.property(fc.nat(frames.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const broken = frames.slice();
        broken[at]! ^= change;
        expect(decompressFrames(broken, 1 << 20)).not.toEqual(data);
        if (at > 10) expect(decompressFrames(frames.subarray(0, at), 1 << 20)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['padding', [0xfe, 3, 0, 0, 1, 2, 3], true],
    ['padding without a byte', [0xfe, 0, 0, 0], true],
    ['padding that is cut', [0xfe, 3, 0, 0, 1, 2], false],
    ['a header that is cut', [0xfe, 0, 0], false],
    ['the first type that may be skipped', [0x80, 1, 0, 0, 1], true],
    ['the last type that may not be skipped', [0x7f, 1, 0, 0, 1], false],
    ['the first type that may not be skipped', [0x02, 1, 0, 0, 1], false],
    ['a chunk without a byte but its checksum', [0x01, 4, 0, 0, 0xd8, 0xea, 0x82, 0xa2], true],
    ['a chunk without a checksum', [0x01, 0, 0, 0], false],
    ['a chunk with a part of a checksum', [0x01, 3, 0, 0, 0xd8, 0xea, 0x82], false],
  ])('reads %s after its data as section 4 of the framing format says: %j is whole: %s', (_, chunk, isWhole) => {
    const data = new Uint8Array(10).fill(1);
    const stream = Uint8Array.from([...compressFrames(data), ...chunk]);
    expect(decompressFrames(stream, 100)).toEqual(isWhole ? data : undefined);
  });

  it('writes chunks of 65,536 bytes, and no empty one', () => {
    const sizesOf = (stream: Uint8Array) => {
      const view = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength);
      const sizes: number[] = [];
      for (let at = START.length; at < view.length; at += 4 + view.readUIntLE(at + 1, 3)) {
        const body = view.subarray(at + 8, at + 4 + view.readUIntLE(at + 1, 3));
        sizes.push(decodeBlock(body, 1 << 20)!.length);
      }
      return sizes;
    };
    const streamOf = (size: number) => compressFrames(new Uint8Array(size));
    expect([0, 1, 65_536, 65_537].map((size) => sizesOf(streamOf(size)))).toEqual([[], [1], [65_536], [65_536, 1]]);
  });

  it('reads as many bytes as allowed', () => {
    const frames = compressFrames(new Uint8Array(100_000));
    expect(decompressFrames(frames, 100_000)).toHaveLength(100_000);
    expect(decompressFrames(frames, 99_999)).toBeUndefined();
  });

  it('reads chunks that are not compressed, of at most 65,536 bytes', () => {
    const streamOf = (size: number) => {
      const chunk = new Uint8Array(size).fill(1);
      const checksum = crc32c(chunk);
      const head = Buffer.alloc(8, 0x01);
      head.writeUIntLE(size + 4, 1, 3);
      // Masked as section 3 of the framing format says.
      head.writeUInt32LE((((checksum >>> 15) | (checksum << 17)) + 0xa282ead8) >>> 0, 4);
      return Uint8Array.from([...START, ...head, ...chunk]);
    };
    expect(decompressFrames(streamOf(65_536), 1 << 20)).toEqual(new Uint8Array(65_536).fill(1));
    expect(decompressFrames(streamOf(65_537), 1 << 20)).toBeUndefined();
  });

  it('reads a stream identifier again in the middle, and refuses one with other bytes', () => {
    const data = new Uint8Array(10).fill(1);
    const twice = Uint8Array.from([...compressFrames(data), ...compressFrames(data)]);
    expect(decompressFrames(twice, 100)).toEqual(new Uint8Array(20).fill(1));
    const [start, ...rest] = START;
    expect(decompressFrames(Uint8Array.from([...twice, start!, ...rest.with(-1, 0)]), 100)).toBeUndefined();
    expect(decompressFrames(Uint8Array.from([...twice, 0xff, 0, 0, 0]), 100)).toBeUndefined();
    expect(
      decompressFrames(Uint8Array.from([...twice, 0xff, 7, 0, 0, ...Buffer.from('sNaPpY!')]), 100),
    ).toBeUndefined();
  });
});
