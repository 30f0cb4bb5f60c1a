import { concat } from '../../../protocol/bytes.ts';
import { DEPOSIT_TYPE } from '../../../protocol/codec/deposit.ts';
import { asBigInt, asBytes, asList, type RlpItem, rlpEncode, rlpUint } from '../../../protocol/codec/rlp.ts';
import {
  decodeTransaction as decodeFields,
  isTransactionType,
  signingPayload,
  type TransactionField,
  TransactionSpans,
  type TransactionType,
  transactionType,
} from '../../../protocol/codec/transaction.ts';
import { keccak256Bytes } from '../../../protocol/hash.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { recoverAddress } from '../evm/crypto.ts';

/** An entry of an access list (EIP-2930; geth: `AccessTuple`). */
export interface AccessListEntry {
  readonly address: Uint8Array;
  readonly storageKeys: readonly Uint8Array[];
}

/** An entry of an EIP-7702 authorization list (geth: `SetCodeAuthorization`). */
export interface Authorization {
  readonly chainId: bigint;
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

/** A signed transaction of type 0 to 4 (geth: `types.Transaction`). Prices in wei per gas. */
export interface SignedTransaction {
  readonly type: TransactionType;
  readonly hash: Hex;
  /** EIP-2718 encoding, as in a block. */
  readonly raw: Uint8Array;
  readonly sender: Uint8Array;
  /** undefined: a legacy transaction without replay protection (EIP-155). */
  readonly chainId: bigint | undefined;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** The gas price for types 0 and 1. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** null: the transaction creates a contract. */
  readonly to: Uint8Array | null;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[];
  readonly authorizationList: readonly Authorization[];
  /** Blob transactions only (EIP-4844): wei per blob gas, and the versioned hashes. */
  readonly maxFeePerBlobGas?: bigint;
  readonly blobVersionedHashes?: readonly Uint8Array[];
}

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const HALF_CURVE_ORDER = CURVE_ORDER / 2n;

/** Whether an encoded transaction is a deposit. */
export function isDeposit(raw: Uint8Array): boolean {
  return raw[0] === DEPOSIT_TYPE;
}

/** Returns whether code is an EIP-7702 delegation (geth: `ParseDelegation`). */
export function isDelegation(code: Uint8Array): boolean {
  return code.length === 23 && code[0] === 0xef && code[1] === 1 && code[2] === 0;
}

/** The results of decoding that take most of its time. */
export type Recovered = Pick<SignedTransaction, 'hash' | 'sender'>;

/** Hash and sender by the encoded bytes, while these are in use. */
const IDENTITIES = new WeakMap<Uint8Array, Recovered>();

/**
 * Notes the hash and sender of the bytes of a valid transaction, which a store keeps beside them. Decoding then
 * recovers neither and checks nothing.
 */
export function noteRecovered(raw: Uint8Array, recovered: Recovered): void {
  IDENTITIES.set(raw, recovered);
}

/** Returns the hash and sender of a valid transaction. @throws as {@link decodeTransaction} */
export function identityOf(raw: Uint8Array): Recovered {
  return IDENTITIES.get(raw) ?? decodeTransaction(raw);
}

/**
 * Decodes a transaction and recovers its sender (geth: `UnmarshalBinary`, `types.Sender`).
 * @throws ProtocolError rlp-malformed, or Error with the problem
 */
export function decodeTransaction(raw: Uint8Array): SignedTransaction {
  const identity = IDENTITIES.get(raw);
  return identity === undefined ? decodeFirst(raw) : decodeAgain(raw, identity);
}

/** Reads the fields of a transaction that is valid as its hash and sender are known: without checks and views. */
function decodeAgain(raw: Uint8Array, { hash, sender }: Recovered): SignedTransaction {
  const spans = new TransactionSpans(raw);
  const { type } = spans;
  const integer = (name: TransactionField) => spans.integer(name);
  const gasPrice = type < 2 ? integer('gasPrice') : undefined;
  const hasLists = type > 2 || !spans.isEmpty('accessList');
  return {
    ...{ type, hash, raw, sender },
    chainId: type === 0 ? legacyChainId(integer('v')) : integer('chainId'),
    nonce: integer('nonce'),
    gasLimit: integer('gas'),
    maxFeePerGas: gasPrice ?? integer('maxFeePerGas'),
    maxPriorityFeePerGas: gasPrice ?? integer('maxPriorityFeePerGas'),
    to: spans.isEmpty('to') ? null : spans.bytes('to'),
    value: integer('value'),
    data: spans.bytes('data'),
    ...(hasLists ? listsOf(raw) : NO_LISTS),
    ...(type === 3 ? { maxFeePerBlobGas: integer('maxFeePerBlobGas') } : {}),
  };
}

function decodeFirst(raw: Uint8Array): SignedTransaction {
  const type = transactionType(raw);
  if (type === undefined || !isTransactionType(type)) throw new Error('transaction type not supported');
  const decoded = decodeFields(raw);
  const { fields } = decoded;
  const integer = (name: TransactionField, bytes = 32) => asBigInt(fields[name], name, bytes);
  const v = integer('v', type === 0 ? 8 : 1);
  const chainId = type === 0 ? legacyChainId(v) : integer('chainId');
  const gasPrice = fields.gasPrice === undefined ? undefined : integer('gasPrice');
  const to = asBytes(fields.to, 'to');
  if (type === 4 && to.length === 0) throw new Error('set code transaction must not be a create transaction');
  if (type === 3 && to.length === 0) throw new Error('blob transaction must not be a create transaction');
  const [r, s] = [integer('r'), integer('s')];
  if (r === 0n || r >= CURVE_ORDER || s === 0n || s > HALF_CURVE_ORDER)
    throw new Error('invalid transaction v, r, s values');
  const message = keccak256Bytes(signingPayload(decoded));
  const sender = recoverAddress(message, rlpUint(r), rlpUint(s), recoveryOf(type, v));
  const transaction: SignedTransaction = {
    type,
    hash: bytesToHex(keccak256Bytes(raw)),
    raw,
    sender,
    chainId,
    nonce: integer('nonce', 8),
    gasLimit: integer('gas', 8),
    maxFeePerGas: gasPrice ?? integer('maxFeePerGas'),
    maxPriorityFeePerGas: gasPrice ?? integer('maxPriorityFeePerGas'),
    to: to.length === 0 ? null : to,
    value: integer('value'),
    data: asBytes(fields.data, 'data'),
    ...listsIn(fields),
    ...(type === 3 ? { maxFeePerBlobGas: integer('maxFeePerBlobGas') } : {}),
  };
  // Only now: bytes whose identity is known are not checked again.
  IDENTITIES.set(raw, { hash: transaction.hash, sender });
  return transaction;
}

/** undefined: without replay protection (EIP-155). */
function legacyChainId(v: bigint): bigint | undefined {
  return v >= 35n ? (v - 35n) / 2n : undefined;
}

const NO_LISTS = { accessList: [], authorizationList: [] } as const;

type Lists = Pick<SignedTransaction, 'accessList' | 'authorizationList' | 'blobVersionedHashes'>;

/** Returns the lists of an encoded transaction, whose signature may be invalid. @throws ProtocolError rlp-malformed */
export function listsOf(raw: Uint8Array): Lists {
  return listsIn(decodeFields(raw).fields);
}

function listsIn(fields: ReturnType<typeof decodeFields>['fields']): Lists {
  const list = (name: TransactionField) => (fields[name] === undefined ? [] : asList(fields[name], name));
  return {
    accessList: list('accessList').map(accessListEntry),
    authorizationList: list('authorizationList').map(authorization),
    ...(fields.blobVersionedHashes === undefined
      ? {}
      : { blobVersionedHashes: list('blobVersionedHashes').map((hash) => asBytes(hash, 'blob hash')) }),
  };
}

/** Returns the y parity of `v`: the parity itself, 27 and 28, or EIP-155. @throws Error on other values */
function recoveryOf(type: number, v: bigint): number {
  const recovery = type !== 0 ? v : v >= 35n ? (v - 35n) % 2n : v - 27n;
  if (recovery !== 0n && recovery !== 1n) throw new Error('invalid transaction v, r, s values');
  return Number(recovery);
}

function accessListEntry(item: RlpItem): AccessListEntry {
  const [address, keys] = asList(item, 'access list entry', 2);
  return {
    address: asBytes(address, 'address'),
    storageKeys: asList(keys, 'storage keys').map((key) => asBytes(key, 'storage key')),
  };
}

function authorization(item: RlpItem): Authorization {
  const [chainId, address, nonce, yParity, r, s] = asList(item, 'authorization', 6);
  return {
    chainId: asBigInt(chainId, 'chainId'),
    address: asBytes(address, 'address'),
    nonce: asBigInt(nonce, 'nonce', 8),
    yParity: asBigInt(yParity, 'yParity', 1),
    r: asBigInt(r, 'r'),
    s: asBigInt(s, 's'),
  };
}

/** A nonce that cannot be raised (EIP-2681). */
export const MAX_NONCE = 2n ** 64n - 1n;

/**
 * Whether an authorization is for a chain and has a nonce that can be raised.
 * If not, its signature is not checked (EIP-7702).
 */
export function isForChain({ chainId, nonce }: Authorization, chain: number): boolean {
  return (chainId === 0n || chainId === BigInt(chain)) && nonce < MAX_NONCE;
}

/**
 * Returns the signer of an authorization, or undefined for an invalid signature.
 * Source: EIP-7702, magic 0x05 and low s (geth: `SetCodeAuthorization.Authority`).
 */
export function authorityOf(entry: Authorization): Uint8Array | undefined {
  // The recovery itself rejects an r or s of 0 and an r outside the order of the curve.
  if (entry.yParity > 1n || entry.s > HALF_CURVE_ORDER) return undefined;
  const message = concat(Uint8Array.of(5), rlpEncode([rlpUint(entry.chainId), entry.address, rlpUint(entry.nonce)]));
  try {
    return recoverAddress(keccak256Bytes(message), rlpUint(entry.r), rlpUint(entry.s), Number(entry.yParity));
  } catch {
    return undefined;
  }
}

/** Returns the price in wei per gas that a transaction pays at a base fee (geth: `effectiveGasPrice`). */
export function effectiveGasPrice(
  transaction: Pick<SignedTransaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'>,
  baseFee: bigint,
): bigint {
  const withTip = baseFee + transaction.maxPriorityFeePerGas;
  if (withTip > transaction.maxFeePerGas) return transaction.maxFeePerGas;
  return withTip;
}
