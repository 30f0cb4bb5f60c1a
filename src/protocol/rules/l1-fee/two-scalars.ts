import { calldataGas } from '../../execution/data-gas.ts';
import { L1_BLOCK_SLOTS } from '../../execution/predeploys.ts';
import { quantity } from '../../hex.ts';
import type { L1FeeModel, L1FeeParameters } from '../rules.ts';
import { overheadScalarL1Fee } from './overhead-scalar.ts';

/** Values that the ecotone and later models read from L1Block. */
export interface ScaledFees {
  /** 16 · baseFee · baseFeeScalar + blobBaseFee · blobBaseFeeScalar, wei · 10^6 · 16 per byte. */
  readonly weighted: bigint;
  readonly receiptFields: L1FeeParameters['receiptFields'];
}

/** L1 fee model of ecotone (op-geth: `newL1CostFuncEcotone`, op-core: `L1CostEcotone`; specification: L1-Cost fees). */
export const twoScalarsL1Fee: L1FeeModel = withScaledFees(({ weighted, receiptFields }) => ({
  cost(transaction) {
    const gasUsed = BigInt(calldataGas(transaction));
    return { fee: (gasUsed * weighted) / 16_000_000n, gasUsed };
  },
  receiptFields,
}));

/**
 * Makes a fee model over the two scalars (op-geth: `NewL1CostFunc`, `ExtractEcotoneFeeParams`).
 * While L1Block holds neither, the old model applies: the block that activates ecotone has L1 attributes of the old
 * version, whichever later fork activates with it.
 */
export function withScaledFees(model: (fees: ScaledFees) => L1FeeParameters): L1FeeModel {
  return {
    read(storage) {
      const word = storage(L1_BLOCK_SLOTS.sequenceNumberAndScalars);
      const blobBaseFeeScalar = (word >> 64n) & 0xffffffffn;
      const baseFeeScalar = (word >> 96n) & 0xffffffffn;
      const blobBaseFee = storage(L1_BLOCK_SLOTS.blobBaseFee);
      if (blobBaseFee === 0n && blobBaseFeeScalar === 0n && baseFeeScalar === 0n)
        return overheadScalarL1Fee.read(storage);
      const baseFee = storage(L1_BLOCK_SLOTS.baseFee);
      return model({
        weighted: 16n * baseFee * baseFeeScalar + blobBaseFee * blobBaseFeeScalar,
        receiptFields: {
          l1GasPrice: quantity(baseFee),
          l1BlobBaseFee: quantity(blobBaseFee),
          l1BaseFeeScalar: quantity(baseFeeScalar),
          l1BlobBaseFeeScalar: quantity(blobBaseFeeScalar),
        },
      });
    },
  };
}
