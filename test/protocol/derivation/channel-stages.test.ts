import { describe, expect, test } from 'vitest';
import type { Frame } from '../../../src/protocol/codec/frame.ts';
import type { Rollup } from '../../../src/protocol/derivation/ports.ts';
import { createChannelAssembler } from '../../../src/protocol/derivation/stages/channel-assembler.ts';
import { createChannelBank } from '../../../src/protocol/derivation/stages/channel-bank.ts';
import { createChannelProvider } from '../../../src/protocol/derivation/stages/channel-provider.ts';
import { below, drain, settle } from './scripted/below.ts';
import { l1Header } from './scripted/l1.ts';
import { GENESIS_TIME, testRollup } from './scripted/rollup.ts';

/** `a0:foo` is frame 0 of channel a with data "foo", `a1!bar` its last one. */
function frame(text: string): Frame {
  const [, letter, number, mark, data] = /^([a-z])(\d+)([:!])(.*)$/.exec(text)!;
  return {
    channelId: `0x${letter!.charCodeAt(0).toString(16).repeat(16)}`,
    number: Number(number),
    isLast: mark === '!',
    data: new TextEncoder().encode(data),
  };
}
const frames = (...texts: string[]) => texts.map(frame);
const text = (data: Uint8Array) => new TextDecoder().decode(data);
const at = (number: number, after = 0) => l1Header(number, GENESIS_TIME + after);

function stageOn(create: typeof createChannelBank, rollup: Rollup, ...input: Frame[]) {
  const provider = below<Frame>(at(100), ...input);
  const stage = create(rollup, { origin: provider.origin, nextFrame: provider.next });
  const read = async () => (await drain(() => stage.nextChannel())).map(text);
  return { provider, stage, read };
}

describe('channel bank', () => {
  const rollup = testRollup('canyon');

  test.each([
    ['simple', ['a0:first', 'a1:second', 'a2!third'], ['firstsecondthird']],
    ['interleaved before canyon order', ['b0:b', 'a1:y', 'a0:x', 'b1!c', 'a2!z'], ['bc', 'xyz']],
    ['duplicate frames', ['a0:x', 'a0:other', 'a1!y', 'a1!other'], ['xy']],
    ['frames past the closing one', ['a0:x', 'a1!y', 'a2:z', 'b0!b'], ['xy', 'b']],
    ['frames past a closing one that comes later', ['a2:z', 'a0:x', 'a1!y'], ['xy']],
    ['a second closing frame', ['a0:x', 'a2!z', 'a1!y', 'a1:y'], ['xyz']],
    ['missing frame', ['a0:x', 'a2!z'], []],
  ])('%s', async (_, input, channels) => {
    const { read } = stageOn(createChannelBank, rollup, ...frames(...input));
    expect(await read()).toEqual(channels);
  });

  test('reads only the first opened channel before canyon', async () => {
    const input = ['a0:x', 'b0!b'];
    expect(await stageOn(createChannelBank, testRollup('regolith'), ...frames(...input)).read()).toEqual([]);
    expect(await stageOn(createChannelBank, rollup, ...frames(...input)).read()).toEqual(['b']);
    expect(await stageOn(createChannelBank, testRollup('regolith'), ...frames(...input, 'a1!y')).read()).toEqual([
      'xy',
      'b',
    ]);
  });

  test('drops a channel opened more than a channel timeout ago', async () => {
    for (const [later, channels] of [
      [106, ['xy']],
      [107, []],
    ] as const) {
      const { provider, stage, read } = stageOn(createChannelBank, rollup, frame('a0:x'));
      expect(await settle(() => stage.nextChannel())).toBe('eof');
      provider.at(at(later));
      provider.add(frame('a1!y'));
      expect(await read()).toEqual(channels);
    }
  });

  test('reuses the id of a timed-out channel for a new one', async () => {
    const { provider, stage, read } = stageOn(createChannelBank, rollup, frame('a0:x'));
    await settle(() => stage.nextChannel());
    provider.at(at(107));
    provider.add(...frames('a0:new', 'a1!y'));
    expect(await read()).toEqual(['newy']);
  });

  test('drops the oldest channels over its size limit', async () => {
    const rules = rollup.rulesAt(GENESIS_TIME);
    // Two frames of one byte, each with an overhead of 200, are as much as it may hold.
    const small = { ...rollup, rulesAt: () => ({ ...rules, channels: { ...rules.channels, maxBankBytes: 402 } }) };
    const { read } = stageOn(createChannelBank, small, ...frames('a0:x', 'b0:y', 'c0!z', 'b1!', 'a1!'));
    expect(await read()).toEqual(['z', 'y']);
  });

  test('counts only the closing frame of a channel that it truncates, as other implementations do', async () => {
    const rules = rollup.rulesAt(GENESIS_TIME);
    const small = { ...rollup, rulesAt: () => ({ ...rules, channels: { ...rules.channels, maxBankBytes: 850 } }) };
    const { read } = stageOn(createChannelBank, small, ...frames('a0:x', 'a3:w', 'a2!z', 'b0:b', 'c0:c', 'a1:y'));
    expect(await read()).toEqual(['xyz']);
  });
});

