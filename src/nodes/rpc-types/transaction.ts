import { concat } from '../../protocol/bytes.ts';
import { encodeDeposit } from '../../protocol/codec/deposit.ts';
import { type RlpItem, rlpEncode, rlpListOfEncoded, rlpUint } from '../../protocol/codec/rlp.ts';
import { hexToBytes, lowerHex } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import { jsonField, jsonObjects } from '../../rpc/json-object.ts';

/** A transaction object of JSON-RPC. */
export type TransactionJson = Readonly<Record<string, unknown>>;

type Encoder = (json: TransactionJson) => Uint8Array;

/** EIP-2718 encodings by type. */
const ENCODERS: Readonly<Record<number, Encoder>> = {
  0: (json) => rlpEncode([...gasPriced(json), uint(json['v']), uint(json['r']), uint(json['s'])]),
  1: (json) => typed(1, [uint(json['chainId']), ...gasPriced(json), accessList(json), ...signature(json)]),
  2: (json) => typed(2, [...feeMarket(json), accessList(json), ...signature(json)]),
  3: (json) =>
    typed(3, [
      ...feeMarket(json),
      accessList(json),
      uint(json['maxFeePerBlobGas']),
      list(json['blobVersionedHashes']).map((hash) => data(hash)),
      ...signature(json),
    ]),
  4: (json) => typed(4, [...feeMarket(json), accessList(json), authorizations(json), ...signature(json)]),
  126: (json) =>
    encodeDeposit({
      sourceHash: hex(json['sourceHash']),
      from: hex(json['from']),
      to: json['to'] == null ? null : hex(json['to']),
      mint: BigInt(String(json['mint'] ?? '0x0')),
      value: BigInt(String(json['value'])),
      gas: Number(json['gas']),
      isSystemTransaction: json['isSystemTx'] === true,
      data: hex(json['input']),
    }),
};

/**
 * Encodes a signed transaction from its JSON (geth: `Transaction.MarshalBinary`).
 * @throws Error on an unknown type or a missing field
 */
export function encodeTransaction(json: TransactionJson): Uint8Array {
  const type = Number(json['type'] ?? 0);
  const encoder = ENCODERS[type];
  if (!encoder) throw new Error(`transaction ${String(json['hash'])} has the unknown type ${type}`);
  return encoder(json);
}

/** What a signature is over, by type: without it, and with the chain id of EIP-155. */
const UNSIGNED: Readonly<Record<number, Encoder>> = {
  0: (json) => rlpEncode([...gasPriced(json), uint(json['chainId']), uint(0), uint(0)]),
  1: (json) => typed(1, [uint(json['chainId']), ...gasPriced(json), accessList(json)]),
  2: (json) => typed(2, [...feeMarket(json), accessList(json)]),
  4: (json) => typed(4, [...feeMarket(json), accessList(json), authorizations(json)]),
};

/**
 * Encodes what the signature of a transaction without blobs is over (geth: `Signer.Hash`, before the hash).
 * @throws Error on a type that has no such form, or a missing field
 */
export function encodeUnsigned(json: TransactionJson): Uint8Array {
  const type = Number(json['type'] ?? 0);
  const encoder = UNSIGNED[type];
  if (!encoder) throw new Error(`a transaction of type ${type} cannot be signed here`);
  return encoder(json);
}

/** Wrapper version of a sidecar with cell proofs (EIP-7594). */
const CELL_PROOFS_VERSION = Uint8Array.of(1);

/**
 * Encodes a transaction, and its blob sidecar if the JSON carries one (geth: `blobTxWithBlobs`).
 * anvil's transactions roots include sidecars. A sidecar holds one proof per blob (EIP-4844) or cell proofs
 * (EIP-7594).
 */
export function encodeWithSidecar(json: TransactionJson): Uint8Array {
  const encoded = encodeTransaction(json);
  if (!Array.isArray(json['blobs'])) return encoded;
  const blobs = dataList(json['blobs']);
  const commitments = dataList(json['commitments']);
  const sidecar = Array.isArray(json['cellProofs'])
    ? [CELL_PROOFS_VERSION, blobs, commitments, dataList(json['cellProofs'])]
    : [blobs, commitments, dataList(json['proofs'])];
  return concat(encoded.subarray(0, 1), rlpListOfEncoded([encoded.subarray(1), ...sidecar.map(rlpEncode)]));
}

function typed(type: number, fields: readonly RlpItem[]): Uint8Array {
  return concat(Uint8Array.of(type), rlpEncode(fields));
}

function gasPriced(json: TransactionJson): RlpItem[] {
  return [uint(json['nonce']), uint(json['gasPrice']), uint(json['gas']), to(json), uint(json['value']), input(json)];
}

function feeMarket(json: TransactionJson): RlpItem[] {
  return [
    uint(json['chainId']),
    uint(json['nonce']),
    uint(json['maxPriorityFeePerGas']),
    uint(json['maxFeePerGas']),
    uint(json['gas']),
    to(json),
    uint(json['value']),
    input(json),
  ];
}

function signature(json: TransactionJson): RlpItem[] {
  return [uint(json['yParity'] ?? json['v']), uint(json['r']), uint(json['s'])];
}

function accessList(json: TransactionJson): RlpItem {
  return list(json['accessList']).map((entry) => {
    return [data(jsonField(entry, 'address')), list(jsonField(entry, 'storageKeys')).map(data)];
  });
}

function authorizations(json: TransactionJson): RlpItem {
  return jsonObjects(json['authorizationList'] ?? [], 'authorizations').map((fields) => [
    uint(fields['chainId']),
    data(fields['address']),
    uint(fields['nonce']),
    ...signature(fields),
  ]);
}

function to(json: TransactionJson): Uint8Array {
  return json['to'] == null ? new Uint8Array(0) : data(json['to']);
}

function input(json: TransactionJson): Uint8Array {
  return data(json['input'] ?? json['data']);
}

function hex(value: unknown): Hex {
  return lowerHex(String(value));
}

function data(value: unknown): Uint8Array {
  return hexToBytes(String(value));
}

function dataList(value: unknown): RlpItem {
  return list(value).map(data);
}

function uint(value: unknown): Uint8Array {
  return rlpUint(BigInt(String(value)));
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
