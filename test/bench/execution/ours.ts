import { BlockExecutor } from '../../../src/nodes/execution/block/executor.ts';
import type { ExecutedBlock } from '../../../src/nodes/execution/block/seal.ts';
import type { StateReader } from '../../../src/nodes/execution/state/reader.ts';
import type { Rules } from '../../../src/protocol/rules/rules.ts';
import { CHAIN_ID } from '../../nodes/execution/support/genesis.ts';

const ZERO = `0x${'00'.repeat(32)}` as const;
export const BASE_FEE = 1_000_000_000n;
export const BLOCK_GAS = 1_000_000_000;

/** Opens a block of the bench on a state. */
export function openBlock(rules: Rules, parentState: StateReader, number = 1): Promise<BlockExecutor> {
  return BlockExecutor.open(
    { chainId: CHAIN_ID, rules, parentState, forcedCode: [], blockHash: () => undefined },
    {
      parentHash: ZERO,
      number,
      timestamp: BigInt(1_700_000_000 + number),
      feeRecipient: '0x4200000000000000000000000000000000000011',
      prevRandao: ZERO,
      gasLimit: BigInt(BLOCK_GAS),
      baseFee: BASE_FEE,
      extraData: '0x',
      parentBeaconBlockRoot: ZERO,
    },
  );
}

/** Runs encoded transactions and seals. */
export async function runBlock(
  rules: Rules,
  parentState: StateReader,
  transactions: readonly Uint8Array[],
): Promise<ExecutedBlock> {
  const executor = await openBlock(rules, parentState);
  for (const raw of transactions) await executor.run(raw);
  return executor.seal();
}
