import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeBatcherTransaction, type Frame } from '../../../../src/protocol/codec/frame.ts';
import { createFrameQueue, pruneFrames } from '../../../../src/protocol/derivation/stages/frame-queue.ts';
import { below, drain } from '../scripted/below.ts';
import { l1Header } from '../scripted/l1.ts';
import { GENESIS_TIME, testRollup } from '../scripted/rollup.ts';

/** `a0` is frame 0 of channel a, `a1!` its last frame 1. */
function frames(text: string): Frame[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ({
      channelId: `0x${word.charCodeAt(0).toString(16).repeat(16)}`,
      number: Number.parseInt(word.slice(1), 10),
      data: Uint8Array.of(1, 2, 3),
      isLast: word.endsWith('!'),
    }));
}
const textOf = (list: readonly Frame[]) =>
  list
    .map(({ channelId, number, isLast }) => {
      const letter = String.fromCharCode(Number.parseInt(channelId.slice(2, 4), 16));
      return `${letter}${number}${isLast ? '!' : ''}`;
    })
    .join(' ');

describe('frame pruning (holocene)', () => {
  test.each([
    ['one', 'a2', 'a2'],
    ['one last', 'a2!', 'a2!'],
    ['second single channel', 'a2! b0!', 'a2! b0!'],
    ['second channel with frames', 'a2! b0 b1 b2!', 'a2! b0 b1 b2!'],
    ['closed, then more of the same channel', 'a2! a3', 'a2!'],
    ['closed, then non-first frame of another channel', 'a2! b5', 'a2!'],
    ['unclosed, then non-first frame of another channel', 'a2 b5', 'a2'],
    ['unclosed, then the next number of another channel', 'a0 b1', 'a0'],
    ['first frame of a closed channel again', 'a0 a1! a0 b0!', 'a0 a1! b0!'],
    ['first frame of a channel closed at once', 'a0! a0 b0!', 'a0! b0!'],
    ['first frames behind a closed channel of several', 'a0 a1! b0 b1 c0', 'a0 a1! c0'],
    ['non-consecutive', 'a0 a2 a3', 'a0'],
    ['a gap and what would fill it', 'a0 a2 a1', 'a0 a1'],
    ['duplicate', 'a0 a0 a1!', 'a0 a1!'],
    ['first frame of an unclosed channel discards it', 'a0 a1 b0 b1!', 'b0 b1!'],
    ['first frame discards only the unclosed channel', 'a0! b0 b1 c0', 'a0! c0'],
    ['several unclosed channels', 'a0 b0 c0 d0 d1!', 'd0 d1!'],
    ['restart of the same channel is a duplicate', 'a0 a1 a0 a2!', 'a0 a1 a2!'],
    ['restart of a finished channel behind an unclosed one is a duplicate', 'a0! b0 a0 a1!', 'a0!'],
    ['none', '', ''],
  ])('%s', (_, input, expected) => {
    expect(textOf(pruneFrames(frames(input)))).toBe(expected);
  });
});

test('frame pruning leaves only frames that are in order and contiguous per channel', () => {
  const frame = fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 3 }), fc.boolean())
    .map(([channel, number, isLast]) => `${channel}${number}${isLast ? '!' : ''}`);
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 12 }), (words) => {
      const input = frames(words.join(' '));
      const queue = pruneFrames(input);
      expect(input.filter((one) => queue.includes(one))).toEqual(queue);
      for (const [at, { channelId, number }] of queue.entries()) {
        const previous = queue[at - 1];
        if (previous === undefined) continue;
        const isNext = previous.channelId === channelId && !previous.isLast && number === previous.number + 1;
        const isFirst = number === 0 && previous.isLast && previous.channelId !== channelId;
        expect(isNext || isFirst, textOf(queue)).toBe(true);
      }
    }),
  );
});

describe('frame queue', () => {
  const rollup = testRollup('granite', { at: { holocene: 60 } });
  const queue = (time: number, ...data: Uint8Array[]) => {
    const provider = below<Uint8Array>(l1Header(100, GENESIS_TIME + time), ...data);
    return createFrameQueue(rollup, { origin: provider.origin, nextData: provider.next });
  };
  const read = async (time: number, ...data: Uint8Array[]) => {
    const stage = queue(time, ...data);
    return textOf(await drain(() => stage.nextFrame()));
  };
  const outOfOrder = encodeBatcherTransaction(frames('a1 a0'));

  test('passes on every frame before holocene', async () => {
    expect(await read(0, outOfOrder)).toBe('a1 a0');
  });

  test('prunes by the time of the L1 block', async () => {
    expect(await read(59, outOfOrder)).toBe('a1 a0');
    expect(await read(60, outOfOrder)).toBe('a1');
  });

  test('drops data that is not whole frames and continues', async () => {
    const good = encodeBatcherTransaction(frames('b0!'));
    const truncated = good.subarray(0, good.length - 1);
    const trailing = Uint8Array.from([...good, 7]);
    expect(await read(0, new Uint8Array(0), Uint8Array.of(1), truncated, trailing, good)).toBe('b0!');
  });

  test('drops its frames at a reset', async () => {
    const stage = queue(0, encodeBatcherTransaction(frames('a0 a1')));
    await stage.nextFrame();
    expect(stage.origin()).toMatchObject({ number: 100 });
    stage.reset();
    expect(await stage.nextFrame()).toBe('eof');
  });
});
