import { estimatedSizeScaled } from '../../execution/data-gas.ts';
import type { L1FeeModel } from '../rules.ts';
import { withScaledFees } from './two-scalars.ts';

/**
 * L1 fee model of fjord, by the estimated compressed size (op-geth: `NewL1CostFuncFjord`, op-core: `L1CostFjord`).
 * Specification: L1-Cost fees, fjord.
 */
export const compressedSizeL1Fee: L1FeeModel = withScaledFees(({ weighted, receiptFields }) => ({
  cost(transaction) {
    const size = BigInt(estimatedSizeScaled(transaction));
    return { fee: (size * weighted) / 1_000_000_000_000n, gasUsed: (size * 16n) / 1_000_000n };
  },
  receiptFields,
}));
