import { describe, expect, test } from 'vitest';
import { concat } from '../../../../src/protocol/bytes.ts';
import { encodeChannel } from '../../../../src/protocol/codec/channel.ts';
import { encodeSingularBatch } from '../../../../src/protocol/codec/singular-batch.ts';
import { encodeRawSpanBatch, rawSpanBatchOf } from '../../../../src/protocol/codec/span/batch.ts';
import type { Decompressors, Rollup } from '../../../../src/protocol/derivation/ports.ts';
import { createChannelReader } from '../../../../src/protocol/derivation/stages/channel-reader.ts';
import { below, drain } from '../scripted/below.ts';
import { compress, decompress } from '../scripted/compression.ts';
import { l1Header } from '../scripted/l1.ts';
import { GENESIS_TIME, hashOf, testRollup } from '../scripted/rollup.ts';
import { userTransaction } from '../scripted/transactions.ts';

const batch = (timestamp: number) => ({
  parentHash: hashOf('parent'),
  epochNum: 100,
  epochHash: hashOf('epoch'),
  timestamp: GENESIS_TIME + timestamp,
  transactions: [userTransaction(timestamp)],
});
const singular = [2, 4, 6].map((time) => encodeSingularBatch(batch(time)));
const span = encodeRawSpanBatch(
  rawSpanBatchOf([batch(2), batch(4)], true, { genesisTime: GENESIS_TIME, blockTime: 2, chainId: 901 }),
);
/** The span batch with its first transaction's type, 2, made 3, of which span batches have no form. */
const blobSpan = Uint8Array.from(span);
blobSpan[span.findIndex((byte, at) => byte === 2 && (span[at + 1]! >= 0xc0 || span[at + 1] === 0xf8))] = 3;

function reader(rollup: Rollup, channels: Uint8Array[], ports: Decompressors = decompress) {
  const provider = below<Uint8Array>(l1Header(100, GENESIS_TIME), ...channels);
  let flushed = 0;
  const stage = createChannelReader(
    rollup,
    { decompress: ports },
    { origin: provider.origin, nextChannel: provider.next, flush: () => flushed++ },
  );
  return { stage, flushed: () => flushed, read: () => drain(() => stage.nextBatch()) };
}
const timesOf = (batches: Awaited<ReturnType<ReturnType<typeof reader>['read']>>) =>
  batches.map(
    (read) => (read.kind === 'singular' ? read.batch.timestamp : read.batch.blocks[0]!.timestamp) - GENESIS_TIME,
  );
const channelOf = (batches: Uint8Array[], compression: 'zlib' | 'brotli' = 'zlib') =>
  encodeChannel(batches, compression, compress);

describe('channel reader', () => {
  test.each([
    ['zlib channel', 'bedrock', channelOf(singular), [2, 4, 6]],
    ['brotli channel', 'fjord', channelOf(singular, 'brotli'), [2, 4, 6]],
    ['brotli channel before fjord', 'ecotone', channelOf(singular, 'brotli'), []],
    ['span batch', 'delta', channelOf([span]), [2]],
    ['span batch before delta, and what follows it', 'canyon', channelOf([span, singular[1]!]), [4]],
    [
      'batch of unknown version, and the rest of its channel',
      'granite',
      channelOf([singular[0]!, Uint8Array.of(9, 1), singular[1]!]),
      [2],
    ],
    ['batch of broken layout', 'granite', channelOf([singular[0]!, Uint8Array.of(0, 0xc0), singular[1]!]), [2]],
    ['empty batch', 'granite', channelOf([singular[0]!, new Uint8Array(0), singular[1]!]), [2]],
    ['span batch cut off', 'granite', channelOf([span.subarray(0, span.length - 1), singular[1]!]), []],
    ['span batch with a transaction of unknown type is dropped alone', 'granite', channelOf([blobSpan, span]), [2]],
    ['empty channel', 'granite', new Uint8Array(0), []],
    ['unknown compression', 'granite', Uint8Array.of(0x02, 1, 2, 3), []],
    ['garbage after a plausible first byte', 'granite', Uint8Array.of(0x78, 1, 2, 3), []],
    [
      'bytes that are no RLP string',
      'granite',
      compress.zlib(concat(Uint8Array.of(0x82, 0, 9), Uint8Array.of(0xc1, 1))),
      [],
    ],
    ['data after the stream', 'granite', concat(channelOf(singular), Uint8Array.of(1, 2, 3)), [2, 4, 6]],
  ] as const)('%s', async (_, fork, channel, times) => {
    const next = channelOf([encodeSingularBatch(batch(60))]);
    const { read } = reader(testRollup(fork), [channel, next]);
    expect(timesOf(await read())).toEqual([...times, 60]);
  });

  test('returns the first batch with the pull that brings its channel, and more at its end', async () => {
    const { stage } = reader(testRollup('delta'), [channelOf([singular[0]!, span])]);
    expect(await stage.nextBatch()).toEqual({ kind: 'singular', batch: batch(2) });
    expect(await stage.nextBatch()).toMatchObject({ kind: 'span', batch: { blocks: [{}, {}] } });
    expect(await stage.nextBatch()).toBe('more');
    expect(await stage.nextBatch()).toBe('eof');
  });

  test('drops the rest of its channel at a reset, and leaves the stage below alone', async () => {
    const { stage, read, flushed } = reader(testRollup('holocene'), [channelOf(singular), channelOf([singular[2]!])]);
    await stage.nextBatch();
    expect(stage.origin()).toMatchObject({ number: 100 });
    stage.reset();
    expect(flushed()).toBe(0);
    expect(timesOf(await read())).toEqual([6]);
  });

  test('truncates a channel to the size that the rules allow and reads its whole batches', async () => {
    const rollup = testRollup('granite');
    const rules = rollup.rulesAt(GENESIS_TIME);
    const plainOfTwo = singular[0]!.length + singular[1]!.length + 8;
    const small = {
      ...rollup,
      rulesAt: () => ({ ...rules, channels: { ...rules.channels, maxRlpBytes: plainOfTwo } }),
    };
    expect(timesOf(await reader(small, [channelOf(singular)]).read())).toEqual([2, 4]);
  });

  test('reads the batches before the end of a truncated stream', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => encodeSingularBatch(batch(2 * index)));
    const whole = channelOf(many);
    const times = timesOf(await reader(testRollup('granite'), [whole.subarray(0, whole.length - 500)]).read());
    expect(times.length).toBeGreaterThan(0);
    expect(times.length).toBeLessThan(many.length);
    expect(times).toEqual(many.slice(0, times.length).map((_, index) => 2 * index));
  });

  test('drops a channel whose decompressor refuses it', async () => {
    const refusing = { zlib: () => Promise.reject(new Error('broken')), brotli: decompress.brotli };
    const { read } = reader(testRollup('fjord'), [channelOf(singular), channelOf(singular, 'brotli')], refusing);
    expect(timesOf(await read())).toEqual([2, 4, 6]);
  });

  test('drops the rest of its channel on a flush, and flushes the stage below', async () => {
    const { stage, read, flushed } = reader(testRollup('holocene'), [channelOf(singular), channelOf([singular[2]!])]);
    await stage.nextBatch();
    stage.flush();
    expect(flushed()).toBe(1);
    expect(timesOf(await read())).toEqual([6]);
  });
});
