import { describe, expect, it } from 'vitest';
import { encodeBatcherTransaction } from '../../../../src/protocol/codec/frame.ts';
import { BatchDecoder } from '../../../../src/protocol/derivation/encode/batch-decoder.ts';
import { createChannelOut } from '../../../../src/protocol/derivation/encode/channel-out.ts';
import type { ForkName } from '../../../../src/protocol/forks/index.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { decompressors } from '../../../../src/system/files/decompress.ts';
import { compress } from '../scripted/compression.ts';
import { createNetwork } from '../scripted/network.ts';
import { GENESIS_L1, testRollup } from '../scripted/rollup.ts';
import { userTransaction } from '../scripted/transactions.ts';

const noise = (seed: number) => Uint8Array.from({ length: 300 }, (_, index) => (index * index * 31 + seed * 97) % 256);
const transaction = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;

/** A chain with the frames of one channel over its five blocks. */
async function channelOf(batchType: 'singular' | 'span', fork: ForkName) {
  const network = createNetwork(testRollup(fork));
  for (let slot = 0; slot < 5; slot++) await network.advance({}, (number) => [userTransaction(number, noise(number))]);
  const { rollup } = network;
  const id = new Uint8Array(16).fill(1);
  const out = createChannelOut(rollup, { id, batchType, compression: 'zlib', compress, targetSize: 100_000 });
  const blocks = network.sequencer.chain().slice(1, 6);
  for (const block of blocks) expect(out.addBlock(block)).toBe(true);
  out.close();
  return { network, rollup, frames: out.frames(250), blocks };
}

it('the batch decoder does not take the frames of a timed-out channel for those of a later one', async () => {
  const { network, rollup, frames } = await channelOf('singular', 'granite');
  const decoder = new BatchDecoder(rollup, { decompress: decompressors });
  const base = await network.l1.headerByNumber(GENESIS_L1.number + 1);
  const read = (number: number, ...sent: typeof frames) =>
    decoder.read({ ...base!, number }, [{ transaction: transaction(number), data: encodeBatcherTransaction(sent) }]);
  expect(await read(1, { ...frames[0]!, data: Uint8Array.of(1) })).toEqual([]);
  const batches = await read(52, ...frames);
  expect(batches).toHaveLength(5);
  expect(batches[0]!.channel.frames.map(({ l1Block }) => l1Block.number)).toEqual(frames.map(() => 52));
});

describe.each([
  ['singular', 'granite'],
  ['span', 'granite'],
  ['span', 'holocene'],
] as const)('batches of kind %s after %s', (kind, fork) => {
  it('are decoded with their frames, one in each L1 block', async () => {
    const { network, rollup, frames } = await channelOf(kind, fork);
    expect(frames.length).toBeGreaterThan(2);
    const decoder = new BatchDecoder(rollup, { decompress: decompressors });
    const base = await network.l1.headerByNumber(GENESIS_L1.number + 1);
    const batches = [];
    for (const [index, frame] of frames.entries()) {
      const header = { ...base!, number: 1 + index };
      const input = { transaction: transaction(index), data: encodeBatcherTransaction([frame]) };
      const garbage = { transaction: transaction(99), data: Uint8Array.of(0, 1, 2) };
      const next = await decoder.read(header, [garbage, input]);
      expect(next.length > 0).toBe(index === frames.length - 1);
      batches.push(...next);
    }
    expect(batches.map(({ batch }) => batch.kind)).toEqual(kind === 'span' ? ['span'] : Array(5).fill('singular'));
    expect(batches.map(({ index }) => index)).toEqual(batches.map((_, index) => index));
    const places = batches[0]!.channel.frames.map(({ number, l1Block, transaction: hash }) => [
      number,
      l1Block.number,
      hash,
    ]);
    expect(places).toEqual(frames.map((_, index) => [index, 1 + index, transaction(index)]));
    expect(batches[0]!.channel).toMatchObject({ id: `0x${'01'.repeat(16)}`, compression: 'zlib' });
  });
});
