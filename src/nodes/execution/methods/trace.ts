import * as z from 'zod';
import { hexToBytes, lowerHex } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import { blockOverridesParam, type CallArguments, callParam, overridesParam } from '../call/call-arguments.ts';
import { evmAtBlock } from '../call/call-evm.ts';
import type { Block } from '../chain/block.ts';
import { findTransaction } from '../chain/find-transaction.ts';
import { withCallTimeout } from '../evm/execution-budget.ts';
import { type BlockTag, blockNumberParam, blockOf, blockParam, headerOf } from '../query/block-tag.ts';
import { type ResponseSizeLimit, responseSizeLimit } from '../tracing/response-size-limit.ts';
import { traceBlock, traceCall, traceSigned } from '../tracing/trace.ts';
import { TRACE_TYPES, type TraceType } from '../tracing/trace-types.ts';
import type { ParityTrace } from '../tracing/tracers/parity-trace.ts';
import { ParityTracer } from '../tracing/tracers/parity-trace.ts';
import { ReplayTracer } from '../tracing/tracers/replay-tracer.ts';
import { TransactionInvalid } from '../transaction/errors.ts';
import { decodeTransaction, type SignedTransaction } from '../transaction/transaction.ts';
import type { ReadContext } from './context.ts';

const partsParam = z.array(z.enum(TRACE_TYPES, { error: `expected ${TRACE_TYPES.join(', ')}` }));

const filterParam = z.object({
  fromBlock: blockNumberParam.nullish(),
  toBlock: blockNumberParam.nullish(),
  fromAddress: z.array(param.address.transform(lowerHex)).nullish(),
  toAddress: z.array(param.address.transform(lowerHex)).nullish(),
  mode: z.enum(['union', 'intersection']).nullish(),
  after: z.int().nonnegative().nullish(),
  count: z.int().nonnegative().nullish(),
});

type Filter = z.output<typeof filterParam>;

interface LocatedTrace extends ParityTrace {
  readonly blockHash: Hex;
  readonly blockNumber: number;
  readonly transactionHash: Hex;
  readonly transactionPosition: number;
}

/** Traces transactions of a block. Each trace carries its block and transaction. */
async function located(
  context: ReadContext,
  block: Block,
  positions: readonly number[],
  sizeLimit: ResponseSizeLimit = responseSizeLimit(context),
): Promise<LocatedTrace[]> {
  if (positions.length === 0) return [];
  const { limits } = context;
  const traces = await traceBlock(
    context,
    block,
    positions,
    () => new ParityTracer(context.flavour.tracing, sizeLimit),
    limits.callTime,
  );
  return traces.flatMap(({ position, hash, result }) =>
    result.map((trace) => ({
      ...trace,
      blockHash: block.hash,
      blockNumber: block.header.number,
      transactionHash: hash,
      transactionPosition: position,
    })),
  );
}

function allOf({ transactions }: Block): number[] {
  return transactions.map((_, position) => position);
}

async function ofTransaction(context: ReadContext, hash: Hex): Promise<LocatedTrace[] | null> {
  const location = findTransaction(context.chain, hash);
  return location === undefined ? null : located(context, location.block, [location.position]);
}

async function replay(context: ReadContext, block: Block, positions: readonly number[], parts: readonly TraceType[]) {
  const { limits } = context;
  const sizeLimit = responseSizeLimit(context);
  const traces = await traceBlock(
    context,
    block,
    positions,
    () => new ReplayTracer(parts, context.flavour.tracing, sizeLimit),
    limits.callTime,
  );
  return traces.map(({ hash, result }) => ({ ...result, transactionHash: hash }));
}

/** Runs calls one after another on the state after a block. */
async function callMany(
  context: ReadContext,
  tag: BlockTag,
  calls: readonly (readonly [CallArguments, readonly TraceType[]])[],
  overrides: {
    readonly state?: z.output<typeof overridesParam> | null;
    readonly block?: z.output<typeof blockOverridesParam> | null;
  } = {},
): Promise<unknown[]> {
  const { chain, flavour, limits, newBudget } = context;
  const setting = { ...overrides, budget: newBudget(limits.callTime * Math.max(1, calls.length)) };
  const isFree = calls.every(([call]) => call.gasPrice == null && call.maxFeePerGas == null);
  const vm = evmAtBlock(chain, headerOf(context, tag), setting, isFree ? 0n : undefined);
  const results: unknown[] = [];
  const sizeLimit = responseSizeLimit(context);
  for (const [call, parts] of calls)
    results.push(
      await traceCall(vm, call, new ReplayTracer(parts, context.flavour.tracing, sizeLimit), {
        gasCap: limits.gasCap,
        flavour,
      }),
    );
  return results;
}

