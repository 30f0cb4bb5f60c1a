import { concat, concatAll, uintBe, withoutLeadingZeros } from '../../bytes.ts';
import { present } from '../../present.ts';
import { asBigInt, asBytes, rlpEncode, rlpUint } from '../rlp.ts';
import {
  decodeFields,
  decodeTransaction,
  encodeTransaction,
  isSignedType,
  type SignedType,
  type TransactionField,
  transactionType,
} from '../transaction.ts';
import { encodeBits, encodeUvarint, type SpanReader, spanError } from './reader.ts';

/**
 * The transactions of a span batch by column (op-node: `spanBatchTxs`, kona: `SpanBatchTransactions`).
 * Specification: delta, Span Batch Format, txs.
 */
export interface SpanTransactions {
  readonly contractCreation: readonly boolean[];
  readonly yParity: readonly boolean[];
  /** r ‖ s, 64 bytes each */
  readonly signatures: readonly Uint8Array[];
  /** One for each transaction that creates no contract, 20 bytes each. */
  readonly recipients: readonly Uint8Array[];
  readonly data: readonly Uint8Array[];
  readonly nonces: readonly bigint[];
  readonly gases: readonly bigint[];
  /** EIP-155 protection, one for each legacy transaction. */
  readonly protection: readonly boolean[];
}

const DATA_FIELDS: Readonly<Record<SignedType, readonly TransactionField[]>> = {
  0: ['value', 'gasPrice', 'data'],
  1: ['value', 'gasPrice', 'data', 'accessList'],
  2: ['value', 'maxPriorityFeePerGas', 'maxFeePerGas', 'data', 'accessList'],
  4: ['value', 'maxPriorityFeePerGas', 'maxFeePerGas', 'data', 'accessList', 'authorizationList'],
};

/**
 * Reads the columns of `count` transactions (op-node: `spanBatchTxs.decode`).
 * @throws ProtocolError batch-malformed or rlp-malformed
 */
export function readSpanTransactions(reader: SpanReader, count: number): SpanTransactions {
  const each = <T>(length: number, read: () => T): T[] => {
    const items: T[] = [];
    for (let index = 0; index < length; index++) items.push(read());
    return items;
  };
  const contractCreation = reader.bits(count, 'contract_creation_bits');
  const yParity = reader.bits(count, 'y_parity_bits');
  const signatures = each(count, () => reader.take(64, 'tx_sigs'));
  const recipients = each(contractCreation.filter((creates) => !creates).length, () => reader.take(20, 'tx_tos'));
  const data = each(count, () => reader.transactionData('tx_datas'));
  const nonces = each(count, () => reader.uvarint('tx_nonces'));
  const gases = each(count, () => reader.uvarint('tx_gases'));
  const legacy = data.filter((bytes) => transactionType(bytes) === 0).length;
  return {
    contractCreation,
    yParity,
    signatures,
    recipients,
    data,
    nonces,
    gases,
    protection: reader.bits(legacy, 'protected_bits'),
  };
}

/** Encodes the columns one after another (op-node: `spanBatchTxs.encode`). */
export function encodeSpanTransactions(columns: SpanTransactions): Uint8Array {
  return concatAll([
    encodeBits(columns.contractCreation),
    encodeBits(columns.yParity),
    ...columns.signatures,
    ...columns.recipients,
    ...columns.data,
    ...columns.nonces.map(encodeUvarint),
    ...columns.gases.map(encodeUvarint),
    encodeBits(columns.protection),
  ]);
}

/**
 * Joins the columns to encoded transactions, in order (op-node: `spanBatchTxs.fullTxs`, kona: `full_txs`).
 * @throws ProtocolError batch-malformed or rlp-malformed
 */
export function joinTransactions(columns: SpanTransactions, chainId: bigint): Uint8Array[] {
  const chain = rlpUint(chainId);
  let recipient = 0;
  let legacy = 0;
  return columns.data.map((data, index) => {
    const type = transactionType(data);
    if (type === undefined || !isSignedType(type)) throw spanError('tx_datas', `transaction of unknown type ${type}`);
    const creates = columns.contractCreation[index];
    if (creates && type === 4)
      throw spanError('contract_creation_bits', 'a transaction of type 4 cannot create a contract');
    const fields = decodeFields(type === 0 ? data : data.subarray(1), `tx_datas of type ${type}`, DATA_FIELDS[type]);
    const parity = columns.yParity[index] ? 1n : 0n;
    const v = type > 0 ? parity : columns.protection[legacy++] ? chainId * 2n + 35n + parity : 27n + parity;
    const signature = present(columns.signatures[index], 'signature');
    return encodeTransaction({
      type,
      fields: {
        ...fields,
        chainId: chain,
        nonce: rlpUint(present(columns.nonces[index], 'nonce')),
        gas: rlpUint(present(columns.gases[index], 'gas limit')),
        to: creates ? new Uint8Array(0) : present(columns.recipients[recipient++], 'recipient'),
        v: rlpUint(v),
        r: withoutLeadingZeros(signature.subarray(0, 32)),
        s: withoutLeadingZeros(signature.subarray(32)),
      },
    });
  });
}

/**
 * Splits encoded transactions into columns (op-node: `newSpanBatchTxs`, kona: `add_txs`).
 * @throws ProtocolError batch-malformed for one that no span batch of this chain can hold
 */
export function splitTransactions(transactions: readonly Uint8Array[], chainId: bigint): SpanTransactions {
  const parts = transactions.map((encoded) => splitTransaction(encoded, chainId));
  return {
    contractCreation: parts.map(({ to }) => to.length === 0),
    yParity: parts.map(({ parity }) => parity),
    signatures: parts.map(({ signature }) => signature),
    recipients: parts.map(({ to }) => to).filter(({ length }) => length > 0),
    data: parts.map(({ data }) => data),
    nonces: parts.map(({ nonce }) => nonce),
    gases: parts.map(({ gas }) => gas),
    protection: parts.flatMap(({ isProtected }) => (isProtected === null ? [] : [isProtected])),
  };
}

function splitTransaction(encoded: Uint8Array, chainId: bigint) {
  const type = transactionType(encoded);
  if (type === undefined || !isSignedType(type))
    throw spanError('tx_datas', `a transaction of type ${type ?? 'none'} cannot stand in a batch`);
  const { fields } = decodeTransaction(encoded);
  const integer = (name: TransactionField) => asBigInt(fields[name], name);
  const v = integer('v');
  const isProtected = type > 0 ? null : v !== 27n && v !== 28n;
  const parity = isProtected === null ? v : isProtected ? v - 35n - 2n * chainId : v - 27n;
  if (parity !== 0n && parity !== 1n)
    throw spanError('y_parity_bits', `signature of another chain than ${chainId}, v is ${v}`);
  if (type > 0 && integer('chainId') !== chainId)
    throw spanError('tx_datas', `transaction of chain ${integer('chainId')}, expected ${chainId}`);
  const body = rlpEncode(DATA_FIELDS[type].map((name) => present(fields[name], name)));
  return {
    to: asBytes(fields.to, 'to'),
    parity: parity === 1n,
    signature: concat(uintBe(integer('r'), 32), uintBe(integer('s'), 32)),
    data: type === 0 ? body : concat(Uint8Array.of(type), body),
    nonce: integer('nonce'),
    gas: integer('gas'),
    isProtected,
  };
}
