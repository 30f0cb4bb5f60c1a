import * as z from 'zod';
import { hexToBytes } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import { asError } from '../../../system/failure.ts';
import { parseDuration } from '../../../system/program/options.ts';
import { blockOverridesParam, callParam, overridesParam } from '../call/call-arguments.ts';
import { evmAtBlock } from '../call/call-evm.ts';
import { namedPrice } from '../call/simulate.ts';
import type { Block } from '../chain/block.ts';
import { findTransaction } from '../chain/find-transaction.ts';
import { decodeBlock } from '../chain/unexecuted-block.ts';
import { blockNumberParam, blockOf, blockParam, headerOf } from '../query/block-tag.ts';
import { responseSizeLimit } from '../tracing/response-size-limit.ts';
import type { Traceable } from '../tracing/trace.ts';
import { evmAtTransaction, traceBlock, traceCall } from '../tracing/trace.ts';
import { type TraceOptions, traceOptions } from '../tracing/trace-options.ts';
import { tracerOf } from '../tracing/tracers/tracers.ts';
import { WrittenView } from '../views/json-text.ts';
import { LazyList } from '../views/lazy-list.ts';
import type { ReadContext } from './context.ts';

const options = traceOptions.nullish();

function limitOf({ limits }: ReadContext, { timeout }: TraceOptions): number {
  if (timeout == null) return limits.callTime;
  const duration = parseDuration(timeout);
  if (duration === undefined || duration <= 0) throw new RpcError(RPC_CODE.invalidParams, `invalid timeout ${timeout}`);
  return duration;
}

/** Traces all transactions of a block. @throws RpcError */
export async function traceWhole(context: ReadContext, block: Traceable, input: TraceOptions | null | undefined) {
  const settings = input ?? traceOptions.parse({});
  if (block.header.number === 0) throw new RpcError(RPC_CODE.server, 'genesis is not traceable');
  const all = block.transactions.map((_, position) => position);
  const sizeLimit = responseSizeLimit(context);
  const traces = await traceBlock(
    context,
    block,
    all,
    () => tracerOf(settings, context.flavour.tracing, sizeLimit),
    limitOf(context, settings),
  );
  if (!traces.every(({ result }) => result instanceof WrittenView))
    return traces.map(({ hash, result }) => ({ txHash: hash, result }));
  return new LazyList(traces.length, (position, fields) => {
    const { hash, result } = present(traces[position], 'trace');
    fields.data('txHash', hash);
    fields.value('result', result);
  });
}

/** @throws RpcError if the bytes are not a block */
function decoded(data: Uint8Array): Traceable {
  try {
    return decodeBlock(data);
  } catch (cause) {
    throw new RpcError(RPC_CODE.server, `could not decode block: ${asError(cause).message}`);
  }
}

/** Returns a block that has a transaction at an index. @throws RpcError if it has none */
function blockWith({ chain, flavour }: ReadContext, hash: Hex, index: number): Block {
  const block = chain.knownBlock(hash);
  const count = block.transactions.length;
  if (index >= count) throw flavour.errors.callBeyondBlock(index, hash, count);
  return block;
}

/** Adds the prefix of the flavour's traces to the error of a call that cannot run. */
async function asTraceFailure<Result>({ flavour }: ReadContext, traced: Promise<Result>): Promise<Result> {
  try {
    return await traced;
  } catch (error) {
    const isRefusal = error instanceof RpcError && error.code === RPC_CODE.server;
    if (!isRefusal || error.message.startsWith('execution aborted')) throw error;
    throw new RpcError(error.code, flavour.tracing.callFailure + error.message, error.data);
  }
}

/** Methods of `debug` that trace transactions (geth: `TraceTransaction`, `TraceCall`; reth: `DebugApi`). */
export const debugTrace: MethodTable<ReadContext> = {
  debug_traceTransaction: method(
    'Traces a transaction',
    z.tuple([param.hash, options]),
    async (context, [hash, input]) => {
      const location = findTransaction(context.chain, hash);
      if (location === undefined) throw context.flavour.errors.transactionNotFound();
      const settings = input ?? traceOptions.parse({});
      const limit = limitOf(context, settings);
      const traces = await traceBlock(
        context,
        location.block,
        [location.position],
        () => tracerOf(settings, context.flavour.tracing, responseSizeLimit(context)),
        limit,
      );
      return present(traces[0], 'trace').result;
    },
  ),
  debug_traceBlockByNumber: method(
    'Traces the transactions of a block',
    z.tuple([blockNumberParam, options]),
    (context, [tag, input]) => traceWhole(context, blockOf(context, tag), input),
  ),
  debug_traceBlockByHash: method(
    'Traces the transactions of a block',
    z.tuple([param.hash, options]),
    (context, [hash, input]) => traceWhole(context, blockOf(context, { blockHash: hash }), input),
  ),
  debug_traceBlock: method(
    'Traces the transactions of a block given as RLP',
    z.tuple([param.data, options]),
    (context, [data, input]) => traceWhole(context, decoded(hexToBytes(data)), input),
  ),
  debug_traceCall: method(
    'Traces a call on the state after a block',
    z.tuple([
      callParam,
      blockParam.nullish(),
      traceOptions
        .extend({
          stateOverrides: overridesParam.nullish(),
          blockOverrides: blockOverridesParam.nullish(),
          txIndex: param.quantity.transform(Number).nullish(),
        })
        .nullish(),
    ]),
    async (context, [call, at, input]) => {
      const settings = input ?? traceOptions.parse({});
      const place = headerOf(context, at ?? 'latest');
      const budget = context.newBudget(limitOf(context, settings));
      const { chain, flavour, limits } = context;
      const setting = { state: input?.stateOverrides, block: input?.blockOverrides, budget };
      const baseFee = namedPrice(call) === 0n ? 0n : undefined;
      const inside =
        input?.txIndex == null
          ? undefined
          : await evmAtTransaction(chain, blockWith(context, place.hash, input.txIndex), input.txIndex, budget);
      const vm = evmAtBlock(chain, place, { ...setting, ...(inside && { on: inside.state }) }, baseFee);
      const tracer = tracerOf(settings, flavour.tracing, responseSizeLimit(context));
      return asTraceFailure(context, traceCall(vm, call, tracer, { gasCap: limits.gasCap, flavour }));
    },
  ),
};
