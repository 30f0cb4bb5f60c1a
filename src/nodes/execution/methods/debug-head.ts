import * as z from 'zod';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import type { NodeContext } from './context.ts';

/** The method of `debug` that changes the chain (geth: `DebugAPI.SetHead`). */
export const debugHead: MethodTable<NodeContext> = {
  debug_setHead: method(
    'Rewinds the chain to a block; the rollup node may extend it again',
    z.tuple([param.quantity]),
    async ({ chain, engine }, [number]) => {
      const hash = number > BigInt(chain.head.header.number) ? undefined : chain.canonicalHash(Number(number));
      if (hash === undefined)
        throw new RpcError(RPC_CODE.server, `block ${number} is above the head ${chain.head.header.number}`);
      await engine.rewind(hash);
      return null;
    },
  ),
};
