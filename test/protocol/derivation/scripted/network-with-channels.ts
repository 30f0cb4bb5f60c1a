import type { Frame } from '../../../../src/protocol/codec/frame.ts';
import type { ForkName } from '../../../../src/protocol/forks/index.ts';
import { createNetwork, derive, framesOf, type Network } from './network.ts';
import { testRollup } from './rollup.ts';
import { userTransaction } from './transactions.ts';

/** The last fork before strict ordering, and the one that brought it. */
export const BOTH: readonly ForkName[] = ['granite', 'holocene'];
/** One transaction to each block. */
export const transactionsOf = (number: number) => [userTransaction(number)];
/** Block hashes of the sequencer's chain. */
export const hashes = (network: Pick<Network, 'sequencer'>) =>
  network.sequencer.chain().map(({ blockHash }) => blockHash);

/** A network of some L1 blocks; the L2 blocks of each are one channel. */
export async function networkWithChannels(fork: ForkName, l1Blocks: number, maxFrameSize = 100_000) {
  const network = createNetwork(testRollup(fork));
  const channels: Frame[][] = [];
  for (let slot = 0; slot < l1Blocks; slot++) {
    const blocks = await network.advance({}, transactionsOf);
    channels.push(
      framesOf(network.rollup, blocks, { id: slot + 1, maxFrameSize, batchType: slot % 2 ? 'span' : 'singular' }),
    );
  }
  return { ...network, channels };
}
/** Block hashes of the chain that a fresh verifier derives. */
export const derivedHashes = async (network: Network) =>
  (await derive(network)).engine.chain().map(({ blockHash }) => blockHash);
