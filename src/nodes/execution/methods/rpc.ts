import * as z from 'zod';
import { type MethodTable, method } from '../../../rpc/method.ts';
import type { NodeContext } from './context.ts';

/** Namespace `rpc` (geth: `RPCService.Modules`). op-reth lacks it. */
export const rpc: MethodTable<NodeContext> = {
  rpc_modules: method('Served namespaces and their versions', z.tuple([]), ({ namespaces }) =>
    Object.fromEntries([...namespaces, 'rpc'].map((name) => [name, '1.0'])),
  ),
};
