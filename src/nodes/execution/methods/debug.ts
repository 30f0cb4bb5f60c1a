import * as z from 'zod';
import { encodeHeader } from '../../../protocol/codec/header.ts';
import { encodeReceipt } from '../../../protocol/codec/receipt.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import { encodeBlock } from '../chain/candidate.ts';
import type { Block } from '../chain/chain.ts';
import type { NodeContext } from '../context.ts';
import { type BlockTag, blockParam, headerOf } from '../query/block-tag.ts';
import { rawTransaction } from '../views/transaction.ts';
import { findTransaction } from './eth-chain.ts';

function blockOf(context: NodeContext, tag: BlockTag): Block {
  return context.chain.block(headerOf(context, tag).hash)!;
}

/** Namespace `debug`: consensus encodings and the chain's configuration. */
export const debug: MethodTable<NodeContext> = {
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
    const found = findTransaction(context, hash);
    return found === undefined ? null : rawTransaction(found.block, found.position);
  }),
  debug_chainConfig: method('Chain configuration of the genesis file', z.tuple([]), ({ chain }) => {
    const { config } = JSON.parse(chain.definition.text) as { config: unknown };
    return config;
  }),
};
