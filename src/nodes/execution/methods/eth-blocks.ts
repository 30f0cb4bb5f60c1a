import * as z from 'zod';
import { quantity } from '../../../protocol/hex.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import type { Block } from '../chain/block.ts';
import { findTransaction } from '../chain/find-transaction.ts';
import { type BlockTag, blockHashParam, blockNumberParam, blockParam, hashOf } from '../query/block-tag.ts';
import { capabilities } from '../query/capabilities.ts';
import { forkConfig } from '../query/fork-config.ts';
import { blobFees, blobShare, ratio, rewardsOf, suggestedTip } from '../query/gas-price.ts';
import { blockView, loneHeaderView } from '../views/block.ts';
import { LazyList } from '../views/lazy-list.ts';
import { receiptFields, receiptView } from '../views/receipt.ts';
import { minedFields, rawTransaction, transactionView } from '../views/transaction.ts';
import type { ReadContext } from './context.ts';

const index = param.quantity.transform(Number);

function blockAt(context: ReadContext, tag: BlockTag): Block | undefined {
  const hash = hashOf(context, tag);
  return hash === undefined ? undefined : context.chain.block(hash);
}

function receiptsView(context: ReadContext, block: Block) {
  let logs = 0;
  const firstLogs = block.receipts.receipts.map((receipt) => {
    const first = logs;
    logs += receipt.logs.length;
    return first;
  });
  const { views } = context.flavour;
  return new LazyList(firstLogs.length, (position, fields) =>
    receiptFields(fields, block, position, views, firstLogs[position] ?? 0),
  );
}

// Handlers that several methods share, whether they name the block by number, tag or hash.

function headerAt(context: ReadContext, [tag]: readonly [BlockTag]) {
  const hash = hashOf(context, tag);
  const block = hash === undefined ? undefined : context.chain.block(hash);
  return block === undefined ? null : loneHeaderView(block, context.flavour.views);
}

function wholeBlockAt(context: ReadContext, [tag, whole]: readonly [BlockTag, boolean]) {
  const block = blockAt(context, tag);
  if (block === undefined) return null;
  const { views } = context.flavour;
  const view = blockView(block, false, views);
  if (!whole) return view;
  const transactions = new LazyList(block.transactions.length, (position, fields) =>
    minedFields(fields, block, position, views),
  );
  return { ...view, transactions };
}

function countAt(context: ReadContext, [tag]: readonly [BlockTag]) {
  const block = blockAt(context, tag);
  return block === undefined ? null : quantity(block.transactions.length);
}

function uncleCountAt(context: ReadContext, [tag]: readonly [BlockTag]) {
  const hash = hashOf(context, tag);
  return hash === undefined ? null : '0x0';
}

function transactionAt(context: ReadContext, [tag, at]: readonly [BlockTag, number]) {
  const block = blockAt(context, tag);
  return block === undefined || at >= block.transactions.length
    ? null
    : transactionView(block, at, context.flavour.views);
}

function rawAt(context: ReadContext, [tag, at]: readonly [BlockTag, number]) {
  const block = blockAt(context, tag);
  return block === undefined || at >= block.transactions.length ? null : rawTransaction(block, at);
}

/** Maximum blocks of an eth_feeHistory request. */
const MAX_HISTORY_BLOCKS = 1024;

