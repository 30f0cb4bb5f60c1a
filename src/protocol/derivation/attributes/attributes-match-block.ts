import { toNumber } from '../../bytes.ts';
import { hexToSized, sameHex } from '../../hex.ts';
import type { ExecutionPayloadEnvelope, Hex, PayloadAttributes } from '../../types.ts';
import type { AttributesWithParent } from '../outcome.ts';
import type { Rollup } from '../ports.ts';

/** A value that is compared. */
type FieldValue = string | number | bigint | undefined;

/** A field in which a block differs from the attributes derived for it. */
export interface Difference {
  readonly field: string;
  readonly derived: string;
  readonly block: string;
}

/**
 * Compares derived attributes with the unsafe block at their height.
 * Counterparts: `AttributesMatchBlock` (op-node), `AttributesMatch::check` (kona).
 * An empty list means that the block becomes safe as it is. Otherwise the first difference is the reason to report.
 * Specification: Engine Queue, L1-Consolidation.
 */
export function attributesMatchBlock(
  rollup: Rollup,
  { attributes, parent }: Pick<AttributesWithParent, 'attributes' | 'parent'>,
  { executionPayload: block, parentBeaconBlockRoot }: ExecutionPayloadEnvelope,
): readonly Difference[] {
  const differences: Difference[] = [];
  const compare = (field: string, derived: FieldValue, actual: FieldValue) => {
    if (sameHex(String(derived), String(actual))) return;
    differences.push({ field, derived: String(derived ?? 'absent'), block: String(actual ?? 'absent') });
  };

  compare('parentHash', parent.hash, block.parentHash);
  compare('timestamp', attributes.timestamp, block.timestamp);
  compare('prevRandao', attributes.prevRandao, block.prevRandao);
  compare('transactions.length', attributes.transactions.length, block.transactions.length);
  const shared = Math.min(attributes.transactions.length, block.transactions.length);
  for (let index = 0; index < shared; index++) {
    compare(`transactions[${index}]`, attributes.transactions[index], block.transactions[index]);
  }
  compare('gasLimit', attributes.gasLimit, block.gasLimit);
  compare('withdrawals.length', attributes.withdrawals?.length, block.withdrawals?.length);
  compare('parentBeaconBlockRoot', attributes.parentBeaconBlockRoot, parentBeaconBlockRoot);
  compare('feeRecipient', attributes.suggestedFeeRecipient, block.feeRecipient);
  if (attributes.eip1559Params !== undefined) {
    compare('extraData', extraDataOf(rollup, attributes, attributes.eip1559Params), block.extraData);
  }
  return differences;
}

function extraDataOf(rollup: Rollup, attributes: PayloadAttributes, eip1559Params: Hex): Hex {
  const rules = rollup.rulesAt(attributes.timestamp);
  const bytes = hexToSized(eip1559Params, 8);
  const params = {
    denominator: toNumber(bytes.subarray(0, 4)),
    elasticity: toNumber(bytes.subarray(4)),
    minBaseFee: attributes.minBaseFee ?? 0,
  };
  return rules.extraData.encode(params, rules.eip1559.constants(rollup.config.chain_op_config));
}
