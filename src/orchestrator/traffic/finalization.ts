import { type Hex, parseAbi } from 'viem';
import { getBlock, simulateContract } from 'viem/actions';
import type { Wallet } from './transaction.ts';

/** The transaction of a withdrawal, as the portal takes it. */
export const WITHDRAWAL_TRANSACTION =
  '(uint256 nonce, address sender, address target, uint256 value, uint256 gasLimit, bytes data)';
const PORTAL = parseAbi([
  `function finalizeWithdrawalTransaction(${WITHDRAWAL_TRANSACTION} tx)`,
  'error InvalidDisputeGame()',
]);

/** What a withdrawal calls on L1. */
export interface WithdrawalTransaction {
  readonly nonce: bigint;
  readonly sender: Hex;
  readonly target: Hex;
  /** wei */
  readonly value: bigint;
  readonly gasLimit: bigint;
  readonly data: Hex;
}

/**
 * Tries to finalize a withdrawal at the time of L1's newest block, without a transaction. Without that time anvil
 * takes the machine's, and equal runs would finalize in different blocks.
 * @throws if L1 would refuse it
 */
export async function tryFinalize(onL1: Wallet, portal: Hex, withdrawal: WithdrawalTransaction): Promise<void> {
  const { timestamp: time } = await getBlock(onL1);
  await simulateContract(onL1, {
    ...{ address: portal, abi: PORTAL, functionName: 'finalizeWithdrawalTransaction', args: [withdrawal] },
    blockOverrides: { time },
  });
}