/** Methods that read blocks, transactions and fees (geth: `BlockChainAPI`, `TransactionAPI`; reth: `EthBlocks`). */
export const ethBlocks: MethodTable<ReadContext> = {
  eth_getBlockByNumber: method('Block by number or tag', z.tuple([blockNumberParam, z.boolean()]), wholeBlockAt),
  eth_getBlockByHash: method('Block by hash', z.tuple([blockHashParam, z.boolean()]), wholeBlockAt),
  eth_getBlockTransactionCountByNumber: method('Transactions in a block', z.tuple([blockNumberParam]), countAt),
  eth_getBlockTransactionCountByHash: method('Transactions in a block', z.tuple([blockHashParam]), countAt),
  eth_getUncleCountByBlockNumber: method('Ommers of a block: none', z.tuple([blockNumberParam]), uncleCountAt),
  eth_getUncleCountByBlockHash: method('Ommers of a block: none', z.tuple([blockHashParam]), uncleCountAt),
  eth_getTransactionByBlockHashAndIndex: method(
    'Transaction of a block',
    z.tuple([blockHashParam, index]),
    transactionAt,
  ),
  eth_getTransactionByBlockNumberAndIndex: method(
    'Transaction of a block',
    z.tuple([blockNumberParam, index]),
    transactionAt,
  ),
  eth_getTransactionReceipt: method('Receipt of a transaction', z.tuple([param.hash]), (context, [hash]) => {
    const location = findTransaction(context.chain, hash);
    return location === undefined ? null : receiptView(location.block, location.position, context.flavour.views);
  }),
  eth_getBlockReceipts: method('Receipts of a block', z.tuple([blockParam]), (context, [tag]) => {
    const block = blockAt(context, tag);
    return block === undefined ? null : receiptsView(context, block);
  }),
  eth_getHeaderByNumber: method('Header by number or tag', z.tuple([blockNumberParam]), headerAt),
  eth_getHeaderByHash: method('Header by hash', z.tuple([blockHashParam]), headerAt),
  eth_getUncleByBlockNumberAndIndex: method('Ommer of a block: none', z.tuple([blockNumberParam, index]), () => null),
  eth_getUncleByBlockHashAndIndex: method('Ommer of a block: none', z.tuple([param.hash, index]), () => null),
  eth_getRawTransactionByBlockHashAndIndex: method(
    'EIP-2718 encoding of a transaction of a block',
    z.tuple([blockHashParam, index]),
    rawAt,
  ),
  eth_getRawTransactionByBlockNumberAndIndex: method(
    'EIP-2718 encoding of a transaction of a block',
    z.tuple([blockNumberParam, index]),
    rawAt,
  ),
  eth_baseFee: method('wei per gas of the next block', z.tuple([]), ({ chain }) => {
    const { header } = chain.head;
    return quantity(chain.baseFeeAfter(header, header.timestamp + 1n));
  }),
  eth_capabilities: method('Oldest block of each kind of data', z.tuple([]), ({ chain }) => capabilities(chain)),
  eth_blobBaseFee: method('wei per blob gas; null before there is one', z.tuple([]), ({ chain }) => {
    const fees = blobFees(chain, chain.head.header);
    return fees && quantity(fees.current);
  }),
  eth_config: method('Current and scheduled fork configuration (EIP-7910)', z.tuple([]), async ({ chain }) => {
    return forkConfig(chain, Number(chain.head.header.timestamp));
  }),
  eth_gasPrice: method('wei per gas for a legacy transaction', z.tuple([]), ({ chain }) =>
    quantity(chain.head.header.baseFeePerGas + suggestedTip(chain)),
  ),
  eth_maxPriorityFeePerGas: method('wei per gas of tip', z.tuple([]), ({ chain }) => quantity(suggestedTip(chain))),
  eth_feeHistory: method(
    'Base fees, use of gas and tips of blocks',
    z.tuple([
      z.union([param.quantity.transform(Number), z.int().nonnegative()]),
      blockNumberParam,
      z.array(z.number().min(0).max(100)).max(100).nullish(),
    ]),
    (context, [count, newest, percentiles]) => {
      const { chain } = context;
      const last = blockAt(context, newest);
      const { errors } = context.flavour;
      if (last === undefined) throw errors.beyondHead(Number(newest), chain.head.header.number);
      if (percentiles?.some((value, at) => value < (percentiles[at - 1] ?? 0))) throw errors.badPercentiles();
      const blocks: Block[] = [];
      for (
        let number = last.header.number;
        number >= 0 && blocks.length < Math.min(count, MAX_HISTORY_BLOCKS);
        number--
      )
        blocks.unshift(chain.canonicalBlock(number));
      const next = chain.baseFeeAfter(last.header, last.header.timestamp + 1n);
      return {
        oldestBlock: quantity(blocks[0]?.header.number ?? 0),
        baseFeePerGas: [...blocks.map(({ header }) => header.baseFeePerGas), ...(blocks.length > 0 ? [next] : [])].map(
          quantity,
        ),
        gasUsedRatio: blocks.map(({ header }) => ratio(header.gasUsed, header.gasLimit)),
        baseFeePerBlobGas: [
          ...blocks.map(({ header }) => blobFees(chain, header)?.current ?? 0n),
          ...blocks.slice(-1).map(({ header }) => blobFees(chain, header)?.next ?? 0n),
        ].map(quantity),
        blobGasUsedRatio: blocks.map(({ header }) => blobShare(chain, header)),
        ...(percentiles != null && percentiles.length > 0
          ? { reward: blocks.map((block) => rewardsOf(block, percentiles).map(quantity)) }
          : {}),
      };
    },
  ),
};
