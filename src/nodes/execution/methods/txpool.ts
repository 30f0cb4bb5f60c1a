import * as z from 'zod';
import { bytesToHex, lowerHex, quantity } from '../../../protocol/hex.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import type { Flavour } from '../flavours/interface/flavour.ts';
import type { BySender } from '../pool/pool.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import { pendingView } from '../views/transaction.ts';
import type { NodeContext } from './context.ts';

type View = (transaction: SignedTransaction) => unknown;

function byNonce(list: readonly SignedTransaction[], view: View): Readonly<Record<string, unknown>> {
  return Object.fromEntries(list.map((transaction) => [String(transaction.nonce), view(transaction)]));
}

function bySender(senders: BySender, { pool }: Flavour, view: View): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...senders].map(([sender, list]) => [pool.showAddress(sender), byNonce(list, view)]));
}

function summary({ pool }: Flavour): (transaction: SignedTransaction) => string {
  return ({ to, value, gasLimit, maxFeePerGas }) => {
    const target = to === null ? 'contract creation' : pool.showAddress(bytesToHex(to));
    return `${target}: ${value} wei + ${gasLimit} gas × ${maxFeePerGas} wei`;
  };
}

/** Namespace `txpool` (geth: `TxPoolAPI`, reth: `TxPoolApi`). */
export const txpool: MethodTable<NodeContext> = {
  txpool_status: method('How many transactions are pending and queued', z.tuple([]), ({ pool }) => {
    const { pending, queued } = pool.counts;
    return { pending: quantity(pending), queued: quantity(queued) };
  }),
  txpool_content: method('Pooled transactions by sender and nonce', z.tuple([]), ({ pool, flavour }) => {
    const { pending, queued } = pool.content();
    return { pending: bySender(pending, flavour, pendingView), queued: bySender(queued, flavour, pendingView) };
  }),
  txpool_contentFrom: method('One sender’s by nonce', z.tuple([param.address]), ({ pool }, [address]) => {
    const sender = lowerHex(address);
    const { pending, queued } = pool.content(sender);
    return {
      pending: byNonce(pending.get(sender) ?? [], pendingView),
      queued: byNonce(queued.get(sender) ?? [], pendingView),
    };
  }),
  txpool_inspect: method('Pooled transactions as text', z.tuple([]), ({ pool, flavour }) => {
    const { pending, queued } = pool.content();
    const view = summary(flavour);
    return { pending: bySender(pending, flavour, view), queued: bySender(queued, flavour, view) };
  }),
};
