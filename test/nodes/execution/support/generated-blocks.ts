import fc from 'fast-check';
import type { Hex } from '../../../../src/protocol/types.ts';
import { ACCOUNTS } from './accounts.ts';
import { Driver, l1Info, type Payload } from './driver.ts';
import { CHAIN_ID, GENESIS_TIME, upTo } from './genesis.ts';
import type { TestNode } from './nodes.ts';
import { transaction } from './programs.ts';

/** Forks of the generated blocks. */
export const GENERATED_SCHEDULE = upTo('jovian');

/**
 * Builds blocks of generated transactions on a node. A seed gives the same blocks.
 * Yields each block with its signed transactions.
 */
export async function* generatedBlocks(
  node: TestNode,
  { seed, count, perBlock }: { readonly seed: number; readonly count: number; readonly perBlock: number },
): AsyncGenerator<{ readonly payload: Payload; readonly signed: readonly Hex[] }> {
  const driver = new Driver(node.engine, GENERATED_SCHEDULE);
  const nonces = [0, 0, 0];
  let parent = (await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
  const shapes = fc.sample(transaction, { seed, numRuns: count });
  for (let at = 0; at < shapes.length; at += perBlock) {
    const number = at / perBlock + 1;
    const signed: Hex[] = [];
    for (const { sender, to, ...shape } of shapes.slice(at, at + perBlock))
      signed.push(
        await ACCOUNTS[sender]!.signTransaction({
          ...shape,
          ...(to === undefined ? {} : { to }),
          type: 'eip1559',
          chainId: CHAIN_ID,
          nonce: nonces[sender]!++,
          maxFeePerGas: 10n ** 10n,
          maxPriorityFeePerGas: 1n,
        }),
      );
    const payload = await driver.build(parent, GENESIS_TIME + 2 * number, [l1Info(number), ...signed], {
      fields: { noTxPool: true },
    });
    parent = payload.hash;
    yield { payload, signed };
  }
}
