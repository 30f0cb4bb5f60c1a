import { Common, Mainnet } from '@ethereumjs/common';
import { EVM } from '@ethereumjs/evm';
import { SimpleStateManager } from '@ethereumjs/statemanager';
import { customCrypto } from '../../../src/nodes/execution/evm/crypto.ts';

/** Makes the EVM library, with the same cryptography as ours. It returns the gas that a run of code used. */
export function libraryRunner(): (code: Uint8Array, gas: bigint) => Promise<bigint> {
  const common = new Common({ chain: Mainnet, hardfork: 'osaka', customCrypto });
  const evm = new EVM({ common, stateManager: new SimpleStateManager(), blockchain: undefined as never });
  return async (code, gasLimit) => {
    const { executionGasUsed, exceptionError } = await evm.runCode({ code, gasLimit });
    if (exceptionError !== undefined) throw new Error(`the library ended with ${exceptionError.error}`);
    return executionGasUsed;
  };
}
