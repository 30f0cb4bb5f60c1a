import * as z from 'zod';
import { attributesFromJson } from '../../../protocol/codec/attributes-json.ts';
import { withdrawalsFromJson } from '../../../protocol/codec/withdrawals.ts';
import { isProtocolError } from '../../../protocol/errors.ts';
import { quantity } from '../../../protocol/hex.ts';
import type { Hex, PayloadAttributes } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import type { JsonObject } from '../../../rpc/json-object.ts';
import { method } from '../../../rpc/method.ts';
import { engineError } from '../engine/errors.ts';
import type { NodeContext } from './context.ts';
import { hashParam, objectParam } from './engine-params.ts';

const forkchoiceParam = z.object({
  headBlockHash: hashParam,
  safeBlockHash: hashParam,
  finalizedBlockHash: hashParam,
});

/** Returns `engine_forkchoiceUpdatedV1` to `V3` (geth: `ForkchoiceUpdatedV3`). */
export function forkchoiceUpdated(version: 1 | 2 | 3) {
  return method(
    'Moves the head; with attributes starts a payload',
    z.tuple([forkchoiceParam, objectParam.nullish()]),
    (context: NodeContext, [state, json]) =>
      context.engine.forkchoiceUpdated(
        version,
        state,
        json == null ? null : attributesOf(context, state.headBlockHash, json),
      ),
  );
}

/**
 * Decodes payload attributes. An invalid value is returned as an error and reported after the head has moved.
 * @throws RpcError -32602 if the JSON cannot be decoded
 */
function attributesOf({ chain }: NodeContext, head: Hex, json: JsonObject): PayloadAttributes | RpcError {
  const plain = chain.definition.ethereum !== undefined;
  if (!plain && json['gasLimit'] == null)
    return engineError('invalidPayloadAttributes', 'gasLimit parameter is required');
  try {
    if (!plain) return attributesFromJson(json);
    // Ethereum's attributes have no gas limit. It stays that of the parent.
    const { gasLimit } = chain.header(head) ?? chain.head.header;
    return attributesFromJson({ gasLimit: quantity(gasLimit), ...json }, withdrawalsFromJson);
  } catch (error) {
    if (isProtocolError(error, 'payload-invalid')) return engineError('invalidPayloadAttributes', error.message);
    if (isProtocolError(error)) throw new RpcError(RPC_CODE.invalidParams, error.message);
    throw error;
  }
}