describe('channel assembler', () => {
  const rollup = testRollup('holocene');

  test.each([
    ['simple', ['a0:first', 'a1:second', 'a2!third'], ['firstsecondthird']],
    ['one after another', ['a0:x', 'a1!y', 'b0!b'], ['xy', 'b']],
    ['a first frame replaces an unfinished channel', ['a0:x', 'b0:b', 'b1!c', 'a1!y'], ['bc']],
    ['a first frame restarts its own channel', ['a0:x', 'a0:new', 'a1!y'], ['newy']],
    ['non-first frame without channel', ['a1:y', 'a2!z', 'b0!b'], ['b']],
    ['out of order', ['a0:x', 'a2:z', 'a1!y'], ['xy']],
    ['closing frame before another', ['a0:x', 'a2!z', 'a1:y'], []],
    ['frame of another channel', ['a0:x', 'b1:b', 'a1!y'], ['xy']],
    ['after the closing frame', ['a0!x', 'a1:y'], ['x']],
  ])('%s', async (_, input, channels) => {
    const { read } = stageOn(createChannelAssembler, rollup, ...frames(...input));
    expect(await read()).toEqual(channels);
  });

  test('drops a channel that is over the limit of an uncompressed one', async () => {
    const rules = rollup.rulesAt(GENESIS_TIME);
    const small = { ...rollup, rulesAt: () => ({ ...rules, channels: { ...rules.channels, maxRlpBytes: 410 } }) };
    const { read } = stageOn(createChannelAssembler, small, ...frames('a0:123456', 'a1!12345', 'b0:12345', 'b1!67890'));
    expect(await read()).toEqual(['1234567890']);
  });

  test('drops a channel opened more than 50 L1 blocks ago', async () => {
    for (const [later, channels] of [
      [150, ['xy']],
      [151, []],
    ] as const) {
      const { provider, stage, read } = stageOn(createChannelAssembler, rollup, frame('a0:x'));
      await settle(() => stage.nextChannel());
      provider.at(at(later));
      provider.add(frame('a1!y'));
      expect(await read()).toEqual(channels);
    }
  });

  test('forgets its channel when flushed', async () => {
    const { provider, stage, read } = stageOn(createChannelAssembler, rollup, frame('a0:x'));
    await settle(() => stage.nextChannel());
    stage.flush();
    provider.add(frame('a1!y'));
    expect(await read()).toEqual([]);
  });
});

describe('channel provider', () => {
  test('flushes the stage in force, and has none after a reset', async () => {
    const provider = below<Frame>(at(100));
    const stage = createChannelProvider(testRollup('holocene'), { origin: provider.origin, nextFrame: provider.next });
    for (const forget of [() => stage.flush(), () => stage.reset()]) {
      provider.add(frame('a0:x'));
      await settle(() => stage.nextChannel());
      forget();
      provider.add(...frames('a1!y', 'b0!b'));
      expect((await drain(() => stage.nextChannel())).map(text)).toEqual(['b']);
    }
    expect(stage.origin()).toBe(provider.origin());
  });

  test('swaps the stage with the origin, both ways, and discards what was buffered', async () => {
    const rollup = testRollup('granite', { at: { holocene: 60 } });
    const provider = below<Frame>(at(100, 54));
    const stage = createChannelProvider(rollup, { origin: provider.origin, nextFrame: provider.next });
    const read = async () => (await drain(() => stage.nextChannel())).map(text);

    provider.add(...frames('a1:y', 'a0:x'));
    expect(await read()).toEqual([]);
    provider.at(at(101, 60));
    provider.add(...frames('a2!z', 'b1:c', 'b0:b', 'b1!c'));
    expect(await read()).toEqual(['bc']);
    provider.add(frame('c0:c'));
    expect(await read()).toEqual([]);
    provider.at(at(101, 59));
    provider.add(...frames('c1!d', 'd1!e', 'd0:d'));
    expect(await read()).toEqual(['de']);
  });
});
