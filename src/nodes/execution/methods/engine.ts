import * as z from 'zod';
import { attributesFromJson } from '../../../protocol/codec/attributes-json.ts';
import { headerHash } from '../../../protocol/codec/header.ts';
import { payloadHeaderSteps, payloadOfBlock } from '../../../protocol/codec/payload-header.ts';
import { payloadFromJson, payloadToJson } from '../../../protocol/codec/payload-json.ts';
import { asBytes, asList } from '../../../protocol/codec/rlp.ts';
import { decodeTransaction, transactionType } from '../../../protocol/codec/transaction.ts';
import {
  noWithdrawals,
  type WithdrawalsReader,
  withdrawalsFromJson,
  withdrawalsToJson,
} from '../../../protocol/codec/withdrawals.ts';
import { isProtocolError } from '../../../protocol/errors.ts';
import { bytesToHex, hexToBytes, hexToBytesAll, lowerHex, quantity } from '../../../protocol/hex.ts';
import type { ExecutionPayloadEnvelope, Hex, PayloadAttributes } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import type { ExecutedBlock } from '../block/executor.ts';
import { requestsHash } from '../block/requests-hash.ts';
import type { NodeContext } from '../context.ts';
import type { ReadBlock } from '../engine/engine.ts';
import { engineError } from '../engine/errors.ts';
import { invalid, type PayloadStatus } from '../engine/payload-status.ts';
import { ExecutionBudget } from '../evm/execution-budget.ts';

const hash = param.hash.transform(lowerHex);
const forkchoiceParam = z.object({ headBlockHash: hash, safeBlockHash: hash, finalizedBlockHash: hash });
const object = z.record(z.string(), z.unknown());
const payloadIdParam = z
  .string()
  .regex(/^0x[0-9a-fA-F]{16}$/, 'expected an 8-byte payload id')
  .transform(lowerHex);

/** Maximum blocks in one getPayloadBodies response. */
const MAX_BODIES = 1024;

async function parse<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (isProtocolError(error)) throw new RpcError(RPC_CODE.invalidParams, error.message);
    throw error;
  }
}

