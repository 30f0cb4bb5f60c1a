import { toBigInt } from '../../../protocol/bytes.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import { RpcError } from '../../../rpc/error.ts';

const ERROR = '0x08c379a0';
const PANIC = '0x4e487b71';

/** The ABI-decoded data of a revert. */
export type RevertReason =
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'panic'; readonly code: bigint };

/** Decodes Error(string) and Panic(uint256). Returns undefined for all other data. */
export function revertReason(data: Uint8Array): RevertReason | undefined {
  const selector = bytesToHex(data.subarray(0, 4));
  if (selector === PANIC && data.length >= 36) return { kind: 'panic', code: toBigInt(data.subarray(4, 36)) };
  if (selector !== ERROR || data.length < 68) return undefined;
  const length = toBigInt(data.subarray(36, 68));
  if (BigInt(data.length) < 68n + length) return undefined;
  return { kind: 'error', text: Buffer.from(data.subarray(68, 68 + Number(length))).toString('utf8') };
}

/** Texts of geth's `panicReasons` (accounts/abi). */
const PANICS: ReadonlyMap<bigint, string> = new Map([
  [0x00n, 'generic panic'],
  [0x01n, 'assert(false)'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'enum overflow'],
  [0x22n, 'invalid encoded storage byte array accessed'],
  [0x31n, 'out-of-bounds array access; popping on an empty array'],
  [0x32n, 'out-of-bounds access of an array or bytesN'],
  [0x41n, 'out of memory'],
  [0x51n, 'uninitialized function'],
]);

/** Returns the revert reason as text, as geth's `abi.UnpackRevert`. Every tracer shows this text. */
export function unpackRevert(data: Uint8Array): string | undefined {
  const reason = revertReason(data);
  if (reason === undefined) return undefined;
  if (reason.kind === 'error') return reason.text;
  return PANICS.get(reason.code) ?? `unknown panic code: 0x${reason.code.toString(16)}`;
}

/**
 * Returns the error of a reverted call: code 3, with the returned bytes as data.
 * Counterparts: `newRevertError` of geth, `RevertError` of reth.
 */
export function revertError(returnValue: Uint8Array, reason: string | undefined): RpcError {
  const message = reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`;
  return new RpcError(3, message, bytesToHex(returnValue));
}
