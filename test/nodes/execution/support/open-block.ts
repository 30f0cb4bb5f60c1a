import { BlockExecutor } from '../../../../src/nodes/execution/block/executor.ts';
import type { StateReader } from '../../../../src/nodes/execution/state/reader.ts';
import { PREDEPLOYS } from '../../../../src/protocol/execution/predeploys.ts';
import { type ForkName, rulesAt } from '../../../../src/protocol/forks/index.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { CHAIN_ID, GAS_LIMIT, GENESIS_TIME, upTo } from './genesis.ts';

const ZERO: Hex = `0x${'00'.repeat(32)}`;

/** Opens block 1 on a state, under the rules of a fork. `baseFee` in wei. */
export function openBlock(
  fork: ForkName,
  parentState: StateReader,
  { gasLimit = GAS_LIMIT, baseFee = 1n }: { readonly gasLimit?: number; readonly baseFee?: bigint } = {},
): Promise<BlockExecutor> {
  return BlockExecutor.open(
    {
      chainId: CHAIN_ID,
      rules: rulesAt(upTo(fork), GENESIS_TIME),
      parentState,
      forcedCode: [],
      blockHash: () => undefined,
    },
    {
      parentHash: ZERO,
      number: 1,
      timestamp: BigInt(GENESIS_TIME),
      feeRecipient: PREDEPLOYS.sequencerFeeVault,
      prevRandao: ZERO,
      gasLimit: BigInt(gasLimit),
      baseFee,
      extraData: '0x',
      parentBeaconBlockRoot: ZERO,
    },
  );
}
