import { toNumber } from '../../../protocol/bytes.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Eip1559Params, Rules } from '../../../protocol/parts/rules.ts';
import type { Hex, PayloadAttributes } from '../../../protocol/types.ts';
import type { BlockDraft } from '../block/executor.ts';
import type { Chain } from '../chain/chain.ts';
import { engineError } from './errors.ts';

/** The rollup's rules for attributes (specification: Extended PayloadAttributesV3). @throws RpcError -38003 */
export function checkAttributes(attributes: PayloadAttributes, rules: Rules, parentTime: number): void {
  const refuse = (detail: string): never => {
    throw engineError('invalidPayloadAttributes', detail);
  };
  const expect = (field: 'withdrawals' | 'parentBeaconBlockRoot' | 'eip1559Params' | 'minBaseFee') => {
    const wanted = rules.attributes[field];
    if ((attributes[field] !== undefined) === wanted) return;
    refuse(
      wanted
        ? `${field} parameter is required by ${rules.fork}`
        : `${field} parameter is not supported before its fork`,
    );
  };
  if (attributes.timestamp <= parentTime)
    refuse(`invalid timestamp ${attributes.timestamp}: the parent's is ${parentTime}`);
  if (attributes.gasLimit === 0) refuse('gasLimit parameter is required');
  expect('withdrawals');
  expect('parentBeaconBlockRoot');
  expect('eip1559Params');
  expect('minBaseFee');
  const { denominator, elasticity } = eip1559Of(attributes.eip1559Params);
  if ((denominator === 0) !== (elasticity === 0))
    refuse(`eip1559Params must be all zero or have both parts: denominator ${denominator}, elasticity ${elasticity}`);
}

/** The header fields that attributes fix. */
export function draftOf(chain: Chain, parentHash: Hex, attributes: PayloadAttributes): BlockDraft {
  const parent = chain.header(parentHash)!;
  const rules = chain.rulesAt(attributes.timestamp);
  const params: Eip1559Params = { ...eip1559Of(attributes.eip1559Params), minBaseFee: attributes.minBaseFee ?? 0 };
  return {
    parentHash,
    number: parent.number + 1,
    timestamp: attributes.timestamp,
    feeRecipient: attributes.suggestedFeeRecipient,
    prevRandao: attributes.prevRandao,
    gasLimit: attributes.gasLimit,
    baseFee: chain.baseFeeAfter(parent, attributes.timestamp),
    extraData: rules.extraData.encode(params, rules.eip1559.constants(chain.definition.optimism)),
    ...(attributes.parentBeaconBlockRoot === undefined
      ? {}
      : { parentBeaconBlockRoot: attributes.parentBeaconBlockRoot }),
  };
}

function eip1559Of(params: Hex | undefined): { denominator: number; elasticity: number } {
  const bytes = hexToBytes(params ?? '0x0000000000000000');
  return { denominator: toNumber(bytes.subarray(0, 4)), elasticity: toNumber(bytes.subarray(4)) };
}
