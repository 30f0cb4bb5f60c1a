import { describe, expect, test } from 'vitest';
import { encodeBlob } from '../../../../src/protocol/codec/blob.ts';
import { encodeChannel } from '../../../../src/protocol/codec/channel.ts';
import type { Frame } from '../../../../src/protocol/codec/frame.ts';
import { encodeSingularBatch } from '../../../../src/protocol/codec/singular-batch.ts';
import { encodeRawSpanBatch, rawSpanBatchOf } from '../../../../src/protocol/codec/span/batch.ts';
import type { Decompressors, Rollup } from '../../../../src/protocol/derivation/ports.ts';
import { readBatcherData } from '../../../../src/protocol/derivation/stages/blob-calldata-source.ts';
import { createChannelAssembler } from '../../../../src/protocol/derivation/stages/channel-assembler.ts';
import { createChannelBank } from '../../../../src/protocol/derivation/stages/channel-bank.ts';
import { createChannelReader } from '../../../../src/protocol/derivation/stages/channel-reader.ts';
import { createFrameQueue } from '../../../../src/protocol/derivation/stages/frame-queue.ts';
import { CHAIN, singular, span } from '../scripted/batches.ts';
import { below, drain } from '../scripted/below.ts';
import { compress, decompress } from '../scripted/compression.ts';
import { calldataTransaction, l1Header } from '../scripted/l1.ts';
import { scriptedLog } from '../scripted/log.ts';
import { BATCHER, GENESIS_TIME, hashOf, testRollup } from '../scripted/rollup.ts';

const ORIGIN = l1Header(100, GENESIS_TIME);
const ID = `0x${'61'.repeat(16)}` as const;
const OTHER = `0x${'62'.repeat(16)}` as const;
const frame = (number: number, fields: Partial<Frame> = {}): Frame => ({
  channelId: ID,
  number,
  isLast: false,
  data: Uint8Array.of(1, 2),
  ...fields,
});
/** A rollup whose limits on channels are all this number of bytes. */
function limited(rollup: Rollup, bytes: number): Rollup {
  const rules = rollup.rulesAt(GENESIS_TIME);
  return {
    ...rollup,
    rulesAt: () => ({ ...rules, channels: { ...rules.channels, maxBankBytes: bytes, maxRlpBytes: bytes } }),
  };
}

