import * as z from 'zod';
import { bytesToHex, quantity } from '../../../protocol/hex.ts';
import { type MethodTable, method } from '../../../rpc/method.ts';
import type { NodeContext } from '../context.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import { pendingView } from '../views/transaction.ts';

function byNonce<Value>(
  senders: ReadonlyMap<string, readonly SignedTransaction[]>,
  view: (transaction: SignedTransaction) => Value,
) {
  return Object.fromEntries(
    [...senders].map(([sender, list]) => [
      sender,
      Object.fromEntries(list.map((transaction) => [String(transaction.nonce), view(transaction)])),
    ]),
  );
}

function count(senders: ReadonlyMap<string, readonly SignedTransaction[]>): number {
  let total = 0;
  for (const list of senders.values()) total += list.length;
  return total;
}

function summary({ to, value, gasLimit, maxFeePerGas }: SignedTransaction): string {
  return `${to === null ? 'contract creation' : bytesToHex(to)}: ${value} wei + ${gasLimit} gas × ${maxFeePerGas} wei`;
}

/** Namespace `txpool`. */
export const txpool: MethodTable<NodeContext> = {
  txpool_status: method('Pooled transactions by state', z.tuple([]), ({ pool }) => {
    const { pending, queued } = pool.content();
    return { pending: quantity(count(pending)), queued: quantity(count(queued)) };
  }),
  txpool_content: method('Pooled transactions by sender and nonce', z.tuple([]), ({ pool }) => {
    const { pending, queued } = pool.content();
    return { pending: byNonce(pending, pendingView), queued: byNonce(queued, pendingView) };
  }),
  txpool_inspect: method('Pooled transactions as text', z.tuple([]), ({ pool }) => {
    const { pending, queued } = pool.content();
    return { pending: byNonce(pending, summary), queued: byNonce(queued, summary) };
  }),
};
