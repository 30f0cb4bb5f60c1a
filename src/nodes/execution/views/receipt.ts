import { DEPOSIT_TYPE } from '../../../protocol/codec/deposit.ts';
import type { ReceiptLog } from '../../../protocol/codec/receipt.ts';
import { logsBloom } from '../../../protocol/codec/receipt.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { Receipt } from '../block/receipt.ts';
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
  return objectOf((fields) => receiptFields(fields, block, position, views, firstLog));
}

/** Passes the fields of {@link receiptView}. */
export function receiptFields(
  fields: JsonFields,
  block: Block,
  position: number,
  views: ViewBehaviour,
  firstLog: number,
): void {
  const receipt = receiptAt(block, position);
  fields.quantity('type', receipt.type);
  fields.quantity('status', receipt.status ? 1 : 0);
  fields.quantity('cumulativeGasUsed', receipt.cumulativeGasUsed);
  fields.objects('logs', receipt.logs, (each, log, at) =>
    logFields(each, logPositionOf(block, position, firstLog + at), log, false, views),
  );
  fields.data('logsBloom', logsBloom(receipt.logs));
  fields.data('transactionHash', receipt.transactionHash);
  fields.quantity('transactionIndex', position);
  fields.data('blockHash', block.hash);
  fields.quantity('blockNumber', block.header.number);
  fields.data('from', receipt.from);
  fields.data('to', receipt.to);
  fields.quantity('gasUsed', receipt.gasUsed);
  fields.quantity('effectiveGasPrice', receipt.effectiveGasPrice);
  fields.data('contractAddress', receipt.contractAddress);
  if (receipt.depositNonce !== undefined) fields.quantity('depositNonce', receipt.depositNonce);
  if (receipt.depositReceiptVersion !== undefined)
    fields.quantity('depositReceiptVersion', receipt.depositReceiptVersion);
  rollupFields(fields, block, receipt, views);
}

/** Passes the fields of the fees that a transaction pays beside its gas. */
function rollupFields(fields: JsonFields, { receipts }: Block, receipt: Receipt, views: ViewBehaviour): void {
  const { feeFields } = receipts;
  if (receipt.type === DEPOSIT_TYPE && !views.depositL1Fields) return;
  if (feeFields['l1GasPrice'] !== undefined) {
    for (const [name, value] of Object.entries(feeFields)) fields.value(name, value);
    fields.quantity('l1GasUsed', receipt.l1GasUsed ?? 0);
    fields.quantity('l1Fee', receipt.l1Fee ?? 0);
  }
  if (feeFields['daFootprintGasScalar'] !== undefined) fields.quantity('blobGasUsed', receipt.daFootprint ?? 0);
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

function receiptAt({ receipts }: Block, position: number): Receipt {
  return present(receipts.receipts[position], `receipt ${position}`);
}
