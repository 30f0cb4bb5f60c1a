import { describe, expect, test } from 'vitest';
import type { Frame } from '../../../../src/protocol/codec/frame.ts';
import { createChannel, isTimedOut } from '../../../../src/protocol/derivation/stages/channel.ts';
import { below } from '../scripted/below.ts';
import { l1Header } from '../scripted/l1.ts';
import { GENESIS_TIME, testRollup } from '../scripted/rollup.ts';

const ID = `0x${'61'.repeat(16)}` as const;
const frame = (number: number, isLast = false, bytes = 1): Frame => ({
  channelId: ID,
  number,
  isLast,
  data: new Uint8Array(bytes).fill(number),
});

describe('channel', () => {
  /** Each frame with the answer of the channel that holds those before it. */
  test.each<[string, boolean, [Frame, boolean][]]>([
    [
      'any order',
      false,
      [
        [frame(2), true],
        [frame(0), true],
        [frame(1), true],
      ],
    ],
    ['another channel', false, [[{ ...frame(0), channelId: `0x${'62'.repeat(16)}` }, false]]],
    [
      'a number twice',
      false,
      [
        [frame(1), true],
        [{ ...frame(1), isLast: true }, false],
      ],
    ],
    [
      'a second closing frame',
      false,
      [
        [frame(2, true), true],
        [frame(1, true), false],
        [frame(3, true), false],
      ],
    ],
    [
      'numbers past the closing one',
      false,
      [
        [frame(2, true), true],
        [frame(3), false],
        [frame(1), true],
      ],
    ],
    [
      'the next number, in order',
      true,
      [
        [frame(0), true],
        [frame(1), true],
        [frame(2, true), true],
      ],
    ],
    [
      'another number, in order',
      true,
      [
        [frame(1), false],
        [frame(0), true],
        [frame(2), false],
        [frame(1), true],
      ],
    ],
  ])('takes or refuses frames: %s', (_, inOrder, steps) => {
    const channel = createChannel(ID, 100, inOrder);
    expect(steps.map(([next]) => channel.addFrame(next))).toEqual(steps.map(([, answer]) => answer));
  });

  test('is ready with all frames up to the closing one, whose data it joins', () => {
    const channel = createChannel(ID, 100, false);
    const states = [frame(2, true), frame(0, false, 2), frame(1)].map((next) => {
      channel.addFrame(next);
      return channel.isReady();
    });
    expect(states).toEqual([false, false, true]);
    expect(channel.data()).toEqual(Uint8Array.of(0, 0, 1, 2));
    expect(channel).toMatchObject({ id: ID, openBlock: 100 });
  });

  test('counts data and 200 bytes for each frame, and after a truncation the closing frame alone', () => {
    const channel = createChannel(ID, 100, false);
    const sizes = [frame(0, false, 5), frame(0), frame(3, false, 9), frame(2, true, 7), frame(1)].map((next) => {
      channel.addFrame(next);
      return channel.size();
    });
    expect(sizes).toEqual([205, 205, 414, 207, 408]);
    expect(channel.isReady()).toBe(true);
  });

  test.each([
    ['canyon', 106, false],
    ['canyon', 107, true],
    ['granite', 150, false],
    ['granite', 151, true],
  ] as const)('opened in L1 block 100 by the rules of %s is timed out in block %i: %s', (fork, number, expected) => {
    const stage = below(l1Header(number, GENESIS_TIME));
    expect(isTimedOut(testRollup(fork), createChannel(ID, 100, false), stage)).toBe(expected);
  });
});
