import { toNumber } from '../../../protocol/bytes.ts';
import { nextExcessBlobGas } from '../../../protocol/execution/blob-gas.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Eip1559Params, Rules } from '../../../protocol/rules/rules.ts';
import type { Hex, PayloadAttributes } from '../../../protocol/types.ts';
import type { RpcError } from '../../../rpc/error.ts';
import type { BlockEnvironment } from '../block/block-environment.ts';
import type { Chain } from '../chain/chain.ts';
import { engineError } from './errors.ts';

/**
 * Checks payload attributes (specification: Extended PayloadAttributesV3) for a version of forkchoiceUpdated.
 * Counterparts: `ValidateHolocene1559Params` of op-geth, `ensure_well_formed_attributes` of reth.
 * @throws RpcError -38003, and -38005 if that version does not serve the timestamp
 */
export function checkAttributes(
  version: 1 | 2 | 3,
  attributes: PayloadAttributes,
  rules: Rules,
  parentTime: bigint,
): void {
  // From V3 on the structure is checked before the fork.
  if (version === 3)
    for (const field of ['withdrawals', 'parentBeaconBlockRoot'] as const) expectField(attributes, field, true);
  const expected = rules.engine.forkchoiceUpdated;
  if (version !== expected && !(expected === 1 && version === 2))
    throw engineError(
      'unsupportedFork',
      `forkchoiceUpdatedV${version} does not serve this timestamp, use V${expected}`,
    );
  if (attributes.timestamp <= parentTime)
    throw invalidAttributes(`invalid timestamp ${attributes.timestamp}: the parent's is ${parentTime}`);
  if (attributes.gasLimit === 0n) throw invalidAttributes('gasLimit parameter is required');
  for (const field of ['withdrawals', 'parentBeaconBlockRoot', 'eip1559Params', 'minBaseFee'] as const)
    expectField(attributes, field, rules.attributes[field]);
  const { denominator, elasticity } = eip1559Of(attributes.eip1559Params);
  if (denominator === 0 && elasticity !== 0)
    throw invalidAttributes(`eip1559Params: the denominator must not be zero where the elasticity is ${elasticity}`);
  if (denominator !== 0 && elasticity === 0)
    throw invalidAttributes(`eip1559Params: the elasticity must not be zero where the denominator is ${denominator}`);
}

function expectField(
  attributes: PayloadAttributes,
  field: 'withdrawals' | 'parentBeaconBlockRoot' | 'eip1559Params' | 'minBaseFee',
  isRequired: boolean,
): void {
  if ((attributes[field] !== undefined) === isRequired) return;
  throw invalidAttributes(`${field} parameter is ${isRequired ? 'required' : 'not supported'} at this timestamp`);
}

function invalidAttributes(detail: string): RpcError {
  return engineError('invalidPayloadAttributes', detail);
}

/** Parts of a chain that the environment of a block needs. */
export type BuildingChain = Pick<Chain, 'definition' | 'knownHeader' | 'rulesAt' | 'baseFeeAfter'>;

/**
 * Returns the block environment that payload attributes set (geth: `prepareWork`, op-reth: `OpNextBlockEnvAttributes`).
 */
export function environmentOf(chain: BuildingChain, parentHash: Hex, attributes: PayloadAttributes): BlockEnvironment {
  const parent = chain.knownHeader(parentHash);
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
    ...(attributes.withdrawals === undefined ? {} : { withdrawals: attributes.withdrawals }),
    ...(rules.ethereum?.blobs ? { excessBlobGas: nextExcessBlobGas(parent, rules.ethereum.blobs) } : {}),
  };
}

function eip1559Of(params: Hex | undefined): { denominator: number; elasticity: number } {
  const bytes = hexToBytes(params ?? '0x0000000000000000');
  return { denominator: toNumber(bytes.subarray(0, 4)), elasticity: toNumber(bytes.subarray(4)) };
}
