import { quantity } from '../hex.ts';
import type { PayloadAttributes } from '../types.ts';
import { type JsonObject, jsonData, jsonFields } from './json.ts';
import { noWithdrawals, type WithdrawalsReader, withdrawalsToJson } from './withdrawals.ts';

/**
 * Encodes payload attributes as the Engine API and the rollup's additions spell them (op-service: `PayloadAttributes`).
 * Fields that a fork lacks are left out. `minBaseFee` is a JSON number: op-node and kona write it so, and op-reth
 * rejects a quantity.
 */
export function attributesToJson(attributes: PayloadAttributes): JsonObject {
  const { withdrawals, parentBeaconBlockRoot, eip1559Params, minBaseFee } = attributes;
  return {
    timestamp: quantity(attributes.timestamp),
    prevRandao: attributes.prevRandao,
    suggestedFeeRecipient: attributes.suggestedFeeRecipient,
    ...(withdrawals === undefined ? {} : { withdrawals: withdrawalsToJson(withdrawals) }),
    ...(parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot }),
    transactions: attributes.transactions,
    noTxPool: attributes.noTxPool,
    gasLimit: quantity(attributes.gasLimit),
    ...(eip1559Params === undefined ? {} : { eip1559Params }),
    ...(minBaseFee === undefined ? {} : { minBaseFee }),
  };
}

/**
 * Decodes the payload attributes of an Engine API document (op-geth: `PayloadAttributes`, op-alloy:
 * `OpPayloadAttributes`).
 * `gasLimit` is required, as in rollup engines. `transactions` and `noTxPool` are optional. `minBaseFee` may be a
 * quantity too, as in the specification.
 * @throws ProtocolError json-malformed or payload-invalid
 */
export function attributesFromJson(
  value: unknown,
  readWithdrawals: WithdrawalsReader = noWithdrawals,
): PayloadAttributes {
  const json = jsonFields(value, 'payloadAttributes');
  return {
    timestamp: json.uint64('timestamp'),
    prevRandao: json.data('prevRandao', 32),
    suggestedFeeRecipient: json.data('suggestedFeeRecipient', 20),
    ...(json.has('withdrawals')
      ? { withdrawals: readWithdrawals(json.array('withdrawals'), 'payloadAttributes') }
      : {}),
    ...(json.has('parentBeaconBlockRoot') ? { parentBeaconBlockRoot: json.data('parentBeaconBlockRoot', 32) } : {}),
    transactions: json.has('transactions')
      ? json.array('transactions').map((item, index) => jsonData(item, `payloadAttributes.transactions[${index}]`))
      : [],
    noTxPool: json.has('noTxPool') && json.boolean('noTxPool'),
    gasLimit: json.uint64('gasLimit'),
    ...(json.has('eip1559Params') ? { eip1559Params: json.data('eip1559Params', 8) } : {}),
    ...(json.has('minBaseFee') ? { minBaseFee: json.integer('minBaseFee') } : {}),
  };
}
