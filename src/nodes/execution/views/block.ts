import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { withdrawalsToJson } from '../../../protocol/codec/withdrawals.ts';
import { EMPTY_OMMERS_HASH } from '../../../protocol/execution/constants.ts';
import { quantity } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { encodeBlock } from '../chain/unexecuted-block.ts';
import type { ViewBehaviour } from './behaviour.ts';
import { type ShownBlock, transactionView } from './transaction.ts';

type Json = Readonly<Record<string, unknown>>;

/** Returns a header as block views show it (geth: `RPCMarshalHeader`). */
export function headerView(hash: string, header: BlockHeader): Json {
  return {
    hash,
    parentHash: header.parentHash,
    sha3Uncles: EMPTY_OMMERS_HASH,
    miner: header.beneficiary,
    stateRoot: header.stateRoot,
    transactionsRoot: header.transactionsRoot,
    receiptsRoot: header.receiptsRoot,
    logsBloom: header.logsBloom,
    difficulty: '0x0',
    number: quantity(header.number),
    gasLimit: quantity(header.gasLimit),
    gasUsed: quantity(header.gasUsed),
    timestamp: quantity(header.timestamp),
    extraData: header.extraData,
    mixHash: header.mixHash,
    nonce: header.nonce ?? '0x0000000000000000',
    baseFeePerGas: quantity(header.baseFeePerGas),
    ...(header.withdrawalsRoot === undefined ? {} : { withdrawalsRoot: header.withdrawalsRoot }),
    ...(header.blobGasUsed === undefined ? {} : { blobGasUsed: quantity(header.blobGasUsed) }),
    ...(header.excessBlobGas === undefined ? {} : { excessBlobGas: quantity(header.excessBlobGas) }),
    ...(header.parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot: header.parentBeaconBlockRoot }),
    ...(header.requestsHash === undefined ? {} : { requestsHash: header.requestsHash }),
  };
}

/** Returns a header without its block. Some flavours add the size of the block. */
export function loneHeaderView(block: Omit<ShownBlock, 'receipts'>, views: ViewBehaviour): Json {
  return {
    ...headerView(block.hash, block.header),
    ...(views.headerSize ? { size: sizeOf(block) } : {}),
  };
}

/** Returns a block with its transactions, in full or as hashes (geth: `RPCMarshalBlock`). */
export function blockView(block: ShownBlock, full: boolean, views: ViewBehaviour): Json {
  return {
    ...headerView(block.hash, block.header),
    totalDifficulty: '0x0',
    size: sizeOf(block),
    uncles: [],
    transactions: full
      ? block.transactions.map((_, position) => transactionView(block, position, views))
      : block.receipts.receipts.map(({ transactionHash }) => transactionHash),
    ...(block.header.withdrawalsRoot === undefined ? {} : { withdrawals: withdrawalsToJson(block.withdrawals) }),
  };
}

/** Sizes of shown blocks by header. A new block is shown to many subscribers. */
const SIZES = new WeakMap<BlockHeader, Hex>();

function sizeOf(block: Omit<ShownBlock, 'receipts'>): Hex {
  const entry = SIZES.get(block.header);
  if (entry !== undefined) return entry;
  const size = quantity(encodeBlock(block).length);
  SIZES.set(block.header, size);
  return size;
}
