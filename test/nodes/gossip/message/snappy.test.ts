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

  it('skips chunks that the format says may be skipped', () => {
    const data = new Uint8Array(10).fill(1);
    const frames = compressFrames(data);
    const padded = Uint8Array.from([...frames, 0xfe, 3, 0, 0, 1, 2, 3]);
    expect(decompressFrames(padded, 100)).toEqual(data);
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
