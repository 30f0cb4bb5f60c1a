import { decodeDeposit } from '../../../protocol/codec/deposit.ts';
import { bytesToHex, quantity } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { Receipt } from '../block/receipt.ts';
import type { Block } from '../chain/block.ts';
import { decodeTransaction, effectiveGasPrice, isDeposit, type SignedTransaction } from '../transaction/transaction.ts';
import type { ViewBehaviour } from './behaviour.ts';

type Json = Readonly<Record<string, unknown>>;

/** Receipt fields that the JSON of a transaction shows. */
type ShownReceipt = Pick<Receipt, 'transactionHash' | 'depositNonce' | 'depositReceiptVersion'>;

/** A block with the receipt fields that the JSON of its transactions shows. */
export type ShownBlock = Omit<Block, 'receipts'> & {
  readonly receipts: { readonly receipts: readonly ShownReceipt[] };
};

/** Returns the JSON of a transaction in a block (geth: `newRPCTransaction`). */
export function transactionView(block: ShownBlock, position: number, views: ViewBehaviour): Json {
  const raw = present(block.transactions[position], `transaction ${position}`);
  const receipt = present(block.receipts.receipts[position], `receipt ${position}`);
  if (isDeposit(raw)) return { ...placeOf(block, position, views), ...depositFields(raw, receipt, views) };
  return minedView(block, position, decodeTransaction(raw), views);
}

/** Returns the JSON of a decoded transaction in a block. */
export function minedView(
  block: ShownBlock,
  position: number,
  transaction: SignedTransaction,
  views: ViewBehaviour,
): Json {
  const price = effectiveGasPrice(transaction, block.header.baseFeePerGas);
  return { ...placeOf(block, position, views), ...signedFields(transaction, price) };
}

function placeOf(block: ShownBlock, position: number, views: ViewBehaviour): Json {
  return {
    blockHash: block.hash,
    blockNumber: quantity(block.header.number),
    ...(views.blockTimestamp ? { blockTimestamp: quantity(block.header.timestamp) } : {}),
    transactionIndex: quantity(position),
  };
}

/** Returns the JSON of a pending transaction (geth: `NewRPCPendingTransaction`). */
export function pendingView(transaction: SignedTransaction): Json {
  return {
    blockHash: null,
    blockNumber: null,
    transactionIndex: null,
    ...signedFields(transaction, transaction.maxFeePerGas),
  };
}

function signedFields(transaction: SignedTransaction, gasPrice: bigint): Json {
  const { type } = transaction;
  return {
    type: quantity(type),
    hash: transaction.hash,
    from: bytesToHex(transaction.sender),
    to: transaction.to === null ? null : bytesToHex(transaction.to),
    nonce: quantity(transaction.nonce),
    gas: quantity(transaction.gasLimit),
    gasPrice: quantity(gasPrice),
    ...(type >= 2
      ? {
          maxFeePerGas: quantity(transaction.maxFeePerGas),
          maxPriorityFeePerGas: quantity(transaction.maxPriorityFeePerGas),
        }
      : {}),
    value: quantity(transaction.value),
    input: bytesToHex(transaction.data),
    ...(transaction.chainId === undefined ? {} : { chainId: quantity(transaction.chainId) }),
    ...(type >= 1
      ? {
          accessList: transaction.accessList.map(({ address, storageKeys }) => ({
            address: bytesToHex(address),
            storageKeys: storageKeys.map(bytesToHex),
          })),
        }
      : {}),
    ...(type === 3
      ? {
          maxFeePerBlobGas: quantity(transaction.maxFeePerBlobGas ?? 0n),
          blobVersionedHashes: (transaction.blobVersionedHashes ?? []).map(bytesToHex),
        }
      : {}),
    ...(type === 4
      ? {
          authorizationList: transaction.authorizationList.map((entry) => ({
            chainId: quantity(entry.chainId),
            address: bytesToHex(entry.address),
            nonce: quantity(entry.nonce),
            yParity: quantity(entry.yParity),
            r: quantity(entry.r),
            s: quantity(entry.s),
          })),
        }
      : {}),
    v: quantity(transaction.v),
    r: quantity(transaction.r),
    s: quantity(transaction.s),
    ...(type >= 1 ? { yParity: quantity(transaction.v) } : {}),
  };
}

function depositFields(raw: Uint8Array, receipt: ShownReceipt, views: ViewBehaviour): Json {
  const deposit = decodeDeposit(raw);
  return {
    type: '0x7e',
    hash: receipt.transactionHash,
    from: deposit.from,
    to: deposit.to,
    nonce: quantity(receipt.depositNonce ?? 0),
    gas: quantity(deposit.gas),
    gasPrice: '0x0',
    value: quantity(deposit.value),
    input: deposit.data,
    v: '0x0',
    r: '0x0',
    s: '0x0',
    ...(views.depositYParity ? { yParity: '0x0' } : {}),
    sourceHash: deposit.sourceHash,
    mint: quantity(deposit.mint),
    ...(deposit.isSystemTransaction ? { isSystemTx: true } : {}),
    ...(receipt.depositReceiptVersion === undefined
      ? {}
      : { depositReceiptVersion: quantity(receipt.depositReceiptVersion) }),
  };
}

/** Returns the EIP-2718 encoding of a canonical transaction as hex. */
export function rawTransaction(block: Block, position: number): Hex {
  return bytesToHex(present(block.transactions[position], `transaction ${position}`));
}
