import type { Withdrawal } from '../../../protocol/types.ts';
import { addressOf, credit, type Machine } from '../evm/machine.ts';
import { inTransaction } from './transition.ts';

const WEI_PER_GWEI = 1_000_000_000n;

/** Credits the withdrawals of a block, after its transactions (EIP-4895). */
export async function creditWithdrawals(machine: Machine, list: readonly Withdrawal[]): Promise<void> {
  if (list.length === 0) return;
  await inTransaction(machine, async () => {
    for (const { address, amount } of list) await credit(machine, addressOf(address), amount * WEI_PER_GWEI);
  });
}
