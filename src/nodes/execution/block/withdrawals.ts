import type { Withdrawal } from '../../../protocol/types.ts';
import { addressOf, type BlockEvm, credit } from '../evm/evm-factory.ts';
import { inTransaction } from './transition.ts';

const WEI_PER_GWEI = 1_000_000_000n;

/** Credits the withdrawals of a block, after its transactions (EIP-4895; geth: `Beacon.Finalize`). */
export async function creditWithdrawals(vm: BlockEvm, list: readonly Withdrawal[]): Promise<void> {
  if (list.length === 0) return;
  await inTransaction(vm, async () => {
    for (const { address, amount } of list) await credit(vm, addressOf(address), amount * WEI_PER_GWEI);
  });
}
