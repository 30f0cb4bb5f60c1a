import { concat } from '../../protocol/bytes.ts';
import { type RlpItem, rlpEncode, rlpUint } from '../../protocol/codec/rlp.ts';
import { keccak256, keccak256Bytes } from '../../protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import type { Account } from './account.ts';

/** Blobs with commitments and proofs, as a type 3 transaction carries them (geth: `BlobTxSidecar`). */
export interface BlobSidecar {
  readonly blobs: readonly Uint8Array[];
  readonly commitments: readonly Uint8Array[];
  readonly proofs: readonly Uint8Array[];
  readonly versionedHashes: readonly Hex[];
}

/** Fees in wei per gas; `maxFeePerBlobGas` of type 3 only. */
export interface Fees {
  readonly maxPriorityFeePerGas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxFeePerBlobGas: bigint;
}

/** A transaction before its signature (geth: `DynamicFeeTx`, `BlobTx`). */
export interface UnsignedTransaction {
  readonly chainId: number;
  readonly nonce: number;
  readonly gas: number;
  readonly to: Hex;
  readonly data: Uint8Array;
  /** wei; absent: none. */
  readonly value?: bigint | undefined;
  readonly fees: Fees;
  /** Present: type 3 (EIP-4844), else type 2 (EIP-1559). */
  readonly sidecar?: BlobSidecar | undefined;
}

/** A signed and encoded transaction. */
export interface SignedRaw {
  readonly hash: Hex;
  /** Network form: type 3 with its sidecar. */
  readonly raw: Hex;
}

/**
 * Signs a transaction of type 2, or of type 3 if it has blobs (geth: `SignNewTx`).
 * The access list is empty.
 */
export function signTransaction(account: Account, transaction: UnsignedTransaction): SignedRaw {
  const { chainId, nonce, gas, to, data, value = 0n, fees, sidecar } = transaction;
  const type = Uint8Array.of(sidecar === undefined ? 2 : 3);
  const fields: RlpItem[] = [
    rlpUint(chainId),
    rlpUint(nonce),
    rlpUint(fees.maxPriorityFeePerGas),
    rlpUint(fees.maxFeePerGas),
    rlpUint(gas),
    hexToBytes(to),
    rlpUint(value),
    data,
    [],
  ];
  if (sidecar !== undefined) fields.push(rlpUint(fees.maxFeePerBlobGas), sidecar.versionedHashes.map(hexToBytes));
  const { yParity, r, s } = account.sign(keccak256Bytes(concat(type, rlpEncode(fields))));
  const payload = [...fields, rlpUint(yParity), rlpUint(r), rlpUint(s)];
  const canonical = concat(type, rlpEncode(payload));
  const network =
    sidecar === undefined
      ? canonical
      : concat(type, rlpEncode([payload, sidecar.blobs, sidecar.commitments, sidecar.proofs]));
  return { hash: keccak256(canonical), raw: bytesToHex(network) };
}

const TRANSFER_GAS = 21_000;
const GAS_PER_TOKEN = 4;
/** EIP-7623 */
const FLOOR_GAS_PER_TOKEN = 10;

/**
 * Returns the intrinsic gas of a call with this data to an account without code (geth: `IntrinsicGas`, `FloorDataGas`).
 * The calldata floor is that of EIP-7623.
 */
export function dataGas(data: Uint8Array): number {
  let tokens = 0;
  for (let at = 0; at < data.length; at++) tokens += data[at] === 0 ? 1 : 4;
  return TRANSFER_GAS + tokens * Math.max(GAS_PER_TOKEN, FLOOR_GAS_PER_TOKEN);
}
