import * as z from 'zod';
import { type MethodTable, method } from '../../../rpc/method.ts';
import { logFilterParam, queryLogs } from '../query/logs.ts';
import type { ReadContext } from './context.ts';

/** The method of log queries (geth: `FilterAPI.GetLogs`, reth: `EthFilter`). */
export const ethLogs: MethodTable<ReadContext> = {
  eth_getLogs: method('Logs that a filter names', z.tuple([logFilterParam]), (context, [filter]) =>
    queryLogs(context, filter),
  ),
};
