import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32c } from '../../../src/nodes/gossip/crc32c.ts';
import { compressBlock, compressFrames, decompressBlock, decompressFrames } from '../../../src/nodes/gossip/snappy.ts';

const anything = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .tuple(fc.nat(255), fc.integer({ min: 60_000, max: 200_000 }))
    .map(([byte, length]) => new Uint8Array(length).fill(byte)),
);

describe('snappy', () => {
  it('gives back what was compressed, as block and as frames', () => {
    fc.assert(
      fc.property(anything, (data) => {
        expect(decompressBlock(compressBlock(data), 1 << 20)).toEqual(data);
        expect(decompressFrames(compressFrames(data), 1 << 20)).toEqual(data);
      }),
      { numRuns: 60 },
    );
  });

  it('has the checksum of the test vectors of CRC-32C', () => {
    expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283);
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  });

  it('refuses a block that announces more than allowed', () => {
    expect(decompressBlock(compressBlock(new Uint8Array(1000)), 999)).toBeUndefined();
    expect(decompressFrames(compressFrames(new Uint8Array(100_000)), 99_999)).toBeUndefined();
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
});
