import { BlockExecutor } from '../../../src/nodes/execution/block/executor.ts';
import type { Chain } from '../../../src/nodes/execution/chain/chain.ts';
import { PREDEPLOYS } from '../../../src/protocol/execution/predeploys.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import { l1Info } from '../../nodes/execution/support/driver.ts';
import { GAS_LIMIT, GENESIS_TIME } from '../../nodes/execution/support/genesis.ts';

/** Begins the next block of a chain of one block a second, and runs its L1 attributes. */
export async function nextBlock(chain: Chain): Promise<BlockExecutor> {
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
  await executor.run(hexToBytes(l1Info(number)));
  return executor;
}
