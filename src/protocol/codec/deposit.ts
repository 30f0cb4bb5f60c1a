import { concat } from '../bytes.ts';
import { ProtocolError } from '../errors.ts';
import { keccak256 } from '../hash.ts';
import { bytesToHex, hexToBytes, hexToSized } from '../hex.ts';
import type { Hex } from '../types.ts';
import { asBigInt, asBytes, asList, asNumber, rlpDecode, rlpEncode, rlpUint } from './rlp.ts';

/** First byte of an encoded deposit transaction. */
export const DEPOSIT_TYPE = 0x7e;

/**
 * A deposited transaction (op-geth: `DepositTx`, op-alloy: `TxDeposit`). Amounts in wei.
 * Specification: Deposits, The Deposited Transaction Type.
 */
export interface DepositTransaction {
  readonly sourceHash: Hex;
  readonly from: Hex;
  /** null creates a contract. */
  readonly to: Hex | null;
  readonly mint: bigint;
  readonly value: bigint;
  readonly gas: number;
  readonly isSystemTransaction: boolean;
  readonly data: Hex;
}

/** Encodes 0x7E ‖ rlp[sourceHash, from, to, mint, value, gas, isSystemTx, data]. */
export function encodeDeposit(deposit: DepositTransaction): Uint8Array {
  const body = rlpEncode([
    hexToSized(deposit.sourceHash, 32),
    hexToSized(deposit.from, 20),
    deposit.to === null ? new Uint8Array(0) : hexToSized(deposit.to, 20),
    rlpUint(deposit.mint),
    rlpUint(deposit.value),
    rlpUint(deposit.gas),
    rlpUint(deposit.isSystemTransaction ? 1 : 0),
    hexToBytes(deposit.data),
  ]);
  return concat(Uint8Array.of(DEPOSIT_TYPE), body);
}

/** Decodes a deposit transaction. @throws ProtocolError deposit-malformed or rlp-malformed */
export function decodeDeposit(encoded: Uint8Array): DepositTransaction {
  if (encoded[0] !== DEPOSIT_TYPE) throw malformed('type', `expected 0x7e, found ${encoded[0] ?? 'no byte'}`);
  const fields = asList(rlpDecode(encoded.subarray(1)), 'deposit', 8);
  const to = asBytes(fields[2], 'to');
  const system = asNumber(fields[6], 'isSystemTx');
  if (system > 1) throw malformed('isSystemTx', `expected 0 or 1, found ${system}`);
  return {
    sourceHash: sized(asBytes(fields[0], 'sourceHash'), 32, 'sourceHash'),
    from: sized(asBytes(fields[1], 'from'), 20, 'from'),
    to: to.length === 0 ? null : sized(to, 20, 'to'),
    mint: asBigInt(fields[3], 'mint'),
    value: asBigInt(fields[4], 'value'),
    gas: asNumber(fields[5], 'gas'),
    isSystemTransaction: system === 1,
    data: bytesToHex(asBytes(fields[7], 'data')),
  };
}

/** Computes the transaction hash: keccak-256 of the encoding. */
export function depositHash(deposit: DepositTransaction): Hex {
  return keccak256(encodeDeposit(deposit));
}

/** Tells whether an encoded transaction is a deposit. */
export function isDeposit(encoded: Hex): boolean {
  return encoded.startsWith('0x7e') || encoded.startsWith('0x7E');
}

function sized(bytes: Uint8Array, size: number, field: string): Hex {
  if (bytes.length !== size) throw malformed(field, `expected ${size} bytes, found ${bytes.length}`);
  return bytesToHex(bytes);
}

function malformed(field: string, problem: string): ProtocolError {
  return new ProtocolError('deposit-malformed', 'drop', `deposit transaction, ${field}: ${problem}`, { field });
}
