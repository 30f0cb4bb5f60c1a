import * as z from 'zod';
import { payloadFromJson } from '../../../protocol/codec/payload-json.ts';
import { noWithdrawals, type WithdrawalsReader, withdrawalsFromJson } from '../../../protocol/codec/withdrawals.ts';
import { isProtocolError } from '../../../protocol/errors.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import type { JsonObject } from '../../../rpc/json-object.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import { invalid, type PayloadStatus } from '../engine/payload-status.ts';
import type { NodeContext } from './context.ts';
import { hashParam, objectParam } from './engine-params.ts';
import { checkVersion } from './engine-version.ts';

type PayloadVersion = 1 | 2 | 3 | 4;
const OPTIONAL_FIELDS = ['withdrawals', 'blobGasUsed', 'excessBlobGas', 'withdrawalsRoot'] as const;
type OptionalField = (typeof OPTIONAL_FIELDS)[number];

/** Fields that a payload version must have (true) or must not have (false). Others depend on the fork. */
const STRUCTURE: Readonly<Record<PayloadVersion, Partial<Record<OptionalField, boolean>>>> = {
  1: { withdrawals: false, blobGasUsed: false, excessBlobGas: false, withdrawalsRoot: false },
  2: { blobGasUsed: false, excessBlobGas: false, withdrawalsRoot: false },
  3: { withdrawals: true, blobGasUsed: true, excessBlobGas: true, withdrawalsRoot: false },
  4: { withdrawals: true, blobGasUsed: true, excessBlobGas: true, withdrawalsRoot: true },
};

/**
 * Handles newPayload (geth: `ExecutableDataToBlock`, op-geth: `checkOptimismPayload`).
 * `root` and `blobHashes` exist from V3 on, `requests` from V4 on. A rollup has no blobs or requests.
 */
async function newPayload(
  context: NodeContext,
  version: PayloadVersion,
  json: JsonObject,
  root?: Hex,
  blobHashes: readonly Hex[] = [],
  requests: readonly Hex[] = [],
): Promise<PayloadStatus> {
  const plain = context.chain.definition.ethereum !== undefined;
  if (isBeyondAnyChain(json['blockNumber'])) return invalid(null, 'blockNumber: expected a safe integer');
  const envelope = envelopeOf(json, root, plain ? withdrawalsFromJson : noWithdrawals);
  if (typeof envelope === 'string') return invalid(null, envelope);
  const { executionPayload } = envelope;
  const structure = plain ? { ...STRUCTURE[version], withdrawalsRoot: false } : STRUCTURE[version];
  for (const field of OPTIONAL_FIELDS) {
    const isRequired = structure[field];
    if (isRequired !== undefined && (executionPayload[field] !== undefined) !== isRequired)
      throw new RpcError(
        RPC_CODE.invalidParams,
        `${field} must be ${isRequired ? 'present' : 'absent'} in newPayloadV${version}`,
      );
  }
  const rules = context.chain.rulesAt(executionPayload.timestamp);
  checkVersion('newPayload', version, rules);
  return context.engine.newPayload({ envelope, blobHashes, requests });
}

/** Returns whether a block number is a uint64 above the safe integers. */
function isBeyondAnyChain(value: unknown): boolean {
  return (
    typeof value === 'string' && /^0x[0-9a-fA-F]{1,16}$/.test(value) && BigInt(value) > BigInt(Number.MAX_SAFE_INTEGER)
  );
}

/**
 * Decodes a payload. Returns the error of one that no block can have. @throws RpcError -32602 if it cannot be
 * decoded
 */
function envelopeOf(
  json: JsonObject,
  root: Hex | undefined,
  readWithdrawals: WithdrawalsReader,
): ExecutionPayloadEnvelope | string {
  try {
    const executionPayload = payloadFromJson(json, readWithdrawals);
    return root === undefined ? { executionPayload } : { executionPayload, parentBeaconBlockRoot: root };
  } catch (error) {
    if (isProtocolError(error, 'payload-invalid')) return error.message;
    if (isProtocolError(error)) throw new RpcError(RPC_CODE.invalidParams, error.message);
    throw error;
  }
}

const CHECKS_PAYLOAD = 'Checks a payload and stores its block';
const payloadOnly = z.tuple([objectParam]);
const payloadAndRoot = z.tuple([objectParam, z.array(hashParam), hashParam]);
/** Execution requests: each has data after its type, and the types ascend. */
const requestsParam = z
  .array(param.data)
  .refine((requests) => requests.every(({ length }) => length > 4), 'an execution request has no data')
  .refine(
    (requests) => requests.every((one, index) => index === 0 || typeOf(one) > typeOf(requests[index - 1] ?? '')),
    'the types of the execution requests must ascend',
  );
const typeOf = (request: string) => Number.parseInt(request.slice(2, 4), 16);
const payloadAndRequests = z.tuple([objectParam, z.array(hashParam), hashParam, requestsParam]);

/** Methods `engine_newPayloadV1` to `V4` (geth: `NewPayloadV4`). */
export const newPayloadMethods = {
  engine_newPayloadV1: method(CHECKS_PAYLOAD, payloadOnly, (context: NodeContext, [payload]) =>
    newPayload(context, 1, payload),
  ),
  engine_newPayloadV2: method(CHECKS_PAYLOAD, payloadOnly, (context: NodeContext, [payload]) =>
    newPayload(context, 2, payload),
  ),
  engine_newPayloadV3: method(CHECKS_PAYLOAD, payloadAndRoot, (context: NodeContext, [payload, blobs, root]) =>
    newPayload(context, 3, payload, root, blobs),
  ),
  engine_newPayloadV4: method(
    CHECKS_PAYLOAD,
    payloadAndRequests,
    (context: NodeContext, [payload, blobs, root, requests]) => newPayload(context, 4, payload, root, blobs, requests),
  ),
} satisfies MethodTable<NodeContext>;
