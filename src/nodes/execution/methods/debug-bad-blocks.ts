import * as z from 'zod';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import { traceOptions } from '../tracing/trace-options.ts';
import { badBlockView } from '../views/bad-block.ts';
import type { NodeContext } from './context.ts';
import { traceWhole } from './debug-trace.ts';

/** Methods of `debug` about invalid blocks (geth: `GetBadBlocks`, `TraceBadBlock`). */
export const debugBadBlocks: MethodTable<NodeContext> = {
  debug_getBadBlocks: method('Recent invalid blocks in full', z.tuple([]), ({ engine, flavour }) =>
    engine.badBlocks.all.map((block) => badBlockView(block, flavour.views)),
  ),
  debug_traceBadBlock: method(
    'Traces the transactions of an invalid block',
    z.tuple([param.hash, traceOptions.nullish()]),
    (context, [hash, options]) => {
      const block = context.engine.badBlocks.all.find((one) => one.hash === hash.toLowerCase());
      if (block === undefined) throw new RpcError(RPC_CODE.server, `bad block ${hash} not found`);
      return traceWhole(context, block, options);
    },
  ),
};
