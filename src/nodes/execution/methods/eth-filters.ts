import * as z from 'zod';
import type { Hex } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method } from '../../../rpc/method.ts';
import type { Filter } from '../query/filters.ts';
import { checkLiveFilter, criteriaOf, logFilterParam, logsOf, queryLogs } from '../query/logs.ts';
import { pendingView } from '../views/transaction.ts';
import type { NodeContext } from './context.ts';

const id = z.string();

function created(filterId: Hex | undefined): Hex {
  if (filterId === undefined) throw new RpcError(RPC_CODE.limitExceeded, 'too many filters');
  return filterId;
}

function filterOf(context: NodeContext, filterId: string): Filter {
  const filter = context.filters.get(filterId);
  if (filter === undefined) throw context.flavour.errors.filterNotFound();
  return filter;
}

function changes(context: NodeContext, filter: Filter): unknown[] {
  if (filter.kind === 'pending')
    return filter.transactions.splice(0).map((one) => (filter.full ? pendingView(one) : one.hash));
  const heads = filter.heads.splice(0);
  if (filter.kind === 'blocks') return heads.flatMap(({ added }) => added.hashes);
  const criteria = criteriaOf(filter.filter);
  return heads.flatMap(({ removed, added }) => [
    ...[...removed].flatMap((block) => logsOf(context, block, criteria, true)),
    ...[...added].flatMap((block) => logsOf(context, block, criteria)),
  ]);
}

/** Methods of polled filters (geth: `FilterAPI`, reth: `EthFilter`). */
export const ethFilters: MethodTable<NodeContext> = {
  eth_newFilter: method('Installs a log filter', z.tuple([logFilterParam]), (context, [filter]) => {
    checkLiveFilter(context, filter);
    return created(context.filters.add({ kind: 'logs', filter }));
  }),
  eth_newBlockFilter: method('Installs a filter of new blocks', z.tuple([]), (context) =>
    created(context.filters.add({ kind: 'blocks' })),
  ),
  eth_newPendingTransactionFilter: method(
    'Installs a filter of pooled transactions',
    z.tuple([z.boolean().nullish()]),
    (context, [full]) => created(context.filters.add({ kind: 'pending', full: full ?? false })),
  ),
  eth_getFilterChanges: method('Changes since the last poll', z.tuple([id]), (context, [filterId]) =>
    changes(context, filterOf(context, filterId)),
  ),
  eth_getFilterLogs: method('All logs of a log filter', z.tuple([id]), (context, [filterId]) => {
    const filter = filterOf(context, filterId);
    if (filter.kind !== 'logs') throw context.flavour.errors.filterNotFound();
    return queryLogs(context, filter.filter);
  }),
  eth_uninstallFilter: method('Removes a filter', z.tuple([id]), (context, [filterId]) =>
    context.filters.remove(filterId),
  ),
};
