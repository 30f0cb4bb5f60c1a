import * as z from 'zod';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type Call, type MethodTable, method } from '../../../rpc/method.ts';
import { checkLiveFilter, criteriaOf, logFilterParam, logsOf } from '../query/logs.ts';
import { randomId } from '../query/random-id.ts';
import { loneHeaderView } from '../views/block.ts';
import { pendingView } from '../views/transaction.ts';
import type { NodeContext } from './context.ts';

/** Open subscriptions by connection (its `closed` signal): id → function that ends it. */
const open = new WeakMap<AbortSignal, Map<string, () => void>>();

type Send = (result: unknown) => void;
const TOPICS = ['newHeads', 'logs', 'newPendingTransactions', 'syncing'] as const;
type Topic = (typeof TOPICS)[number];

function isTopic(text: string): text is Topic {
  return TOPICS.some((topic) => topic === text);
}

function start(context: NodeContext, topic: Topic, options: unknown, send: Send): () => void {
  const { chain, pool, engine, flavour } = context;
  switch (topic) {
    case 'newHeads':
      return chain.onHead(({ added }) => {
        for (const block of added) send(loneHeaderView(block, flavour.views));
      });
    case 'logs': {
      const parsed = logFilterParam.safeParse(options ?? {});
      if (!parsed.success)
        throw new RpcError(RPC_CODE.invalidParams, `invalid argument 1: ${parsed.error.issues[0]?.message}`);
      checkLiveFilter(context, parsed.data);
      const criteria = criteriaOf(parsed.data);
      return chain.onHead(({ removed, added }) => {
        for (const block of removed) for (const log of logsOf(context, block, criteria, true)) send(log);
        for (const block of added) for (const log of logsOf(context, block, criteria)) send(log);
      });
    }
    case 'newPendingTransactions':
      if (options != null && typeof options !== 'boolean')
        throw new RpcError(RPC_CODE.invalidParams, 'invalid argument 1: expected true for whole transactions');
      return pool.onPending((transaction) => send(options === true ? pendingView(transaction) : transaction.hash));
    case 'syncing':
      setImmediate(() => send(flavour.syncNotice(engine.progress)));
      return engine.onSync((progress) => send(flavour.syncNotice(progress)));
  }
}

function connection(call: Call): Map<string, () => void> {
  const existing = open.get(call.closed);
  if (existing !== undefined) return existing;
  const subscriptions = new Map<string, () => void>();
  open.set(call.closed, subscriptions);
  call.closed.addEventListener('abort', () => {
    for (const end of subscriptions.values()) end();
    subscriptions.clear();
  });
  return subscriptions;
}

/** Methods of subscriptions, over WebSocket (geth: `FilterAPI.NewHeads`, reth: `EthPubSub`). */
export const ethSubscribe: MethodTable<NodeContext> = {
  eth_subscribe: method(
    'Subscribes to a topic',
    z.tuple([z.string(), z.unknown().optional()]),
    (context, [topic, options], call) => {
      const { notify } = call;
      const { errors } = context.flavour;
      if (notify === undefined) throw new RpcError(RPC_CODE.methodNotFound, 'notifications not supported');
      if (!isTopic(topic)) throw errors.unknownTopic(topic);
      const subscriptions = connection(call);
      const limit = context.limits.subscriptions;
      if (subscriptions.size >= limit) throw errors.tooManySubscriptions(limit);
      const id = randomId();
      const end = start(context, topic, options, (result) => {
        if (!notify('eth_subscription', { subscription: id, result })) subscriptions.get(id)?.();
      });
      subscriptions.set(id, end);
      return id;
    },
  ),
  eth_unsubscribe: method('Ends a subscription', z.tuple([z.string()]), (context, [id], call) => {
    const subscriptions = connection(call);
    const end = subscriptions.get(id);
    if (end === undefined && context.flavour.unknownSubscriptionIsFalse) return false;
    if (end === undefined) throw new RpcError(RPC_CODE.server, 'subscription not found');
    end();
    return subscriptions.delete(id);
  }),
};
