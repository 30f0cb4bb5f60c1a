import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { concatAll } from '../../../src/protocol/bytes.ts';
import {
  decodeBatcherTransaction,
  encodeBatcherTransaction,
  encodeFrame,
  FRAME_OVERHEAD,
  type Frame,
  splitIntoFrames,
} from '../../../src/protocol/codec/frame.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import { hexOfSize } from '../arbitrary.ts';

const frame: fc.Arbitrary<Frame> = fc.record({
  channelId: hexOfSize(16),
  number: fc.nat(65_535),
  data: fc.uint8Array({ maxLength: 300 }),
  isLast: fc.boolean(),
});
const channelId = `0x${'ab'.repeat(16)}` as const;
const whole = encodeBatcherTransaction([{ channelId, number: 1, data: Uint8Array.of(7), isLast: true }]);

describe('batcher transaction', () => {
  test('round trips', () => {
    fc.assert(
      fc.property(fc.array(frame, { minLength: 1, maxLength: 5 }), (frames) => {
        expect(decodeBatcherTransaction(encodeBatcherTransaction(frames))).toEqual(frames);
      }),
    );
  });

  test.each<[string, Uint8Array]>([
    ['no bytes', new Uint8Array(0)],
    ['another version', Uint8Array.of(1, ...whole.subarray(1))],
    ['no frame', Uint8Array.of(0)],
    ['a frame that is cut off', whole.subarray(0, -1)],
    ['bytes after the last frame', concatAll([whole, Uint8Array.of(0)])],
    ['isLast other than 0 or 1', Uint8Array.of(...whole.subarray(0, -1), 2)],
    ['a frame longer than allowed', hexToBytes(`0x00${'ab'.repeat(16)}0000000f4241${'00'.repeat(100)}`)],
  ])('is dropped for %s', (_, data) => {
    expect(() => decodeBatcherTransaction(data)).toThrow(
      expect.objectContaining({ code: 'frame-malformed', handling: 'drop' }),
    );
  });
});

test('a channel is split into numbered frames of at most the given size, the last one marked', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 500 }),
      fc.integer({ min: FRAME_OVERHEAD + 1, max: 200 }),
      (channel, size) => {
        const frames = splitIntoFrames(channelId, channel, size);
        expect(concatAll(frames.map(({ data }) => data))).toEqual(channel);
        expect(frames.map(({ number }) => number)).toEqual(frames.map((_, index) => index));
        expect(frames.map(({ isLast }) => isLast)).toEqual(frames.map((_, index) => index === frames.length - 1));
        for (const each of frames) expect(encodeFrame(each).length).toBeLessThanOrEqual(size);
      },
    ),
  );
  expect(() => splitIntoFrames(channelId, new Uint8Array(1), FRAME_OVERHEAD)).toThrow(/too small for data/);
});

test('a frame of a million bytes is read, and one byte more is not', () => {
  const transaction = (size: number) =>
    encodeBatcherTransaction([{ channelId, number: 0, data: new Uint8Array(size), isLast: true }]);
  expect(decodeBatcherTransaction(transaction(1_000_000))[0]?.data.length).toBe(1_000_000);
  expect(() => decodeBatcherTransaction(transaction(1_000_001))).toThrow(
    expect.objectContaining({ code: 'frame-malformed', data: { offset: 1 } }),
  );
});

test('frames are no longer than a reader takes, and too small a size is refused', () => {
  const frames = splitIntoFrames(channelId, new Uint8Array(1_000_001), 2_000_000);
  expect(frames.map(({ data }) => data.length)).toEqual([1_000_000, 1]);
  expect(() => splitIntoFrames(channelId, new Uint8Array(1), FRAME_OVERHEAD)).toThrow(
    expect.objectContaining({
      code: 'out-of-range',
      handling: 'fatal',
      data: { field: 'maxFrameSize', value: FRAME_OVERHEAD },
    }),
  );
});

test('a malformed batcher transaction is refused at its byte', () => {
  const last = whole.length - 1;
  for (const [data, offset] of [
    [Uint8Array.of(...whole.subarray(0, last), 2), last],
    [Uint8Array.of(...whole, 0), whole.length],
    [whole.subarray(0, last), 1],
    [Uint8Array.of(0), 1],
    [Uint8Array.of(3), 0],
  ] as const)
    expect(() => decodeBatcherTransaction(data)).toThrow(expect.objectContaining({ data: { offset } }));
});
