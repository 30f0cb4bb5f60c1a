import { describe, expect, test } from 'vitest';
import { encodeBatcherTransaction } from '../../../../src/protocol/codec/frame.ts';
import { FORKS, type ForkName } from '../../../../src/protocol/forks/index.ts';
import type { L1Transaction } from '../../../../src/protocol/types.ts';
import { type BatchOptions, createNetwork, derive, framesOf, inCalldata, type Network } from '../scripted/network.ts';
import { type TestRollupOptions, testRollup } from '../scripted/rollup.ts';
import { depositLog, receiptsOf, userTransaction } from '../scripted/transactions.ts';

const USER = `0x${'aa'.repeat(20)}` as const;
const OTHER = `0x${'bb'.repeat(20)}` as const;

/** Runs a network for some L1 blocks; the blocks built at each are batched into the next. */
async function run(network: Network, l1Blocks: number, options: BatchOptions & { blobs?: boolean } = {}) {
  const { blobs = false, ...batch } = options;
  let pending: L1Transaction[] = [];
  for (let slot = 0; slot < l1Blocks; slot++) {
    const receipts = slot % 3 === 0 ? receiptsOf(depositLog(USER, OTHER, BigInt(slot + 1), '0x1234')) : [];
    const blocks = await network.advance({ transactions: pending, receipts }, (number) =>
      number % 4 === 3 ? [] : [userTransaction(number), userTransaction(number + 1000)],
    );
    const frames = framesOf(network.rollup, blocks, { ...batch, id: slot + 1 });
    pending = blobs
      ? [network.l1.blobTransaction(frames.map((frame) => encodeBatcherTransaction([frame])))]
      : inCalldata(frames);
  }
  network.l1.mine({ transactions: pending });
  network.l1.mine();
}

async function expectSameChain(network: Network) {
  const derived = await derive(network);
  expect(derived.outcome.kind).toBe('eof');
  expect(derived.safe).toEqual(network.sequencer.head());
  expect(derived.engine.chain()).toEqual(network.sequencer.chain());
}

describe('the derived chain equals the one that was built', () => {
  const forks = FORKS.filter(({ optional }) => !optional).map(({ name }) => name);
  const order = (fork: ForkName) => forks.indexOf(fork);

  test.each(forks)('%s, singular batches in calldata, zlib', async (fork) => {
    const network = createNetwork(testRollup(fork));
    await run(network, 8);
    expect(network.sequencer.head().number).toBe(24);
    await expectSameChain(network);
  });

  test.each(forks.filter((fork) => order(fork) >= order('delta')))('%s, span batches', async (fork) => {
    const network = createNetwork(testRollup(fork));
    await run(network, 8, { batchType: 'span' });
    await expectSameChain(network);
  });

  test.each(forks.filter((fork) => order(fork) >= order('fjord')))(
    '%s, span batches in blobs, brotli',
    async (fork) => {
      const network = createNetwork(testRollup(fork));
      await run(network, 8, { batchType: 'span', compression: 'brotli', blobs: true });
      await expectSameChain(network);
    },
  );

  test.each(['bedrock', 'granite', 'jovian'] as const)('%s, channels of many small frames', async (fork) => {
    const network = createNetwork(testRollup(fork));
    await run(network, 6, { maxFrameSize: 60 });
    await expectSameChain(network);
  });

  test.each<[string, ForkName, TestRollupOptions['at'], BatchOptions]>([
    ['canyon', 'regolith', { canyon: 17 }, {}],
    ['ecotone', 'delta', { ecotone: 17 }, { batchType: 'span' }],
    ['fjord', 'ecotone', { fjord: 16 }, { batchType: 'span' }],
    ['holocene', 'granite', { holocene: 18 }, { batchType: 'span' }],
    ['holocene, singular batches', 'granite', { holocene: 19 }, {}],
    ['isthmus', 'holocene', { isthmus: 20 }, { batchType: 'span' }],
    ['jovian', 'isthmus', { jovian: 20 }, { batchType: 'span' }],
    ['karst', 'jovian', { karst: 21 }, {}],
    [
      'one fork after another',
      'bedrock',
      {
        regolith: 6,
        canyon: 10,
        delta: 14,
        ecotone: 18,
        fjord: 22,
        granite: 26,
        holocene: 30,
        isthmus: 34,
        jovian: 38,
        karst: 42,
      },
      {},
    ],
    ['several forks in one block', 'canyon', { delta: 20, ecotone: 20, fjord: 20, granite: 20, holocene: 20 }, {}],
  ])('across the activation of %s', async (_, base, at, options) => {
    const network = createNetwork(testRollup(base, { at: at! }));
    await run(network, 10, options);
    await expectSameChain(network);
  });
});
