import { L1_BLOCK_SLOTS } from '../../execution/predeploys.ts';
import { quantity } from '../../hex.ts';
import type { OperatorFeeModel } from '../rules.ts';

/** Operator fee model of isthmus: gas · scalar / 10^6 + constant (op-core: `OperatorCostIsthmus`). */
export const perMillionOperatorFee: OperatorFeeModel = operatorFee((gas, scalar) => (gas * scalar) / 1_000_000n);

/**
 * Makes an operator fee model from its proportional part (op-geth: `NewOperatorCostFunc`, op-revm:
 * `operator_fee_charge`).
 * The constant part is common to all models. Parameters of zero produce no receipt fields.
 */
export function operatorFee(proportional: (gas: bigint, scalar: bigint) => bigint): OperatorFeeModel {
  return {
    read(storage) {
      const word = storage(L1_BLOCK_SLOTS.operatorFee);
      const constant = word & 0xffffffffffffffffn;
      const scalar = (word >> 64n) & 0xffffffffn;
      return {
        cost: (gas) => proportional(gas, scalar) + constant,
        receiptFields:
          scalar === 0n && constant === 0n
            ? {}
            : { operatorFeeScalar: quantity(scalar), operatorFeeConstant: quantity(constant) },
      };
    },
  };
}
