import type { BaseFeeParent, Eip1559Params } from '../rules.ts';

/** Base fee in wei of the child of a block that used `gasMetered` (EIP-1559); never below zero. */
export function eip1559BaseFee(parent: BaseFeeParent, params: Eip1559Params, gasMetered: number): bigint {
  const target = BigInt(Math.floor(parent.gasLimit / params.elasticity));
  const used = BigInt(gasMetered);
  const fee = parent.baseFeePerGas;
  if (target === 0n || used === target) return fee;
  const denominator = BigInt(params.denominator);
  if (used > target) {
    const increase = (fee * (used - target)) / target / denominator;
    return fee + (increase > 1n ? increase : 1n);
  }
  const decrease = (fee * (target - used)) / target / denominator;
  return fee > decrease ? fee - decrease : 0n;
}
