import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../../../protocol/execution/predeploys.ts';
import { hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { BlockEvm } from '../evm/evm-factory.ts';
import { inTransaction } from './transition.ts';

const SYSTEM_ADDRESS = hexToBytes('0xfffffffffffffffffffffffffffffffffffffffe');

/**
 * Runs the system calls that open a block: EIP-4788 and EIP-2935. They cost no block gas.
 * geth's counterparts are `ProcessBeaconBlockRoot` and `ProcessParentBlockHash`, reth's `apply_pre_execution_changes`.
 */
export async function applyPreExecutionCalls(
  vm: BlockEvm,
  parentHash: Hex,
  parentBeaconBlockRoot: Hex | undefined,
): Promise<void> {
  const { header } = vm.rules;
  if (header.beaconRoot && parentBeaconBlockRoot !== undefined)
    await systemCall(vm, BEACON_ROOTS_ADDRESS, parentBeaconBlockRoot);
  if (header.requestsHash) await systemCall(vm, HISTORY_STORAGE_ADDRESS, parentHash);
}

/**
 * Calls a contract from the system address, with 30 million gas of its own (EIP-4788, 2935, 7002, 7251).
 * Without code at `to` it does nothing.
 */
export async function systemCall(
  vm: BlockEvm,
  to: Hex,
  data: Hex,
): Promise<{ readonly failure?: string; readonly returnValue: Uint8Array }> {
  return await inTransaction(vm, (scope) => {
    scope.warm(hexToBytes(to));
    return scope.run({
      caller: SYSTEM_ADDRESS,
      to: hexToBytes(to),
      value: 0n,
      data: hexToBytes(data),
      gasLimit: 30_000_000n,
      gasPrice: 0n,
    });
  });
}
