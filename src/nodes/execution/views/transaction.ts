import { decodeDeposit } from '../../../protocol/codec/deposit.ts';
import { type TransactionField, TransactionSpans } from '../../../protocol/codec/transaction.ts';
import { bytesToHex, quantity } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { Receipt } from '../block/receipt.ts';
import type { Block } from '../chain/block.ts';
import {
  type Authorization,
  effectiveGasPrice,
  identityOf,
  isDeposit,
  listsOf,
  type Recovered,
  type SignedTransaction,
} from '../transaction/transaction.ts';
import type { ViewBehaviour } from './behaviour.ts';
import { type JsonFields, objectOf } from './json-fields.ts';

type Json = Readonly<Record<string, unknown>>;

/** Receipt fields that the JSON of a transaction shows. */
type ShownReceipt = Pick<Receipt, 'transactionHash' | 'depositNonce' | 'depositReceiptVersion'>;

/** A block with the receipt fields that the JSON of its transactions shows. */
export type ShownBlock = Omit<Block, 'receipts'> & {
  readonly receipts: { readonly receipts: readonly ShownReceipt[] };
};

/** Returns the JSON of a transaction in a block (geth: `newRPCTransaction`). */
export function transactionView(block: ShownBlock, position: number, views: ViewBehaviour): Json {
  return objectOf((fields) => minedFields(fields, block, position, views));
}

/** Passes the fields of {@link transactionView}. */
export function minedFields(fields: JsonFields, block: ShownBlock, position: number, views: ViewBehaviour): void {
  const raw = present(block.transactions[position], `transaction ${position}`);
  const receipt = present(block.receipts.receipts[position], `receipt ${position}`);
  placeFields(fields, block, position, views);
  if (isDeposit(raw)) {
    depositFields(fields, raw, receipt, views);
  } else {
    const spans = new TransactionSpans(raw);
    signedFields(fields, spans, identityOf(raw), minedPrice(spans, block.header.baseFeePerGas));
  }
}

/** Returns the price in wei per gas that a transaction pays at a base fee. */
function minedPrice(spans: TransactionSpans, baseFee: bigint): bigint {
  const price = (name: TransactionField) => spans.integer(name);
  if (spans.type < 2) return price('gasPrice');
  const [maxFeePerGas, maxPriorityFeePerGas] = [price('maxFeePerGas'), price('maxPriorityFeePerGas')];
  return effectiveGasPrice({ maxFeePerGas, maxPriorityFeePerGas }, baseFee);
}

/** Returns the JSON of a decoded transaction in a block. */
export function minedView(
  block: ShownBlock,
  position: number,
  transaction: SignedTransaction,
  views: ViewBehaviour,
): Json {
  return objectOf((fields) => {
    placeFields(fields, block, position, views);
    const price = effectiveGasPrice(transaction, block.header.baseFeePerGas);
    signedFields(fields, new TransactionSpans(transaction.raw), transaction, price);
  });
}

function placeFields(fields: JsonFields, block: ShownBlock, position: number, views: ViewBehaviour): void {
  fields.data('blockHash', block.hash);
  fields.quantity('blockNumber', block.header.number);
  if (views.blockTimestamp) fields.quantity('blockTimestamp', block.header.timestamp);
  fields.quantity('transactionIndex', position);
}

/** Returns the JSON of a pending transaction (geth: `NewRPCPendingTransaction`). */
export function pendingView(transaction: SignedTransaction): Json {
  return objectOf((fields) => {
    for (const name of ['blockHash', 'blockNumber', 'transactionIndex']) fields.value(name, null);
    signedFields(fields, new TransactionSpans(transaction.raw), transaction, transaction.maxFeePerGas);
  });
}

function signedFields(fields: JsonFields, spans: TransactionSpans, { hash, sender }: Recovered, price: bigint): void {
  const { type, encoded } = spans;
  const part = (as: 'data' | 'quantity', name: string, field: TransactionField) =>
    fields.part(as, name, encoded, spans.start(field), spans.end(field));
  const quantityOf = (name: TransactionField) => part('quantity', name, name);
  fields.quantity('type', type);
  fields.data('hash', hash);
  fields.data('from', sender);
  if (spans.isEmpty('to')) fields.data('to', null);
  else part('data', 'to', 'to');
  quantityOf('nonce');
  quantityOf('gas');
  fields.quantity('gasPrice', price);
  if (type >= 2) {
    quantityOf('maxFeePerGas');
    quantityOf('maxPriorityFeePerGas');
  }
  quantityOf('value');
  part('data', 'input', 'data');
  if (type >= 1) quantityOf('chainId');
  else if (spans.integer('v') >= 35n) fields.quantity('chainId', (spans.integer('v') - 35n) / 2n);
  if (type >= 1 && spans.isEmpty('accessList')) fields.list('accessList', []);
  else if (type >= 1) fields.value('accessList', accessListView(listsOf(encoded)));
  if (type === 3) {
    quantityOf('maxFeePerBlobGas');
    fields.list('blobVersionedHashes', listsOf(encoded).blobVersionedHashes ?? []);
  }
  if (type === 4) fields.value('authorizationList', listsOf(encoded).authorizationList.map(authorizationView));
  for (const name of ['v', 'r', 's'] as const) quantityOf(name);
  if (type >= 1) part('quantity', 'yParity', 'v');
}

function accessListView({ accessList }: Pick<SignedTransaction, 'accessList'>): readonly Json[] {
  return accessList.map(({ address, storageKeys }) => ({
    address: bytesToHex(address),
    storageKeys: storageKeys.map(bytesToHex),
  }));
}

function authorizationView({ chainId, address, nonce, yParity, r, s }: Authorization): Json {
  return {
    chainId: quantity(chainId),
    address: bytesToHex(address),
    nonce: quantity(nonce),
    yParity: quantity(yParity),
    r: quantity(r),
    s: quantity(s),
  };
}

function depositFields(fields: JsonFields, raw: Uint8Array, receipt: ShownReceipt, views: ViewBehaviour): void {
  const deposit = decodeDeposit(raw);
  fields.value('type', '0x7e');
  fields.data('hash', receipt.transactionHash);
  fields.data('from', deposit.from);
  fields.data('to', deposit.to);
  fields.quantity('nonce', receipt.depositNonce ?? 0);
  fields.quantity('gas', deposit.gas);
  fields.value('gasPrice', '0x0');
  fields.quantity('value', deposit.value);
  fields.data('input', deposit.data);
  for (const name of ['v', 'r', 's']) fields.value(name, '0x0');
  if (views.depositYParity) fields.value('yParity', '0x0');
  fields.data('sourceHash', deposit.sourceHash);
  fields.quantity('mint', deposit.mint);
  if (deposit.isSystemTransaction) fields.value('isSystemTx', true);
  if (receipt.depositReceiptVersion !== undefined)
    fields.quantity('depositReceiptVersion', receipt.depositReceiptVersion);
}

/** Returns the EIP-2718 encoding of a canonical transaction as hex. */
export function rawTransaction(block: Block, position: number): Hex {
  return bytesToHex(present(block.transactions[position], `transaction ${position}`));
}
