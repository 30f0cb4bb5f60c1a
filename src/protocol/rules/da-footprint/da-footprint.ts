import { estimatedSizeScaled } from '../../execution/data-gas.ts';
import { L1_BLOCK_SLOTS } from '../../execution/predeploys.ts';
import { quantity } from '../../hex.ts';
import type { DaFootprintRules } from '../rules.ts';

/** Before jovian blocks have no data-availability footprint. */
export const noDaFootprint: DaFootprintRules = { read: () => null };

/**
 * DA footprint of jovian: estimated compressed size in whole bytes · daFootprintGasScalar.
 * Counterparts: `CalcDAFootprint`, `EstimatedDASize` (op-geth, op-core). Specification: jovian, DA footprint block
 * limit.
 */
export const compressedSizeDaFootprint: DaFootprintRules = {
  read(storage) {
    const scalar = Number((storage(L1_BLOCK_SLOTS.operatorFee) >> 96n) & 0xffffn);
    return {
      footprint: (transaction) => Math.floor(estimatedSizeScaled(transaction) / 1_000_000) * scalar,
      receiptFields: { daFootprintGasScalar: quantity(scalar) },
    };
  },
};
