import { toBigInt } from '../../../protocol/bytes.ts';
import { bytesToHex } from '../../../protocol/hex.ts';

const ERROR = '0x08c379a0';
const PANIC = '0x4e487b71';

/** What the data of a revert says in Solidity's terms. */
export type RevertReason =
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'panic'; readonly code: bigint };

/** Reads Error(string) and Panic(uint256); undefined for all other data. */
export function revertReason(data: Uint8Array): RevertReason | undefined {
  const selector = bytesToHex(data.subarray(0, 4));
  if (selector === PANIC && data.length >= 36) return { kind: 'panic', code: toBigInt(data.subarray(4, 36)) };
  if (selector !== ERROR || data.length < 68) return undefined;
  const length = toBigInt(data.subarray(36, 68));
  if (BigInt(data.length) < 68n + length) return undefined;
  return { kind: 'error', text: Buffer.from(data.subarray(68, 68 + Number(length))).toString('utf8') };
}
