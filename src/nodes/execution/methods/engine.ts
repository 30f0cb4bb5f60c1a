import * as z from 'zod';
import { withdrawalsToJson } from '../../../protocol/codec/withdrawals.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import { engineError } from '../engine/errors.ts';
import type { NodeContext } from './context.ts';
import { forkchoiceUpdated } from './engine-forkchoice.ts';
import { getPayload } from './engine-get-payload.ts';
import { newPayloadMethods } from './engine-new-payload.ts';
import { hashParam, objectParam } from './engine-params.ts';

/** Maximum blocks in one getPayloadBodies response. */
const MAX_BODIES = 1024;

function bodyOf(context: NodeContext, blockHash: Hex | undefined) {
  const block = blockHash === undefined ? undefined : context.chain.block(blockHash);
  if (block === undefined) return null;
  return {
    transactions: block.transactions.map(bytesToHex),
    withdrawals: block.header.withdrawalsRoot === undefined ? null : withdrawalsToJson(block.withdrawals),
  };
}

const methods = {
  engine_forkchoiceUpdatedV1: forkchoiceUpdated(1),
  engine_forkchoiceUpdatedV2: forkchoiceUpdated(2),
  engine_forkchoiceUpdatedV3: forkchoiceUpdated(3),
  ...newPayloadMethods,
  engine_getPayloadV1: getPayload(1),
  engine_getPayloadV2: getPayload(2),
  engine_getPayloadV3: getPayload(3),
  engine_getPayloadV4: getPayload(4),
  engine_getPayloadV5: getPayload(5),
  engine_getPayloadBodiesByHashV1: method(
    'Bodies of blocks by hash',
    z.tuple([z.array(hashParam)]),
    (context, [hashes]) => {
      if (hashes.length > MAX_BODIES)
        throw engineError('tooLargeRequest', `${hashes.length} hashes, at most ${MAX_BODIES}`);
      return hashes.map((one) => bodyOf(context, one));
    },
  ),
  engine_getPayloadBodiesByRangeV1: method(
    'Bodies of canonical blocks by number',
    z.tuple([param.quantity, param.quantity]),
    (context, [start, count]) => {
      if (start === 0n || count === 0n) throw new RpcError(RPC_CODE.invalidParams, 'start and count must be positive');
      if (count > BigInt(MAX_BODIES)) throw engineError('tooLargeRequest', `${count} blocks, at most ${MAX_BODIES}`);
      const last = Math.min(Number(start + count) - 1, context.chain.head.header.number);
      const bodies: unknown[] = [];
      for (let number = Number(start); number <= last; number++)
        bodies.push(bodyOf(context, context.chain.canonicalHash(number)));
      return bodies;
    },
  ),
  engine_getClientVersionV1: method(
    'Name and version of both sides',
    z.tuple([objectParam.nullish()]),
    ({ flavour, version }) => [
      { code: flavour.code, name: `rollup-devnet/execution-${flavour.name}`, version, commit: '0x00000000' },
    ],
  ),
} satisfies MethodTable<NodeContext>;

/** Namespace `engine`, on the authenticated port (geth: `ConsensusAPI`, reth: `EngineApi`). */
export const engine: MethodTable<NodeContext> = {
  ...methods,
  engine_exchangeCapabilities: method('Engine methods of both sides', z.tuple([z.array(z.string())]), () =>
    Object.keys(methods),
  ),
};
