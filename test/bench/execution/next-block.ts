import { BlockExecutor } from '../../../src/nodes/execution/block/executor.ts';
import type { Chain } from '../../../src/nodes/execution/chain/chain.ts';
import { PREDEPLOYS } from '../../../src/protocol/execution/predeploys.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { l1Info } from '../../nodes/execution/support/driver.ts';
import { GAS_LIMIT, GENESIS_TIME } from '../../nodes/execution/support/genesis.ts';

/** Begins the next block of a chain of one block a second, and runs its L1 attributes. Their default has no data. */
export async function nextBlock(chain: Chain, attributesOf: (number: number) => Hex = l1Info): Promise<BlockExecutor> {
  const { hash, header } = chain.head;
  const number = header.number + 1;
  const timestamp = BigInt(GENESIS_TIME + number);
  const executor = await BlockExecutor.open(chain.parentContextOf(hash, header, timestamp), {
    parentHash: hash,
    number,
    timestamp,
    feeRecipient: PREDEPLOYS.sequencerFeeVault,
    prevRandao: hash,
    gasLimit: BigInt(GAS_LIMIT),
    baseFee: chain.baseFeeAfter(header, timestamp),
    extraData: header.extraData,
    parentBeaconBlockRoot: hash,
  });
  await executor.run(hexToBytes(attributesOf(number)));
  return executor;
}
