import { concat, toBigInt } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import { present } from '../present.ts';
import {
  asBigInt,
  asBytes,
  asList,
  checkInteger,
  type RlpItem,
  rlpDecode,
  rlpEncode,
  rlpSpan,
  rlpUint,
} from './rlp.ts';

/** Transaction types that carry a signature and may stand in a batch. */
export type SignedType = 0 | 1 | 2 | 4;
/** {@link SignedType}, and blob transactions (EIP-4844), which only Ethereum itself accepts. */
export type TransactionType = SignedType | 3;

/** Name of a field of a signed transaction. */
export type TransactionField =
  | 'chainId'
  | 'nonce'
  | 'gasPrice'
  | 'maxPriorityFeePerGas'
  | 'maxFeePerGas'
  | 'gas'
  | 'to'
  | 'value'
  | 'data'
  | 'accessList'
  | 'authorizationList'
  | 'maxFeePerBlobGas'
  | 'blobVersionedHashes'
  | 'v'
  | 'r'
  | 's';

/** First fields of the transaction types that follow EIP-1559. */
const DYNAMIC_FEE = [
  'chainId',
  'nonce',
  'maxPriorityFeePerGas',
  'maxFeePerGas',
  'gas',
  'to',
  'value',
  'data',
  'accessList',
] as const;
const SIGNATURE = ['v', 'r', 's'] as const;

/** Field order by transaction type (EIP-155, 2930, 1559, 4844, 7702). `v` is the y parity in typed transactions. */
const FIELDS: Readonly<Record<TransactionType, readonly TransactionField[]>> = {
  0: ['nonce', 'gasPrice', 'gas', 'to', 'value', 'data', 'v', 'r', 's'],
  1: ['chainId', 'nonce', 'gasPrice', 'gas', 'to', 'value', 'data', 'accessList', 'v', 'r', 's'],
  2: [...DYNAMIC_FEE, ...SIGNATURE],
  3: [...DYNAMIC_FEE, 'maxFeePerBlobGas', 'blobVersionedHashes', ...SIGNATURE],
  4: [...DYNAMIC_FEE, 'authorizationList', ...SIGNATURE],
};

/** A signed transaction by its fields, each as RLP holds it. */
export interface SignedTransaction {
  readonly type: TransactionType;
  readonly fields: Readonly<Partial<Record<TransactionField, RlpItem>>>;
}

/** The bytes of each field of an encoded transaction, without copies or views of them. */
export class TransactionSpans {
  readonly type: TransactionType;
  readonly encoded: Uint8Array;
  /** Start and end of the content of each field, in the order of {@link FIELDS}. */
  readonly #spans: number[] = [];

  /** @throws ProtocolError rlp-malformed; batch-malformed on a type without such fields */
  constructor(encoded: Uint8Array) {
    const type = transactionType(encoded);
    if (type === undefined || !isTransactionType(type)) throw unknownType(type);
    this.type = type;
    this.encoded = encoded;
    const { start, end } = rlpSpan(encoded, type === 0 ? 0 : 1);
    for (let at = start; at < end; ) {
      const span = rlpSpan(encoded, at);
      this.#spans.push(span.start, span.end);
      at = span.end;
    }
  }

  start(name: TransactionField): number {
    return this.#spans[2 * FIELDS[this.type].indexOf(name)] ?? 0;
  }

  end(name: TransactionField): number {
    return this.#spans[2 * FIELDS[this.type].indexOf(name) + 1] ?? 0;
  }

  isEmpty(name: TransactionField): boolean {
    return this.start(name) === this.end(name);
  }

  /** Returns an integer; 0: the type lacks the field. */
  integer(name: TransactionField): bigint {
    return toBigInt(this.encoded, this.start(name), this.end(name));
  }

  /** Returns the bytes of a field, which share memory with the transaction. None: the type lacks the field. */
  bytes(name: TransactionField): Uint8Array {
    return this.encoded.subarray(this.start(name), this.end(name));
  }
}

/** Returns the type of an encoded transaction (EIP-2718): 0 for a legacy one, undefined for no bytes. */
export function transactionType(encoded: Uint8Array): number | undefined {
  const first = encoded[0];
  return first !== undefined && first >= 0xc0 ? 0 : first;
}

/**
 * Decodes a transaction (geth: `Transaction.UnmarshalBinary`).
 * @throws ProtocolError rlp-malformed; batch-malformed on a type without such fields
 */
