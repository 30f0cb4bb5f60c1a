import { EVM } from '@ethereumjs/evm';
import { SimpleStateManager } from '@ethereumjs/statemanager';
import { Account, createAddressFromString } from '@ethereumjs/util';
import { address, SENDER } from '../../evm/support/context.ts';
import { libraryCommon } from '../../nodes/execution/support/library-state.ts';

const CONTRACT = createAddressFromString(address('c0de'));

/** Calls a contract in the EVM library, over a state in memory. Returns the gas that it used. */
export async function callLibrary(code: Uint8Array, gasLimit: bigint): Promise<bigint> {
  const common = libraryCommon('osaka');
  const state = new SimpleStateManager({ common });
  await state.putAccount(CONTRACT, new Account(1n, 0n));
  await state.putCode(CONTRACT, code);
  const evm = new EVM({ common, stateManager: state, blockchain: undefined as never });
  const caller = createAddressFromString(SENDER);
  const { execResult } = await evm.runCall({ caller, to: CONTRACT, gasLimit, skipNonceIncrement: true });
  if (execResult.exceptionError !== undefined)
    throw new Error(`the library ended with ${execResult.exceptionError.error}`);
  return execResult.executionGasUsed;
}
