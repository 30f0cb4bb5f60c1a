import { L1_BLOCK_SLOTS } from '../../execution/predeploys.ts';
import { quantity } from '../../hex.ts';
import type { OperatorFeeModel } from '../rules.ts';

/** Before isthmus there is no operator fee. */
export const noOperatorFee: OperatorFeeModel = { read: () => null };

/** Operator fee model of isthmus: gas · scalar / 10^6 + constant (op-core: `OperatorCostIsthmus`). */
export const perMillionOperatorFee: OperatorFeeModel = operatorFee((gas, scalar) => (gas * scalar) / 1_000_000n);

/** Operator fee model of jovian: gas · scalar · 100 + constant (op-core: `OperatorCostJovian`). */
export const timesHundredOperatorFee: OperatorFeeModel = operatorFee((gas, scalar) => gas * scalar * 100n);

/**
 * Makes an operator fee model from its proportional part (op-geth: `NewOperatorCostFunc`, op-revm:
 * `operator_fee_charge`).
 * The constant part is common to all models. Parameters of zero produce no receipt fields.
 */
function operatorFee(proportional: (gas: bigint, scalar: bigint) => bigint): OperatorFeeModel {
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
