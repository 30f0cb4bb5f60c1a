import * as z from 'zod';
import { hexToBytes, lowerHex, quantity } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import type { Block } from '../chain/block.ts';
import { findTransaction } from '../chain/find-transaction.ts';
import { blockNumberParam, blockOf, blockParam, headerOf } from '../query/block-tag.ts';
import { createdIn, searchTransactions, sentWithNonce } from '../query/otterscan.ts';
import { type ResponseSizeLimit, responseSizeLimit } from '../tracing/response-size-limit.ts';
import { traceBlock } from '../tracing/trace.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { CallListTracer, OperationsTracer } from '../tracing/tracers/call-list.ts';
import { blockView, loneHeaderView } from '../views/block.ts';
import { receiptView } from '../views/receipt.ts';
import { transactionView } from '../views/transaction.ts';
import type { ReadContext } from './context.ts';

/** Version of the Otterscan interface. */
const API_LEVEL = 8;
/** Maximum transactions on one page. */
const MAX_PAGE_TRANSACTIONS = 100;

const number = z.union([param.quantity.transform(Number), z.int().nonnegative()]);
const numberOrTag = z.union([z.int().nonnegative(), blockNumberParam]);
const pageSize = z.int().positive().max(MAX_PAGE_TRANSACTIONS);
const address = param.address.transform((text) => lowerHex(text));

/** Returns a block's header, size, number of transactions and fees. The issuance is zero. */
function details({ flavour }: ReadContext, block: Block) {
  const { transactions: _, logsBloom: __, ...view } = blockView(block, false, flavour.views);
  const fees = block.receipts.receipts.reduce(
    (sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice,
    0n,
  );
  return {
    block: { ...view, logsBloom: null, transactionCount: block.transactions.length },
    issuance: { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' },
    totalFees: quantity(fees),
  };
}

function receiptAt({ flavour }: ReadContext, block: Block, position: number) {
  return { ...receiptView(block, position, flavour.views), timestamp: quantity(block.header.timestamp) };
}

async function tracedBy<Result>(
  context: ReadContext,
  hash: Hex,
  make: (sizeLimit: ResponseSizeLimit) => Tracer<Result>,
): Promise<Result | null> {
  const location = findTransaction(context.chain, hash);
  if (location === undefined) return null;
  const sizeLimit = responseSizeLimit(context);
  const tracerFor = () => make(sizeLimit);
  const traces = await traceBlock(context, location.block, [location.position], tracerFor, context.limits.callTime);
  return present(traces[0], 'trace').result;
}

function callsOf(context: ReadContext, hash: Hex) {
  return tracedBy(context, hash, (sizeLimit) => new CallListTracer(sizeLimit));
}

async function revertData(context: ReadContext, hash: Hex): Promise<unknown> {
  const calls = await callsOf(context, hash);
  return calls?.[0]?.error === 'execution reverted' ? calls[0].output : null;
}

async function page(context: ReadContext, direction: 'before' | 'after', ...where: [Hex, number, number]) {
  const { matches, firstPage, lastPage } = await searchTransactions(context, direction, ...where);
  return {
    txs: matches.map(({ block, position }) => transactionView(block, position, context.flavour.views)),
    receipts: matches.map(({ block, position }) => receiptAt(context, block, position)),
    firstPage,
    lastPage,
  };
}

/** Shortens the input of a transaction to its selector. */
function withSelector(view: Readonly<Record<string, unknown>>) {
  return { ...view, input: String(view['input']).slice(0, 10) };
}

const headerByNumber = method('Header by number', z.tuple([numberOrTag]), (context: ReadContext, [tag]) =>
  loneHeaderView(blockOf(context, tag), context.flavour.views),
);

/** Namespace `ots`: the methods of the Otterscan explorer (reth: `OtterscanApi`). op-geth lacks it. */
export const ots: MethodTable<ReadContext> = {
  ots_getApiLevel: method('Version of this interface', z.tuple([]), () => API_LEVEL),
  ots_getHeaderByNumber: headerByNumber,
  // Otterscan calls this name to check that the node supports it.
  erigon_getHeaderByNumber: headerByNumber,
  ots_hasCode: method(
    'Whether an account has code',
    z.tuple([address, blockParam.nullish()]),
    (context, [key, tag]) => {
      const state = context.chain.stateOf(headerOf(context, tag ?? 'latest').header);
      return state.code(state.account(hexToBytes(key))).length > 0;
    },
  ),
  ots_getBlockDetails: method('A block with its fees', z.tuple([numberOrTag]), (context, [tag]) =>
    details(context, blockOf(context, tag)),
  ),
  ots_getBlockDetailsByHash: method('A block with its fees', z.tuple([param.hash]), (context, [hash]) =>
    details(context, blockOf(context, { blockHash: lowerHex(hash) })),
  ),
  ots_getBlockTransactions: method(
    'A page of a block’s transactions',
    z.tuple([numberOrTag, number, pageSize]),
    (context, [tag, at, size]) => {
      const block = blockOf(context, tag);
      // Pages are counted from the end of the block.
      const end = Math.max(0, block.transactions.length - at * size);
      const positions = block.transactions.map((_, position) => position).slice(Math.max(0, end - size), end);
      return {
        fullblock: {
          ...blockView(block, false, context.flavour.views),
          transactions: positions.map((position) =>
            withSelector(transactionView(block, position, context.flavour.views)),
          ),
          transactionCount: block.transactions.length,
        },
        receipts: positions.map((position) => ({
          ...receiptAt(context, block, position),
          logs: null,
          logsBloom: null,
        })),
      };
    },
  ),
  ots_getInternalOperations: method(
    'Ether transfers, creations and selfdestructs inside a transaction',
    z.tuple([param.hash]),
    async (context, [hash]) => (await tracedBy(context, hash, (sizeLimit) => new OperationsTracer(sizeLimit))) ?? [],
  ),
  ots_traceTransaction: method('Calls of a transaction as a list', z.tuple([param.hash]), async (context, [hash]) => {
    const calls = await callsOf(context, hash);
    return calls?.map(({ error: _, ...call }) => call) ?? null;
  }),
  ots_getTransactionError: method('Revert data of a transaction', z.tuple([param.hash]), (context, [hash]) =>
    revertData(context, hash),
  ),
  ots_getTransactionBySenderAndNonce: method(
    'Hash of a sender’s transaction',
    z.tuple([address, number]),
    (context, [sender, nonce]) => sentWithNonce(context, sender, nonce),
  ),
  ots_getContractCreator: method(
    'Creator of a contract, and its transaction',
    z.tuple([address]),
    (context, [contract]) => createdIn(context, contract),
  ),
  ots_searchTransactionsBefore: method(
    'A page of the transactions that name an address, below a block',
    z.tuple([address, number, pageSize]),
    (context, [key, at, size]) => page(context, 'before', key, at, size),
  ),
  ots_searchTransactionsAfter: method(
    'A page of the transactions that name an address, above a block',
    z.tuple([address, number, pageSize]),
    (context, [key, at, size]) => page(context, 'after', key, at, size),
  ),
};
