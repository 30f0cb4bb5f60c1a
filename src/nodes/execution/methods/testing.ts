import * as z from 'zod';
import { lowerHex } from '../../../protocol/hex.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import type { NodeContext } from './context.ts';

/** Namespace `testing`: what a test network does to its nodes. Public networks never serve it (execution-apis). */
export const testing: MethodTable<NodeContext> = {
  testing_dropTransaction: method(
    'Removes a transaction from the pool; null: it is not there',
    z.tuple([param.hash]),
    ({ pool }, [hash]) => {
      const pooled = pool.get(lowerHex(hash));
      if (pooled === undefined) return null;
      pool.drop(pooled);
      return pooled.hash;
    },
  ),
};
