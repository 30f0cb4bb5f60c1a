import type { BaseFeeParent, Eip1559Params } from '../rules.ts';

/**
 * Returns the base fee (wei) of the child of a block that used `gasMetered`, at least 0 (geth, op-geth: `CalcBaseFee`).
 * Counterpart in alloy: `calc_next_block_base_fee`.
 */
export function eip1559BaseFee(
  parent: Pick<BaseFeeParent, 'gasLimit' | 'baseFeePerGas'>,
  params: Pick<Eip1559Params, 'denominator' | 'elasticity'>,
  gasMetered: bigint,
): bigint {
  const target = parent.gasLimit / BigInt(params.elasticity);
  const fee = parent.baseFeePerGas;
  if (target === 0n || gasMetered === target) return fee;
  const denominator = BigInt(params.denominator);
  if (gasMetered > target) {
    const increase = (fee * (gasMetered - target)) / target / denominator;
    return fee + (increase > 1n ? increase : 1n);
  }
  const decrease = (fee * (target - gasMetered)) / target / denominator;
  return fee > decrease ? fee - decrease : 0n;
}
