import * as z from 'zod';
import { isSignedType, transactionType } from '../../../protocol/codec/transaction.ts';
import { isProtocolError } from '../../../protocol/errors.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import type { NodeContext } from '../context.ts';
import { PoolRefusal } from '../pool/refusal.ts';
import { decodeTransaction, type SignedTransaction } from '../transaction/transaction.ts';

function decode(context: NodeContext, raw: Uint8Array): SignedTransaction {
  const type = transactionType(raw);
  if (type !== undefined && type < 0x80 && !isSignedType(type))
    throw new RpcError(RPC_CODE.server, 'transaction type not supported');
  try {
    return decodeTransaction(raw);
  } catch (cause) {
    const detail = isProtocolError(cause) ? '' : `: ${(cause as Error).message}`;
    throw new RpcError(RPC_CODE.invalidParams, context.flavour.undecodable + detail);
  }
}

function enterPool(context: NodeContext, transaction: SignedTransaction): void {
  try {
    context.pool.checkSubmission(transaction);
    context.pool.add(transaction);
  } catch (error) {
    if (!(error instanceof PoolRefusal)) throw error;
    const { code, message } = context.flavour.pool.words(error.problem);
    throw new RpcError(code, message);
  }
}

/** Takes transactions in. */
export const ethSend: MethodTable<NodeContext> = {
  eth_sendRawTransaction: method('Sends a signed transaction', z.tuple([param.data]), async (context, [data]) => {
    const transaction = decode(context, hexToBytes(data));
    if (context.sequencer === undefined) {
      enterPool(context, transaction);
      return transaction.hash;
    }
    const hash = await context.sequencer.call('eth_sendRawTransaction', [data]);
    try {
      enterPool(context, transaction);
    } catch (error) {
      context.log.debug('forwarded transaction not kept', { hash: transaction.hash, reason: error });
    }
    return hash;
  }),
};
