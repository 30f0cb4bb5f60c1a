import { toBigInt } from '../../../protocol/bytes.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import { RpcError } from '../../../rpc/error.ts';
import type { Simulation } from './simulate.ts';

const ERROR = '0x08c379a0';
const PANIC = '0x4e487b71';

/** The answer to a call that failed: code 3 with the data where the contract reverted, -32000 for everything else. */
export function callError({ failure, returnValue }: Simulation): RpcError {
  if (failure !== 'revert') return new RpcError(-32000, failure ?? 'execution failed');
  const reason = revertReason(returnValue);
  return new RpcError(
    3,
    reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`,
    bytesToHex(returnValue),
  );
}

/** The text of Error(string), or the code of Panic(uint256). */
function revertReason(data: Uint8Array): string | undefined {
  const selector = bytesToHex(data.subarray(0, 4));
  if (selector === PANIC && data.length >= 36)
    return `panic code 0x${toBigInt(data.subarray(4, 36)).toString(16).padStart(2, '0')}`;
  if (selector !== ERROR || data.length < 68) return undefined;
  const length = toBigInt(data.subarray(36, 68));
  if (BigInt(data.length) < 68n + length) return undefined;
  return Buffer.from(data.subarray(68, 68 + Number(length))).toString('utf8');
}