function matcher({ fromAddress, toAddress, mode }: Filter): (trace: ParityTrace) => boolean {
  const [senders, receivers] = [new Set<string>(fromAddress ?? []), new Set<string>(toAddress ?? [])];
  return ({ action, result }) => {
    const isFrom = senders.has(action['from'] ?? action['address'] ?? '');
    const isTo = receivers.has(action['to'] ?? action['refundAddress'] ?? result?.['address'] ?? '');
    if (senders.size === 0 && receivers.size === 0) return true;
    if (mode === 'intersection') return (senders.size === 0 || isFrom) && (receivers.size === 0 || isTo);
    return isFrom || isTo;
  };
}

async function filtered(context: ReadContext, filter: Filter): Promise<LocatedTrace[]> {
  const number = (tag: BlockTag | null | undefined, absent: BlockTag) => headerOf(context, tag ?? absent).header.number;
  const [from, to] = [number(filter.fromBlock, 'earliest'), number(filter.toBlock, 'latest')];
  if (from > to)
    throw new RpcError(RPC_CODE.invalidParams, 'invalid parameters: fromBlock cannot be greater than toBlock');
  const { traceRange } = context.limits;
  if (to - from > traceRange)
    throw new RpcError(RPC_CODE.invalidParams, `Block range too large; currently limited to ${traceRange} blocks`);
  const matches = matcher(filter);
  const skip = filter.after ?? 0;
  const most = skip + (filter.count ?? Number.POSITIVE_INFINITY);
  const traces: LocatedTrace[] = [];
  const sizeLimit = responseSizeLimit(context);
  for (let at = from; at <= to && traces.length < most; at++) {
    const block = context.chain.canonicalBlock(at);
    traces.push(...(await located(context, block, allOf(block), sizeLimit)).filter(matches));
  }
  return traces.slice(skip, most);
}

/** Namespace `trace`: traces in Parity's format (reth: `TraceApi`). op-geth lacks it. */
export const trace: MethodTable<ReadContext> = {
  trace_block: method('Calls of a block’s transactions', z.tuple([blockParam]), (context, [tag]) => {
    const block = blockOf(context, tag);
    return located(context, block, allOf(block));
  }),
  trace_transaction: method('Calls of a transaction', z.tuple([param.hash]), (context, [hash]) =>
    ofTransaction(context, hash),
  ),
  trace_get: method(
    'One call of a transaction, by its place in the list',
    z.tuple([param.hash, z.array(param.quantity.transform(Number))]),
    async (context, [hash, [index, ...more]]) =>
      index === undefined || more.length > 0 ? null : ((await ofTransaction(context, hash))?.[index] ?? null),
  ),
  trace_filter: method('Calls of many blocks, by sender and recipient', z.tuple([filterParam]), (context, [filter]) =>
    filtered(context, filter),
  ),
  trace_replayTransaction: method(
    'A transaction’s output, calls and changes',
    z.tuple([param.hash, partsParam]),
    async (context, [hash, parts]) => {
      const location = findTransaction(context.chain, hash);
      if (location === undefined) throw context.flavour.errors.transactionNotFound();
      const [replayed] = await replay(context, location.block, [location.position], parts);
      const { transactionHash: _, ...result } = present(replayed, 'trace');
      return result;
    },
  ),
  trace_replayBlockTransactions: method(
    'Output, calls and changes of a block’s transactions',
    z.tuple([blockParam, partsParam]),
    (context, [tag, parts]) => {
      const block = blockOf(context, tag);
      return block.transactions.length === 0 ? [] : replay(context, block, allOf(block), parts);
    },
  ),
  trace_call: method(
    'Output, calls and changes of a call',
    z.tuple([callParam, partsParam, blockParam.nullish(), overridesParam.nullish(), blockOverridesParam.nullish()]),
    async (context, [call, parts, tag, state, block]) =>
      (await callMany(context, tag ?? 'latest', [[call, parts]], { state: state ?? null, block: block ?? null }))[0],
  ),
  trace_callMany: method(
    'Output, calls and changes of calls that run one after another',
    z.tuple([z.array(z.tuple([callParam, partsParam])).max(1000), blockParam.nullish()]),
    (context, [calls, tag]) => callMany(context, tag ?? 'latest', calls),
  ),
  trace_rawTransaction: method(
    'Output, calls and changes of a signed transaction, without sending it',
    z.tuple([param.data, partsParam, blockParam.nullish()]),
    async (context, [data, parts, tag]) => {
      const transaction = decodedFrom(context, hexToBytes(data));
      const budget = context.newBudget(context.limits.callTime);
      const vm = evmAtBlock(context.chain, headerOf(context, tag ?? 'latest'), { budget });
      try {
        return await withCallTimeout(() =>
          traceSigned(vm, transaction, new ReplayTracer(parts, context.flavour.tracing, responseSizeLimit(context))),
        );
      } catch (error) {
        throw error instanceof TransactionInvalid ? context.flavour.errors.callRejected(error) : error;
      }
    },
  ),
};

/** @throws RpcError if the bytes are not a signed transaction */
function decodedFrom({ flavour }: ReadContext, raw: Uint8Array): SignedTransaction {
  try {
    return decodeTransaction(raw);
  } catch {
    throw flavour.errors.undecodable(raw);
  }
}
