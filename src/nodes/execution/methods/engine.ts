import * as z from 'zod';
import { attributesFromJson } from '../../../protocol/codec/attributes-json.ts';
import { payloadOfBlock } from '../../../protocol/codec/payload-header.ts';
import { payloadFromJson, payloadToJson } from '../../../protocol/codec/payload-json.ts';
import { isProtocolError } from '../../../protocol/errors.ts';
import { bytesToHex, quantity } from '../../../protocol/hex.ts';
import type { ExecutionPayload, Hex } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import type { ExecutedBlock } from '../block/executor.ts';
import type { NodeContext } from '../context.ts';
import type { PayloadStatus } from '../engine/engine.ts';
import { engineError } from '../engine/errors.ts';

const lower = (value: string): Hex => value.toLowerCase() as Hex;
const hash = param.hash.transform(lower);
const forkchoiceParam = z.object({ headBlockHash: hash, safeBlockHash: hash, finalizedBlockHash: hash });
const object = z.record(z.string(), z.unknown());

/** Blocks in one answer of getPayloadBodies. */
const MAX_BODIES = 1024;

function parse<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (isProtocolError(error)) throw new RpcError(RPC_CODE.invalidParams, error.message);
    throw error;
  }
}

function forkchoiceUpdated(version: 1 | 2 | 3) {
  return method(
    'Moves the head; with attributes starts a payload',
    z.tuple([forkchoiceParam, object.nullish()]),
    (context: NodeContext, [state, json]) => {
      const attributes = json == null ? null : parse(() => attributesFromJson(withGasLimit(json)));
      if (attributes !== null) {
        const wanted = context.chain.rulesAt(attributes.timestamp).engine.forkchoiceUpdated;
        if (version !== wanted && !(wanted === 1 && version === 2))
          throw engineError(
            'unsupportedFork',
            `forkchoiceUpdatedV${version} does not serve this timestamp, use V${wanted}`,
          );
      }
      return context.engine.forkchoiceUpdated(version, state, attributes);
    },
  );
}

/** The rollup requires gasLimit, and says so with the error for attributes instead of the one for parameters. */
function withGasLimit(json: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (json['gasLimit'] == null) throw engineError('invalidPayloadAttributes', 'gasLimit parameter is required');
  return json;
}

/** `root` from V3 on. Blobs and execution requests do not exist on a rollup: their lists must be empty. */
async function newPayload(
  context: NodeContext,
  version: 1 | 2 | 3 | 4,
  json: z.output<typeof object>,
  root?: Hex,
  ...lists: readonly unknown[][]
): Promise<PayloadStatus> {
  const executionPayload = parse(() => payloadFromJson(json));
  checkVersion(context, version, executionPayload);
  if (lists.some((list) => list.length > 0))
    return {
      status: 'INVALID',
      latestValidHash: null,
      validationError: 'blob hashes and execution requests must be empty',
    };
  return context.engine.newPayload(
    root === undefined ? { executionPayload } : { executionPayload, parentBeaconBlockRoot: root },
  );
}

const CHECKS_PAYLOAD = 'Checks a payload and stores its block';
const payloadOnly = z.tuple([object]);
const payloadAndRoot = z.tuple([object, z.array(hash), hash]);
const payloadAndRequests = z.tuple([object, z.array(hash), hash, z.array(param.data)]);

function checkVersion(context: NodeContext, version: number, payload: ExecutionPayload): void {
  const rules = context.chain.rulesAt(payload.timestamp);
  const wanted = rules.engine.newPayload;
  if (version !== wanted && !(version === 1 && wanted === 2 && rules.header.withdrawalsRoot === 'absent'))
    throw engineError('unsupportedFork', `newPayloadV${version} does not serve this timestamp, use V${wanted}`);
  if (rules.header.withdrawalsRoot === 'message-passer' && payload.withdrawalsRoot === undefined)
    throw new RpcError(RPC_CODE.invalidParams, 'withdrawalsRoot is missing from the payload');
}

function getPayload(version: 2 | 3 | 4 | 5) {
  return method('Ends a payload and returns it', z.tuple([param.data]), async (context: NodeContext, [id]) => {
    const executed = await context.engine.getPayload(lower(id));
    const rules = context.chain.rulesAt(executed.header.timestamp);
    if (rules.engine.getPayload !== version)
      throw engineError(
        'unsupportedFork',
        `getPayloadV${version} does not serve this timestamp, use V${rules.engine.getPayload}`,
      );
    const { executionPayload } = payloadOfBlock(executed.header, executed.transactions.map(bytesToHex), rules);
    return {
      executionPayload: payloadToJson(executionPayload),
      blockValue: quantity(tipsOf(executed)),
      ...(version >= 3
        ? {
            blobsBundle: { commitments: [], proofs: [], blobs: [] },
            shouldOverrideBuilder: false,
            parentBeaconBlockRoot: executed.header.parentBeaconBlockRoot,
          }
        : {}),
      ...(version >= 4 ? { executionRequests: [] } : {}),
    };
  });
}

/** wei that the fee recipient earns. */
function tipsOf({ header, receipts }: ExecutedBlock): bigint {
  return receipts.reduce(
    (sum, { effectiveGasPrice, gasUsed }) =>
      effectiveGasPrice === 0n ? sum : sum + (effectiveGasPrice - header.baseFeePerGas) * BigInt(gasUsed),
    0n,
  );
}

function bodyOf(context: NodeContext, blockHash: Hex | undefined) {
  const block = blockHash === undefined ? undefined : context.chain.block(blockHash);
  if (block === undefined) return null;
  return {
    transactions: block.transactions.map(bytesToHex),
    withdrawals: block.header.withdrawalsRoot === undefined ? null : [],
  };
}

const methods = {
  engine_forkchoiceUpdatedV1: forkchoiceUpdated(1),
  engine_forkchoiceUpdatedV2: forkchoiceUpdated(2),
  engine_forkchoiceUpdatedV3: forkchoiceUpdated(3),
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
  engine_getPayloadV2: getPayload(2),
  engine_getPayloadV3: getPayload(3),
  engine_getPayloadV4: getPayload(4),
  engine_getPayloadV5: getPayload(5),
  engine_getPayloadBodiesByHashV1: method('Bodies of blocks by hash', z.tuple([z.array(hash)]), (context, [hashes]) => {
    if (hashes.length > MAX_BODIES)
      throw engineError('tooLargeRequest', `${hashes.length} hashes, at most ${MAX_BODIES}`);
    return hashes.map((one) => bodyOf(context, one));
  }),
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
    z.tuple([object.nullish()]),
    ({ flavour, version }) => [
      { code: flavour.code, name: `rollup-devnet/execution-${flavour.name}`, version, commit: '0x00000000' },
    ],
  ),
} satisfies MethodTable<NodeContext>;

/** Namespace `engine`, on the authenticated port only. */
export const engine: MethodTable<NodeContext> = {
  ...methods,
  engine_exchangeCapabilities: method('Engine methods of both sides', z.tuple([z.array(z.string())]), () =>
    Object.keys(methods),
  ),
};
