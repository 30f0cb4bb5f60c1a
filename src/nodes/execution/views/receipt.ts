import { DEPOSIT_TYPE } from '../../../protocol/codec/deposit.ts';
import type { ReceiptLog } from '../../../protocol/codec/receipt.ts';
import { logsBloom } from '../../../protocol/codec/receipt.ts';
import { bytesToHex, quantity } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { Block } from '../chain/block.ts';
import type { ViewBehaviour } from './behaviour.ts';
import { type JsonFields, objectOf } from './json-fields.ts';

type Json = Readonly<Record<string, unknown>>;

/** Returns the number of logs in the block before a transaction. */
function firstLogIndex(block: Block, position: number): number {
  let count = 0;
  for (let at = 0; at < position; at++) count += receiptAt(block, at).logs.length;
  return count;
}

/** Returns a receipt with the rollup's fee fields (geth: `MarshalReceipt`, op-reth: `OpReceiptBuilder`). */
export function receiptView(
  block: Block,
  position: number,
  views: ViewBehaviour,
  firstLog = firstLogIndex(block, position),
): Json {
  const receipt = receiptAt(block, position);
  const deposit = receipt.type === DEPOSIT_TYPE;
  return {
    type: quantity(receipt.type),
    status: receipt.status ? '0x1' : '0x0',
    cumulativeGasUsed: quantity(receipt.cumulativeGasUsed),
    logs: receipt.logs.map((log, at) => logView(logPositionOf(block, position, firstLog + at), log, false, views)),
    logsBloom: bytesToHex(logsBloom(receipt.logs)),
    transactionHash: receipt.transactionHash,
    transactionIndex: quantity(position),
    blockHash: block.hash,
    blockNumber: quantity(block.header.number),
    from: receipt.from,
    to: receipt.to,
    gasUsed: quantity(receipt.gasUsed),
    effectiveGasPrice: quantity(receipt.effectiveGasPrice),
    contractAddress: receipt.contractAddress,
    ...(receipt.depositNonce === undefined ? {} : { depositNonce: quantity(receipt.depositNonce) }),
    ...(receipt.depositReceiptVersion === undefined
      ? {}
      : { depositReceiptVersion: quantity(receipt.depositReceiptVersion) }),
    ...((deposit && !views.depositL1Fields) || block.receipts.feeFields['l1GasPrice'] === undefined
      ? {}
      : {
          ...block.receipts.feeFields,
          l1GasUsed: quantity(receipt.l1GasUsed ?? 0),
          l1Fee: quantity(receipt.l1Fee ?? 0),
        }),
    ...(block.receipts.feeFields['daFootprintGasScalar'] === undefined || (deposit && !views.depositL1Fields)
      ? {}
      : { blobGasUsed: quantity(receipt.daFootprint ?? 0) }),
  };
}

/** Position of a log. */
export interface LogPosition {
  readonly block: Hex | Uint8Array;
  readonly number: number;
  /** Unix seconds. */
  readonly time: bigint;
  readonly transaction: Hex | Uint8Array;
  /** Index of the transaction in the block. */
  readonly position: number;
  /** Index of the log in the block. */
  readonly index: number;
}

/** Returns the position of a log in a block. */
export function logPositionOf({ hash, header, receipts }: Block, position: number, index: number): LogPosition {
  const transaction = present(receipts.receipts[position], `receipt ${position}`).transactionHash;
  return { block: hash, number: header.number, time: header.timestamp, transaction, position, index };
}

type Data = Hex | Uint8Array;

/** The fields of a log, as hex or bytes. */
interface ShownLog {
  readonly address: Data;
  readonly topics: readonly Data[];
  readonly data: Data;
}

/** Returns the JSON of a log. */
export function logView(place: LogPosition, log: ReceiptLog, removed: boolean, views: ViewBehaviour): Json {
  return objectOf((fields) => logFields(fields, place, log, removed, views));
}

/** Passes the fields of {@link logView}. */
export function logFields(
  fields: JsonFields,
  place: LogPosition,
  { address, topics, data }: ShownLog,
  removed: boolean,
  views: ViewBehaviour,
): void {
  fields.data('address', address);
  fields.list('topics', topics);
  fields.data('data', data);
  fields.quantity('blockNumber', place.number);
  fields.data('transactionHash', place.transaction);
  fields.quantity('transactionIndex', place.position);
  fields.data('blockHash', place.block);
  if (views.blockTimestamp) fields.quantity('blockTimestamp', place.time);
  fields.quantity('logIndex', place.index);
  fields.value('removed', removed);
}

function receiptAt({ receipts }: Block, position: number): Block['receipts']['receipts'][number] {
  return present(receipts.receipts[position], `receipt ${position}`);
}