describe('what a stage drops is logged', () => {
  test.each<[string, typeof createChannelBank, Rollup, Frame[], unknown[]]>([
    [
      'channel bank: frame that its channel cannot take',
      createChannelBank,
      testRollup('canyon'),
      [frame(1), frame(1)],
      [['warn', { channel: ID, frame: 1 }]],
    ],
    [
      'channel bank: oldest channel over the limit',
      createChannelBank,
      limited(testRollup('canyon'), 300),
      [frame(0), frame(0, { channelId: OTHER })],
      [['warn', { channel: ID, size: 202 }]],
    ],
    [
      'channel assembler: frame without its channel',
      createChannelAssembler,
      testRollup('holocene'),
      [frame(0), frame(3, { channelId: OTHER })],
      [['warn', { channel: OTHER, frame: 3 }]],
    ],
    [
      'channel assembler: channel over the limit',
      createChannelAssembler,
      limited(testRollup('holocene'), 300),
      [frame(0), frame(1)],
      [['warn', { channel: ID, size: 404 }]],
    ],
  ])('by the %s', async (_, create, rollup, frames, expected) => {
    const { log, lines } = scriptedLog();
    const { origin, next } = below<Frame>(ORIGIN, ...frames);
    const stage = create(rollup, { origin, nextFrame: next }, log);
    expect(await drain(() => stage.nextChannel())).toEqual([]);
    expect(lines).toEqual(expected);
  });

  test.each([
    ['bank', createChannelBank, 'canyon', 107],
    ['assembler', createChannelAssembler, 'holocene', 151],
  ] as const)('by the channel %s: a channel that timed out', async (_, create, fork, later) => {
    const { log, lines } = scriptedLog();
    const script = below<Frame>(ORIGIN, frame(0));
    const stage = create(testRollup(fork), { origin: script.origin, nextFrame: script.next }, log);
    await drain(() => stage.nextChannel());
    script.at(l1Header(later, GENESIS_TIME));
    expect(await drain(() => stage.nextChannel())).toEqual([]);
    expect(lines).toEqual([['info', { channel: ID, openBlock: 100 }]]);
  });

  const refusing: Decompressors = { ...decompress, zlib: () => Promise.reject(new Error('broken')) };
  const channelOf = (...batches: Uint8Array[]) => encodeChannel(batches, 'zlib', compress);
  const raw = encodeRawSpanBatch(rawSpanBatchOf([singular()], true, CHAIN));
  /** The type of the transaction, 2, made 3, of which span batches have no form. */
  const blobSpan = Uint8Array.from(raw);
  blobSpan[raw.findIndex((byte, at) => byte === 2 && raw[at + 1]! >= 0xc0)] = 3;
  const reason = expect.stringMatching(/Error: ./);
  test.each([
    ['of no known compression', 'fjord', Uint8Array.of(2, 1), decompress, { compression: 'unknown' }],
    ['in brotli before fjord', 'ecotone', Uint8Array.of(1, 1), decompress, { compression: 'brotli' }],
    ['that is refused', 'fjord', channelOf(raw), refusing, { compression: 'zlib', reason: 'Error: broken' }],
    ['of an unknown batch version', 'fjord', channelOf(Uint8Array.of(9)), decompress, { reason }],
    ['with a span batch before delta', 'canyon', channelOf(raw), decompress, undefined],
    ['with a span batch of an unknown type', 'fjord', channelOf(blobSpan), decompress, { reason }],
  ] as const)('by the channel reader: a channel %s', async (_, fork, channel, ports, data) => {
    const { log, lines } = scriptedLog();
    const { origin, next } = below<Uint8Array>(ORIGIN, channel);
    const reader = createChannelReader(
      testRollup(fork),
      { decompress: ports, log },
      { origin, nextChannel: next, flush: () => {} },
    );
    expect(await drain(() => reader.nextBatch())).toEqual([]);
    expect(lines).toEqual([['warn', data]]);
  });

  test('by the channel reader: nothing of a whole channel', async () => {
    const { log, lines } = scriptedLog();
    const { origin, next } = below<Uint8Array>(ORIGIN, channelOf(encodeSingularBatch(singular()), raw));
    const reader = createChannelReader(
      testRollup('fjord'),
      { decompress, log },
      { origin, nextChannel: next, flush: () => {} },
    );
    expect(await drain(() => reader.nextBatch())).toEqual([
      { kind: 'singular', batch: singular() },
      { kind: 'span', batch: span([{}], true) },
    ]);
    expect(lines).toEqual([]);
  });

  test('by the frame queue: batcher data that is not whole frames', async () => {
    const { log, lines } = scriptedLog();
    const { origin, next } = below<Uint8Array>(ORIGIN, Uint8Array.of(0, 1, 2));
    const queue = createFrameQueue(testRollup('holocene'), { origin, nextData: next }, log);
    expect(await drain(() => queue.nextFrame())).toEqual([]);
    expect(lines).toEqual([['warn', { bytes: 3, reason }]]);
  });

  test('by the data source: a blob that does not follow the encoding', async () => {
    const { log, lines } = scriptedLog();
    const broken = encodeBlob(Uint8Array.of(1));
    broken[1] = 7;
    const [first, second] = [hashOf('first blob'), hashOf('second blob')];
    const transaction = calldataTransaction(Uint8Array.of(9), { type: 3, blobVersionedHashes: [first, second] });
    const l1 = {
      transactions: async () => [transaction],
      blobs: async () => [broken, encodeBlob(Uint8Array.of(2))],
    };
    expect(await readBatcherData(testRollup('ecotone'), { l1, log }, ORIGIN, BATCHER)).toEqual([
      { transaction: transaction.hash, blob: second, data: Uint8Array.of(2) },
    ]);
    expect(lines).toEqual([['warn', { hash: first, reason }]]);
  });
});
