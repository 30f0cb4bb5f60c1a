import { quantity } from '../hex.ts';
import type { ExecutionPayload, ExecutionPayloadEnvelope } from '../types.ts';
import { type JsonObject, jsonData, jsonFields } from './json.ts';
import { noWithdrawals, type WithdrawalsReader, withdrawalsToJson } from './withdrawals.ts';

/**
 * Encodes an ExecutionPayload as the Engine API spells it (op-service: `ExecutionPayload`, geth: `ExecutableData`).
 * Fields that the payload's version lacks are left out.
 */
export function payloadToJson(payload: ExecutionPayload): JsonObject {
  return {
    parentHash: payload.parentHash,
    feeRecipient: payload.feeRecipient,
    stateRoot: payload.stateRoot,
    receiptsRoot: payload.receiptsRoot,
    logsBloom: payload.logsBloom,
    prevRandao: payload.prevRandao,
    blockNumber: quantity(payload.blockNumber),
    gasLimit: quantity(payload.gasLimit),
    gasUsed: quantity(payload.gasUsed),
    timestamp: quantity(payload.timestamp),
    extraData: payload.extraData,
    baseFeePerGas: quantity(payload.baseFeePerGas),
    blockHash: payload.blockHash,
    transactions: payload.transactions,
    ...(payload.withdrawals === undefined ? {} : { withdrawals: withdrawalsToJson(payload.withdrawals) }),
    ...(payload.blobGasUsed === undefined ? {} : { blobGasUsed: quantity(payload.blobGasUsed) }),
    ...(payload.excessBlobGas === undefined ? {} : { excessBlobGas: quantity(payload.excessBlobGas) }),
    ...(payload.withdrawalsRoot === undefined ? {} : { withdrawalsRoot: payload.withdrawalsRoot }),
  };
}

/**
 * Decodes the payload of an Engine API document (op-service: `ExecutionPayload`, geth: `ExecutableData`).
 * @throws ProtocolError json-malformed; on a rollup payload-invalid for non-empty withdrawals
 */
export function payloadFromJson(value: unknown, readWithdrawals: WithdrawalsReader = noWithdrawals): ExecutionPayload {
  const json = jsonFields(value, 'executionPayload');
  return {
    parentHash: json.data('parentHash', 32),
    feeRecipient: json.data('feeRecipient', 20),
    stateRoot: json.data('stateRoot', 32),
    receiptsRoot: json.data('receiptsRoot', 32),
    logsBloom: json.data('logsBloom', 256),
    prevRandao: json.data('prevRandao', 32),
    blockNumber: json.number('blockNumber'),
    gasLimit: json.uint64('gasLimit'),
    gasUsed: json.uint64('gasUsed'),
    timestamp: json.uint64('timestamp'),
    extraData: json.data('extraData'),
    baseFeePerGas: json.bigint('baseFeePerGas'),
    blockHash: json.data('blockHash', 32),
    transactions: json
      .array('transactions')
      .map((item, index) => jsonData(item, `executionPayload.transactions[${index}]`)),
    ...(json.has('withdrawals') ? { withdrawals: readWithdrawals(json.array('withdrawals'), 'executionPayload') } : {}),
    ...(json.has('blobGasUsed') ? { blobGasUsed: json.uint64('blobGasUsed') } : {}),
    ...(json.has('excessBlobGas') ? { excessBlobGas: json.uint64('excessBlobGas') } : {}),
    ...(json.has('withdrawalsRoot') ? { withdrawalsRoot: json.data('withdrawalsRoot', 32) } : {}),
  };
}

/**
 * Encodes {executionPayload, parentBeaconBlockRoot} as `admin_postUnsafePayload` and `engine_getPayload` spell it.
 * Counterpart in op-service and geth: `ExecutionPayloadEnvelope`.
 */
export function envelopeToJson(envelope: ExecutionPayloadEnvelope): JsonObject {
  const root = envelope.parentBeaconBlockRoot;
  const executionPayload = payloadToJson(envelope.executionPayload);
  return root === undefined ? { executionPayload } : { executionPayload, parentBeaconBlockRoot: root };
}

/**
 * Decodes an envelope, the inverse of {@link envelopeToJson}. Other fields (blockValue, blobsBundle, …) are ignored.
 * @throws ProtocolError json-malformed or payload-invalid
 */
export function envelopeFromJson(value: unknown): ExecutionPayloadEnvelope {
  const json = jsonFields(value, 'envelope');
  const executionPayload = payloadFromJson((value as JsonObject).executionPayload);
  if (!json.has('parentBeaconBlockRoot')) return { executionPayload };
  return { executionPayload, parentBeaconBlockRoot: json.data('parentBeaconBlockRoot', 32) };
}
