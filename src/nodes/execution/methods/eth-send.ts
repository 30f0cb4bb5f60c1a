import * as z from 'zod';
import { isSignedType, transactionType } from '../../../protocol/codec/transaction.ts';
import { isProtocolError } from '../../../protocol/errors.ts';
import { hexToBytes, lowerHex } from '../../../protocol/hex.ts';
import type { BlobParameters } from '../../../protocol/rules/rules.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import { asError } from '../../../system/failure.ts';
import { findTransaction } from '../chain/find-transaction.ts';
import type { Flavour } from '../flavours/interface/flavour.ts';
import { readBlobTransaction } from '../pool/blobs/blob-transaction.ts';
import type { TransactionCondition } from '../pool/condition/condition.ts';
import { PoolError } from '../pool/pool-error.ts';
import { decodeTransaction, type SignedTransaction } from '../transaction/transaction.ts';
import { receiptView } from '../views/receipt.ts';
import { pendingView } from '../views/transaction.ts';
import type { NodeContext } from './context.ts';

/** EIP-7966: the transaction was accepted, but no block includes it yet. */
const NOT_CONFIRMED = 4;

function read(context: NodeContext, data: Hex): Promise<SignedTransaction> {
  const { chain, flavour, submission } = context;
  const { header } = chain.head;
  const blobs = chain.rulesAt(header.timestamp + 1n).ethereum?.blobs;
  return blobs && data.startsWith(BLOB_PREFIX)
    ? readBlobs(context, hexToBytes(data), blobs)
    : submission.scheduler.run(() => decoded(flavour, data));
}

/** Type of a blob transaction (EIP-4844). */
const BLOB_PREFIX = '0x03';

/** Decodes a blob transaction and gives its sidecar to the pool. @throws RpcError of the flavour */
async function readBlobs({ flavour, pool }: NodeContext, network: Uint8Array, blobs: BlobParameters) {
  try {
    const { transaction, sidecar } = await readBlobTransaction(network, blobs, pool.sidecars);
    pool.sidecars.add(transaction.hash, sidecar);
    await pool.sidecars.inForm(transaction.hash, blobs.cellProofs);
    return transaction;
  } catch (cause) {
    if (cause instanceof PoolError) {
      const { code, message } = flavour.pool.rpcError(cause.problem);
      throw new RpcError(code, message);
    }
    throw flavour.errors.undecodable(network, isProtocolError(cause) ? '' : `: ${asError(cause).message}`);
  }
}

/** @throws RpcError of the flavour if the bytes are not a signed transaction */
function decoded(flavour: Flavour, data: Hex): SignedTransaction {
  const raw = hexToBytes(data);
  const type = transactionType(raw);
  if (type !== undefined && type < 0x80 && !isSignedType(type)) {
    const { code, message } = flavour.pool.unknownType;
    throw new RpcError(code, message);
  }
  try {
    return decodeTransaction(raw);
  } catch (cause) {
    const detail = isProtocolError(cause) ? '' : `: ${asError(cause).message}`;
    throw flavour.errors.undecodable(raw, detail);
  }
}

const word = param.hash.transform((hash) => lowerHex(hash));

const conditionParam = z
  .strictObject({
    knownAccounts: z
      .record(
        param.address,
        z.union([word, z.record(word, word)], { error: 'expected a storage root or words by slot' }),
      )
      .optional(),
    blockNumberMin: param.quantity.nullish(),
    blockNumberMax: param.quantity.nullish(),
    timestampMin: param.quantity.nullish(),
    timestampMax: param.quantity.nullish(),
  })
  .transform((input): { readonly json: unknown; readonly condition: TransactionCondition } => ({
    json: Object.fromEntries(
      Object.entries(input).map(([key, value]) => [key, typeof value === 'bigint' ? `0x${value.toString(16)}` : value]),
    ),
    condition: {
      knownAccounts: new Map(
        Object.entries(input.knownAccounts ?? {}).map(([address, storage]) => [
          lowerHex(address),
          typeof storage === 'string'
            ? storage
            : new Map(Object.entries(storage).map(([slot, value]) => [lowerHex(slot), value])),
        ]),
      ),
      blockNumberMin: input.blockNumberMin ?? undefined,
      blockNumberMax: input.blockNumberMax ?? undefined,
      timestampMin: input.timestampMin ?? undefined,
      timestampMax: input.timestampMax ?? undefined,
    },
  }));

/** Milliseconds, as a number or a quantity. */
const patience = z.union([z.int().nonnegative(), param.quantity.transform(Number)], { error: 'expected milliseconds' });

/**
 * Resolves to the receipt of a transaction once a block includes it (geth: `SendRawTransactionSync`).
 * @throws RpcError 4 after the timeout
 */
function receiptOf(
  context: NodeContext,
  hash: Hex,
  timeoutMs: number | undefined,
  closed: AbortSignal,
): Promise<unknown> {
  const { chain, flavour, receiptTimeouts } = context;
  const timeout =
    timeoutMs === undefined || timeoutMs === 0 ? receiptTimeouts.standard : Math.min(timeoutMs, receiptTimeouts.most);
  return new Promise((resolve, reject) => {
    const look = () => {
      const location = findTransaction(context.chain, hash);
      if (location === undefined) return;
      end();
      resolve(receiptView(location.block, location.position, flavour.views));
    };
    const giveUp = () => {
      end();
      reject(new RpcError(NOT_CONFIRMED, flavour.pool.notConfirmed(hash, timeout), hash));
    };
    const timer = setTimeout(giveUp, timeout);
    const unsubscribe = chain.onHead(look);
    const end = () => {
      clearTimeout(timer);
      unsubscribe();
      closed.removeEventListener('abort', giveUp);
    };
    closed.addEventListener('abort', giveUp);
    look();
  });
}

/** Methods that submit transactions (geth: `SendRawTransaction`, `SubmitTransaction`; reth: `EthTransactions`). */
export const ethSend: MethodTable<NodeContext> = {
  eth_sendRawTransaction: method('Sends a signed transaction', z.tuple([param.data]), async (context, [data]) =>
    context.submission.send(await read(context, data), data),
  ),
  eth_sendRawTransactionSync: method(
    'Sends a signed transaction and answers with its receipt (EIP-7966)',
    z.tuple([param.data, patience.nullish()]),
    async (context, [data, timeout], { closed }) => {
      const hash = await context.submission.send(await read(context, data), data);
      return receiptOf(context, hash, timeout ?? undefined, closed);
    },
  ),
  eth_sendRawTransactionConditional: method(
    'Sends a signed transaction with a condition for its inclusion',
    z.tuple([param.data, conditionParam]),
    async (context, [data, { condition, json }]) => {
      const { flavour, chain, submission, conditional } = context;
      if (!conditional) throw flavour.envelope.methodNotFound('eth_sendRawTransactionConditional');
      flavour.pool.checkCondition(condition, chain);
      return submission.sendConditional(await read(context, data), data, condition, json);
    },
  ),
  eth_pendingTransactions: method(
    'Pending transactions; in the go flavour only those of the node’s own accounts: none',
    z.tuple([]),
    ({ pool, flavour }) =>
      flavour.pool.showsPending
        ? pool
            .pending()
            .flat()
            .map(({ transaction }) => pendingView(transaction))
        : [],
  ),
};
