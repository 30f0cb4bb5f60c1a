import { createHash } from 'node:crypto';
import { concatAll } from '../../../protocol/bytes.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';

/** Computes the header's requestsHash (EIP-7685; geth: `CalcRequestsHash`). */
export function requestsHash(requests: readonly Uint8Array[]): Hex {
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
  return bytesToHex(sha256(concatAll(requests.filter(({ length }) => length > 1).map(sha256))));
}
