import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockRefOf } from '../../../../src/protocol/derivation/attributes/block-ref.ts';
import { findPipelineStart } from '../../../../src/protocol/derivation/pipeline/pipeline-start.ts';
import { createNetwork, type Network } from '../scripted/network.ts';
import { GENESIS_L1, L1_BLOCK_TIME, testRollup } from '../scripted/rollup.ts';

const block = ({ rollup, sequencer }: Network, number: number) => blockRefOf(rollup, sequencer.chain()[number]!);

describe('pipeline start', () => {
  const originFor = async (network: Network, safe: number) =>
    (await findPipelineStart(network.rollup, { l1: network.l1, l2: network.sequencer }, block(network, safe))).origin
      .number;

  /** The walk of the specification: Resetting the Pipeline. */
  async function originByWalk(network: Network, safe: number): Promise<number> {
    for (let number = safe; ; number -= 1) {
      const { l1origin } = block(network, number);
      const origin = await network.l1.headerByHash(l1origin.hash);
      const { channels } = network.rollup.rulesAt(origin?.timestamp ?? 0);
      const isOldEnough =
        l1origin.number + channels.timeout(network.rollup.config) <= block(network, safe).l1origin.number;
      if (isOldEnough || number === 0 || l1origin.number === GENESIS_L1.number) return l1origin.number;
    }
  }

  test('is at the highest L2 block that is old enough', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 400 }),
        fc.constantFrom(1, 2, 3, L1_BLOCK_TIME),
        fc.integer({ min: 1, max: 70 }),
        fc.nat(),
        async (timeout, granite, blockTime, l1Blocks, any) => {
          const config = { channel_timeout: timeout, block_time: blockTime };
          const network = createNetwork(testRollup('fjord', { at: { granite }, config }));
          for (let slot = 0; slot < l1Blocks; slot++) await network.advance();
          const safe = any % network.sequencer.chain().length;
          expect(await originFor(network, safe)).toBe(await originByWalk(network, safe));
        },
      ),
      { numRuns: 200 },
    );
  });
});