function forkchoiceUpdated(version: 1 | 2 | 3) {
  return method(
    'Moves the head; with attributes starts a payload',
    z.tuple([forkchoiceParam, object.nullish()]),
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
 * @throws RpcError -32602 where the JSON cannot be decoded
 */
function attributesOf(
  { chain }: NodeContext,
  head: Hex,
  json: Readonly<Record<string, unknown>>,
): PayloadAttributes | RpcError {
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
 * Handles newPayload. `root` and `blobHashes` exist from V3 on, `requests` from V4 on. A rollup has no blobs or
 * requests.
 */
async function newPayload(
  context: NodeContext,
  version: PayloadVersion,
  json: z.output<typeof object>,
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
    const wanted = structure[field];
    if (wanted !== undefined && (executionPayload[field] !== undefined) !== wanted)
      throw new RpcError(
        RPC_CODE.invalidParams,
        `${field} must be ${wanted ? 'present' : 'absent'} in newPayloadV${version}`,
      );
  }
  const rules = context.chain.rulesAt(executionPayload.timestamp);
  const wanted = rules.engine.newPayload;
  if (version !== wanted && !(version === 1 && wanted === 2 && rules.header.withdrawalsRoot === 'absent'))
    throw engineError('unsupportedFork', `newPayloadV${version} does not serve this timestamp, use V${wanted}`);
  const read: ReadBlock = async () => {
    const budget = new ExecutionBudget();
    const header = await budget.complete(payloadHeaderSteps(envelope, rules, requestsHash(requests.map(hexToBytes))));
    if (!plain && blobHashes.length + requests.length > 0)
      return invalid(null, 'blob hashes and execution requests must be empty');
    const { withdrawals = [] } = executionPayload;
    const transactions = hexToBytesAll(executionPayload.transactions);
    const found = plain ? blobHashesOf(transactions) : [];
    if (typeof found === 'string') return invalid(null, found);
    if (plain && found.join() !== blobHashes.join())
      return invalid(null, 'the blob hashes are not those of the transactions');
    const hash = headerHash(header);
    if (hash !== executionPayload.blockHash)
      return invalid(null, `blockhash mismatch, want ${executionPayload.blockHash}, got ${hash}`);
    return { hash, header, transactions, withdrawals };
  };
  return context.engine.newPayload(() => parse(read));
}

/** Returns whether a block number is a uint64 above the safe integers. */
function isBeyondAnyChain(value: unknown): boolean {
  return (
    typeof value === 'string' && /^0x[0-9a-fA-F]{1,16}$/.test(value) && BigInt(value) > BigInt(Number.MAX_SAFE_INTEGER)
  );
}

/** Returns the versioned hashes of all blobs of a block in order, or the error of a transaction. */
function blobHashesOf(transactions: readonly Uint8Array[]): Hex[] | string {
  const found: Hex[] = [];
  for (const [index, raw] of transactions.entries()) {
    if (transactionType(raw) !== 3) continue;
    try {
      const hashes = asList(decodeTransaction(raw).fields.blobVersionedHashes, 'blob hashes');
      for (const one of hashes) found.push(bytesToHex(asBytes(one, 'blob hash')));
    } catch (error) {
      if (!isProtocolError(error)) throw error;
      return `invalid transaction ${index}: ${error.message}`;
    }
  }
  return found;
}

/**
 * Decodes a payload. Returns the error of one that no block can have. @throws RpcError -32602 where it cannot be
 * decoded
 */
function envelopeOf(
  json: z.output<typeof object>,
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
const payloadOnly = z.tuple([object]);
const payloadAndRoot = z.tuple([object, z.array(hash), hash]);
/** Execution requests: each has data after its type, and the types ascend. */
const requestsParam = z
  .array(param.data)
  .refine((requests) => requests.every(({ length }) => length > 4), 'an execution request has no data')
  .refine(
    (requests) => requests.every((one, index) => index === 0 || typeOf(one) > typeOf(requests[index - 1] ?? '')),
    'the types of the execution requests must ascend',
  );
const typeOf = (request: string) => Number.parseInt(request.slice(2, 4), 16);
const payloadAndRequests = z.tuple([object, z.array(hash), hash, requestsParam]);

function getPayload(version: 1 | 2 | 3 | 4 | 5) {
  return method('Ends a payload and returns it', z.tuple([payloadIdParam]), async (context: NodeContext, [id]) => {
    const job = context.engine.job(id);
    const rules = context.chain.rulesAt(job.timestamp);
    const wanted = rules.engine.getPayload;
    if (version !== wanted && !(version === 1 && wanted === 2 && rules.header.withdrawalsRoot === 'absent'))
      throw engineError('unsupportedFork', `getPayloadV${version} does not serve this timestamp, use V${wanted}`);
    const executed = await context.engine.seal(job);
    const { header, transactions, withdrawals } = executed;
    const { executionPayload } = payloadOfBlock(header, transactions.map(bytesToHex), rules, withdrawals);
    if (version === 1) return payloadToJson(executionPayload);
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
      ...(version >= 4 ? { executionRequests: executed.requests.map(bytesToHex) } : {}),
    };
  });
}

/** Returns what the fee recipient earns in wei. */
function tipsOf({ header, receipts }: ExecutedBlock): bigint {
  return receipts.reduce(
    (sum, { effectiveGasPrice, gasUsed }) =>
      effectiveGasPrice === 0n ? sum : sum + (effectiveGasPrice - header.baseFeePerGas) * gasUsed,
    0n,
  );
}

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
  engine_getPayloadV1: getPayload(1),
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

/** Namespace `engine`, on the authenticated port. */
export const engine: MethodTable<NodeContext> = {
  ...methods,
  engine_exchangeCapabilities: method('Engine methods of both sides', z.tuple([z.array(z.string())]), () =>
    Object.keys(methods),
  ),
};
