import { BlockExecutor } from '../../../../src/nodes/execution/block/executor.ts';
import type { StateReader } from '../../../../src/nodes/execution/state/reader.ts';
import { PREDEPLOYS } from '../../../../src/protocol/execution/predeploys.ts';
import { ethereumRulesAt } from '../../../../src/protocol/forks/ethereum.ts';
import { type ForkName, rulesAt } from '../../../../src/protocol/forks/index.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { type Alloc, CHAIN_ID, GAS_LIMIT, GENESIS_TIME, upTo } from './genesis.ts';
import { stateOf } from './memory-state.ts';

const ZERO: Hex = `0x${'00'.repeat(32)}`;
const ZERO_ADDRESS: Hex = `0x${'00'.repeat(20)}`;

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

const ETHEREUM_FORKS = ['shanghai', 'cancun', 'prague', 'osaka'] as const;
export type EthereumFork = (typeof ETHEREUM_FORKS)[number];

/** Opens block 1 of plain Ethereum on the state of an alloc, without a beacon root. */
export function openEthereumBlock(
  alloc: Alloc,
  fork: EthereumFork = 'prague',
  excessBlobGas = 0n,
): Promise<BlockExecutor> {
  const active = ETHEREUM_FORKS.slice(0, ETHEREUM_FORKS.indexOf(fork) + 1);
  return BlockExecutor.open(
    {
      chainId: CHAIN_ID,
      rules: ethereumRulesAt(Object.fromEntries(active.map((name) => [name, 0])), BigInt(GENESIS_TIME)),
      parentState: stateOf(alloc).reader,
      forcedCode: [],
      blockHash: () => undefined,
    },
    {
      parentHash: ZERO,
      number: 1,
      timestamp: BigInt(GENESIS_TIME),
      feeRecipient: ZERO_ADDRESS,
      prevRandao: ZERO,
      gasLimit: BigInt(GAS_LIMIT),
      baseFee: 1n,
      extraData: '0x',
      excessBlobGas,
    },
  );
}
