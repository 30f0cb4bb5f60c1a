import { larger } from '../../larger.ts';
import { version1ExtraData } from '../extra-data/version-1.ts';
import type { BaseFeeRules } from '../rules.ts';
import { eip1559BaseFee } from './eip1559.ts';

/**
 * Base fee rules of jovian (op-geth: `CalcBaseFee`, op-reth: `compute_jovian_base_fee`).
 * Gas metered is the larger of gas used and DA footprint. The base fee never falls below the parent's minimum.
 */
export const minimumBaseFee: BaseFeeRules = {
  next(parent, constants) {
    const params = version1ExtraData.decode(parent.extraData) ?? constants;
    const fee = eip1559BaseFee(parent, params, larger(parent.gasUsed, parent.blobGasUsed));
    const least = BigInt(params.minBaseFee);
    return fee < least ? least : fee;
  },
};
