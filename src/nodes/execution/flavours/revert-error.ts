import { bytesToHex } from '../../../protocol/hex.ts';
import { RpcError } from '../../../rpc/error.ts';

/**
 * Returns the error of a reverted call: code 3, with the returned bytes as data.
 * Counterparts: `newRevertError` of geth, `RevertError` of reth.
 */
export function revertError(returnValue: Uint8Array, reason: string | undefined): RpcError {
  const message = reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`;
  return new RpcError(3, message, bytesToHex(returnValue));
}
