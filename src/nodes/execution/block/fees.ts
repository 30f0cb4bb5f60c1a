import { toBigInt, u256be } from '../../../protocol/bytes.ts';
import { PREDEPLOYS } from '../../../protocol/execution/predeploys.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { L1FeeParameters, OperatorFeeParameters, Rules } from '../../../protocol/rules/rules.ts';
import type { ExtraFees } from './transition.ts';

/** Fees in force in a block, read from L1Block after the L1-attributes deposit. */
export interface Fees {
  readonly l1: L1FeeParameters | null;
  readonly operator: OperatorFeeParameters | null;
  readonly footprint: ReturnType<Rules['daFootprint']['read']>;
}

const L1_BLOCK = hexToBytes(PREDEPLOYS.l1Block);

/**
 * Reads the fee parameters from L1Block (op-geth: `NewL1CostFunc`, `NewOperatorCostFunc`; op-revm: `L1BlockInfo`).
 * `word` reads a storage slot.
 */
export function readFees(rules: Rules, word: (address: Uint8Array, slot: Uint8Array) => Uint8Array): Fees {
  const storage = (slot: number) => toBigInt(word(L1_BLOCK, u256be(slot)));
  return {
    l1: rules.l1Fee.read(storage),
    operator: rules.operatorFee.read(storage),
    footprint: rules.daFootprint.read(storage),
  };
}

/** Returns the fees that a transaction pays beside its gas, or null if the chain is not a rollup. */
export function extraFees({ ethereum }: Rules, { operator }: Fees, l1Fee: bigint): ExtraFees | null {
  if (ethereum !== null) return null;
  return { l1Fee, operatorFee: operator === null ? null : (gas) => operator.cost(gas) };
}