export function decodeTransaction(encoded: Uint8Array): SignedTransaction {
  const type = transactionType(encoded);
  if (type === undefined || !isTransactionType(type)) throw unknownType(type);
  const body = type === 0 ? encoded : encoded.subarray(1);
  return { type, fields: decodeFields(body, `transaction of type ${type}`, FIELDS[type]) };
}

/**
 * Decodes an RLP list of the named fields, in their order.
 * @throws ProtocolError rlp-malformed on another number of items or on one of another shape
 */
export function decodeFields(
  list: Uint8Array,
  what: string,
  names: readonly TransactionField[],
): SignedTransaction['fields'] {
  const items = asList(rlpDecode(list), what, names.length);
  const fields: Partial<Record<TransactionField, RlpItem>> = {};
  for (const [index, name] of names.entries()) {
    const item = present(items[index], name);
    checkField(name, item);
    fields[name] = item;
  }
  return fields;
}

/** Encodes a transaction (EIP-2718; geth: `Transaction.MarshalBinary`). */
export function encodeTransaction({ type, fields }: SignedTransaction): Uint8Array {
  const body = rlpEncode(FIELDS[type].map((name) => fields[name] ?? new Uint8Array(0)));
  return type === 0 ? body : concat(Uint8Array.of(type), body);
}

/** Returns the bytes whose keccak-256 is signed (EIP-155, EIP-2718). Their hash is `Signer.Hash` in geth. */
export function signingPayload({ type, fields }: SignedTransaction): Uint8Array {
  const unsigned = FIELDS[type].slice(0, -3).map((name) => fields[name] ?? new Uint8Array(0));
  if (type !== 0) return concat(Uint8Array.of(type), rlpEncode(unsigned));
  const v = asBigInt(fields.v, 'v');
  return rlpEncode(v < 35n ? unsigned : [...unsigned, rlpUint((v - 35n) / 2n), rlpUint(0), rlpUint(0)]);
}

/** Tells whether a type has signed fields that this module knows. */
export function isTransactionType(type: number): type is TransactionType {
  return type in FIELDS;
}

/** Tells whether a batch may carry transactions of a type. */
export function isSignedType(type: number): type is SignedType {
  return isTransactionType(type) && type !== 3;
}

/** @throws ProtocolError rlp-malformed unless the item has the field's shape */
function checkField(name: TransactionField, item: RlpItem): void {
  if (name === 'data') asBytes(item, name);
  else if (name === 'to') addressOrNone(item);
  else if (name === 'accessList') for (const entry of asList(item, name)) checkAccess(entry);
  else if (name === 'blobVersionedHashes') for (const hash of asList(item, name)) checkBlobHash(hash);
  else if (name === 'authorizationList') for (const entry of asList(item, name)) checkAuthorization(entry);
  else checkInteger(item, name);
}

function addressOrNone(item: RlpItem): void {
  const { length } = asBytes(item, 'to');
  if (length !== 0 && length !== 20) throw shape('to', `0 or 20 bytes, found ${length}`);
}

function checkAccess(entry: RlpItem): void {
  const [address, keys] = asList(entry, 'access list entry', 2);
  if (asBytes(address, 'address').length !== 20) throw shape('accessList', 'addresses of 20 bytes');
  for (const key of asList(keys, 'storage keys'))
    if (asBytes(key, 'storage key').length !== 32) throw shape('accessList', 'keys of 32 bytes');
}

function checkBlobHash(hash: RlpItem): void {
  if (asBytes(hash, 'blob hash').length !== 32) throw shape('blobVersionedHashes', 'hashes of 32 bytes');
}

function checkAuthorization(entry: RlpItem): void {
  const [chainId, address, nonce, parity, r, s] = asList(entry, 'authorization', 6);
  for (const integer of [chainId, nonce, parity, r, s]) checkInteger(integer, 'authorization');
  if (asBytes(address, 'address').length !== 20) throw shape('authorizationList', 'addresses of 20 bytes');
}

function shape(field: string, expected: string): ProtocolError {
  return new ProtocolError('rlp-malformed', 'drop', `transaction, ${field}: expected ${expected}`, { offset: 0 });
}

function unknownType(type: number | undefined): ProtocolError {
  return new ProtocolError('batch-malformed', 'drop', `transaction of type ${type ?? 'none'} cannot stand in a batch`, {
    field: 'type',
  });
}
