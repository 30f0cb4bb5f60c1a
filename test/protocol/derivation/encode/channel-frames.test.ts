import { describe, expect, test } from 'vitest';
import type { Frame } from '../../../../src/protocol/codec/frame.ts';
import { ChannelFrames } from '../../../../src/protocol/derivation/encode/channel-frames.ts';
import type { BatcherInput } from '../../../../src/protocol/derivation/stages/blob-calldata-source.ts';
import type { ForkName } from '../../../../src/protocol/forks/index.ts';
import { l1Header } from '../scripted/l1.ts';
import { GENESIS_TIME, hashOf, testRollup } from '../scripted/rollup.ts';

const [A, B] = [`0x${'0a'.repeat(16)}`, `0x${'0b'.repeat(16)}`] as const;
const block = (number: number) => l1Header(number, GENESIS_TIME + 6 * (number - 100));
const input = (name: string, blob?: string): BatcherInput => ({
  transaction: hashOf(name),
  data: new Uint8Array(),
  ...(blob === undefined ? {} : { blob: hashOf(blob) }),
});
/** `0:x` is frame 0 with the byte of x, `1!y` the closing frame 1. */
function frame(text: string, channelId: Frame['channelId'] = A): Frame {
  const [, number, mark, letter] = /^(\d)([:!])(.)$/.exec(text)!;
  return { channelId, number: Number(number), isLast: mark === '!', data: bytes(letter!) };
}
const bytes = (text: string) => new TextEncoder().encode(text);

function framesOf(fork: ForkName, ...frames: readonly Frame[]) {
  const tracked = new ChannelFrames(testRollup(fork));
  for (const each of frames) tracked.add(each, block(100), input('t'));
  return tracked;
}

describe('frames of a channel', () => {
  test('have their places, in the order of their numbers', () => {
    const tracked = new ChannelFrames(testRollup('granite'));
    tracked.add(frame('1!y'), block(101), input('second', 'blob'));
    tracked.add(frame('0:x'), block(100), input('first'));
    const place = ({ number, hash, timestamp } = block(100)) => ({ number, hash, timestamp });
    expect(tracked.take(bytes('xy'))).toStrictEqual({
      id: A,
      bytes: 2,
      compression: 'zlib',
      frames: [
        { number: 0, bytes: 1, l1Block: place(), transaction: hashOf('first') },
        { number: 1, bytes: 1, l1Block: place(block(101)), transaction: hashOf('second'), blob: hashOf('blob') },
      ],
    });
  });

  test.each<[string, ForkName, string[], string, string[]]>([
    ['the first of a number, in any order', 'granite', ['0:x', '0:z', '1!y'], 'xy', ['zy']],
    ['the last first frame, in strict order', 'holocene', ['0:x', '0:z', '1!y'], 'zy', ['xy']],
    ['none past the closing one', 'granite', ['2:z', '0:x', '1!y'], 'xy', ['xyz']],
    ['other frames anew in strict order alone', 'holocene', ['1:a', '0:x', '1!y'], 'xy', ['xa']],
  ])('count: %s', (_, fork, frames, whole, others) => {
    for (const other of others)
      expect(() => framesOf(fork, ...frames.map((text) => frame(text))).take(bytes(other))).toThrow('no frames');
    const { frames: places } = framesOf(fork, ...frames.map((text) => frame(text))).take(bytes(whole));
    expect(places.map(({ number }) => number)).toEqual([0, 1]);
  });

  test.each([
    ['has no closing frame', ['0:x', '1:y'], 'xy'],
    ['lacks a frame', ['0:x', '2!y'], 'xy'],
    ['has other bytes', ['0:x', '1!z'], 'xy'],
  ])('are not those of a channel that %s', (_, frames, whole) => {
    const own = frames.map((text) => frame(text));
    expect(() => framesOf('granite', ...own).take(bytes(whole))).toThrow('no frames for a channel of 2 bytes');
    const both = framesOf('granite', ...own, frame('0:x', B), frame('1!y', B));
    expect(both.take(bytes(whole)).id).toBe(B);
  });

  test('are taken once', () => {
    const tracked = framesOf('granite', frame('0!x'));
    tracked.take(bytes('x'));
    expect(() => tracked.take(bytes('x'))).toThrow('no frames');
  });

  test.each<[ForkName, number, boolean]>([
    ['canyon', 106, true],
    ['canyon', 107, false],
    ['granite', 150, true],
    ['granite', 151, false],
  ])('are dropped a channel timeout after the first of them (%s, L1 block %i): kept %s', (fork, number, isKept) => {
    const tracked = framesOf(fork, frame('0:x'));
    tracked.add(frame('1!y'), block(105), input('late'));
    tracked.prune(block(number));
    if (isKept) expect(tracked.take(bytes('xy')).id).toBe(A);
    else expect(() => tracked.take(bytes('xy'))).toThrow('no frames');
  });
});
