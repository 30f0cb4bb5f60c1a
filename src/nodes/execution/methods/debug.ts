import * as z from 'zod';
import { encodeHeader } from '../../../protocol/codec/header.ts';
import { encodeReceipt } from '../../../protocol/codec/receipt.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { jsonField } from '../../../rpc/json-object.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import { findTransaction } from '../chain/find-transaction.ts';
import { encodeBlock } from '../chain/unexecuted-block.ts';
import { blockOf, blockParam, headerOf } from '../query/block-tag.ts';
import { accountRange, storageRange } from '../query/ranges.ts';
import { evmAtTransaction } from '../tracing/trace.ts';
import { rawTransaction } from '../views/transaction.ts';
import type { ReadContext } from './context.ts';

/** Maximum entries in one response. */
const MAX_RANGE = 1024;
/** Start of a range: hex, or base64 as geth returns it. */
const bytes = z.union([
  param.data,
  z
    .string()
    .regex(/^[A-Za-z0-9+/]*={0,2}$/)
    .transform((text) => bytesToHex(Buffer.from(text, 'base64'))),
]);

/** Namespace `debug`: consensus encodings and the chain's configuration (geth: `DebugAPI`, reth: `DebugApi`). */
export const debug: MethodTable<ReadContext> = {
  debug_getRawHeader: method('RLP of a header', z.tuple([blockParam]), (context, [tag]) =>
    bytesToHex(encodeHeader(headerOf(context, tag).header)),
  ),
  debug_getRawBlock: method('RLP of a block', z.tuple([blockParam]), (context, [tag]) =>
    bytesToHex(encodeBlock(blockOf(context, tag))),
  ),
  debug_getRawReceipts: method('Consensus encodings of a block’s receipts', z.tuple([blockParam]), (context, [tag]) =>
    blockOf(context, tag).receipts.receipts.map((receipt) => bytesToHex(encodeReceipt(receipt))),
  ),
  debug_getRawTransaction: method('EIP-2718 encoding of a transaction', z.tuple([param.hash]), (context, [hash]) => {
    const location = findTransaction(context.chain, hash);
    return location === undefined ? null : rawTransaction(location.block, location.position);
  }),
  debug_getRawTransactions: method(
    'EIP-2718 encodings of a block’s transactions',
    z.tuple([blockParam]),
    (context, [tag]) => blockOf(context, tag).transactions.map(bytesToHex),
  ),
  debug_storageRangeAt: method(
    'Slots of an account inside a block, by hashed key',
    z.tuple([blockParam, z.int().nonnegative(), param.address, bytes, z.int().positive()]),
    async (context, [tag, count, address, from, most]) => {
      const block = blockOf(context, tag);
      if (block.header.number === 0) throw new RpcError(RPC_CODE.server, 'genesis is not traceable');
      if (count >= block.transactions.length)
        throw new RpcError(RPC_CODE.server, `transaction index ${count} out of range for block ${block.hash}`);
      const { chain, limits, newBudget } = context;
      const { state } = await evmAtTransaction(chain, block, count, newBudget(limits.callTime));
      return storageRange(state, hexToBytes(address), hexToBytes(from), Math.min(most, MAX_RANGE));
    },
  ),
  debug_accountRange: method(
    'Accounts after a block, by hashed address',
    z.tuple([
      blockParam,
      bytes,
      z.int().positive(),
      z.boolean().nullish(),
      z.boolean().nullish(),
      z.boolean().nullish(),
    ]),
    async (context, [tag, from, most, noCode, noStorage]) => {
      const state = context.chain.stateOf(headerOf(context, tag).header);
      const parts = { code: noCode !== true, storage: noStorage !== true };
      return accountRange(state, hexToBytes(from), Math.min(most, MAX_RANGE), parts);
    },
  ),
  debug_chainConfig: method('Chain configuration of the genesis file', z.tuple([]), ({ chain }) => {
    return jsonField(JSON.parse(chain.definition.text), 'config');
  }),
};
