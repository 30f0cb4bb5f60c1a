import { calldataGas } from '../../execution/data-gas.ts';
import { L1_BLOCK_SLOTS } from '../../execution/predeploys.ts';
import { quantity } from '../../hex.ts';
import type { L1FeeModel } from '../rules.ts';

/** Bytes of signature that the first rules charged for on top of the encoded transaction. */
const SIGNATURE_GAS = 68 * 16;

/**
 * L1 fee model of bedrock: charges 68 non-zero bytes more than the transaction has.
 * Specification: L1-Cost fees, pre-ecotone.
 */
export const overheadScalarSignatureL1Fee: L1FeeModel = overheadAndScalar(SIGNATURE_GAS);

/**
 * L1 fee model of regolith: charges exactly the bytes of the encoded transaction.
 * Specification: L1-Cost fees, pre-ecotone.
 */
export const overheadScalarL1Fee: L1FeeModel = overheadAndScalar(0);

/**
 * Makes the overhead-and-scalar model with extra gas per transaction (op-geth: `newL1CostFuncBedrock`, op-core:
 * `L1CostBedrock`).
 */
function overheadAndScalar(extraGas: number): L1FeeModel {
  return {
    read(storage) {
      const baseFee = storage(L1_BLOCK_SLOTS.baseFee);
      const overhead = storage(L1_BLOCK_SLOTS.l1FeeOverhead);
      const scalar = storage(L1_BLOCK_SLOTS.l1FeeScalar);
      return {
        cost(transaction) {
          const gasUsed = BigInt(calldataGas(transaction) + extraGas) + overhead;
          return { fee: (gasUsed * baseFee * scalar) / 1_000_000n, gasUsed };
        },
        receiptFields: { l1GasPrice: quantity(baseFee), l1FeeScalar: decimalMillionths(scalar) },
      };
    },
  };
}

/** 684000 → "0.684" */
function decimalMillionths(value: bigint): string {
  const fraction = (value % 1_000_000n).toString().padStart(6, '0').replace(/0+$/, '');
  const whole = (value / 1_000_000n).toString();
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
